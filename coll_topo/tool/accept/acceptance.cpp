// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/acceptance.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/tool/accept/effort_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>

namespace coll_topo::tool {

namespace {

constexpr std::size_t most_named = 5;

/// The first few, and how many more there are.
std::string list_text(const std::vector<std::string>& words) {
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(most_named, words.size()));
    std::string text = fmt::format("{}", fmt::join(words.begin(), end, ", "));
    return words.size() > most_named ? text + fmt::format(" and {} more", words.size() - most_named) : text;
}

Outcome outcome_of(bool tested, bool met) {
    return !tested ? Outcome::not_tested : met ? Outcome::met : Outcome::not_met;
}

Condition of_hosts(const Acceptance& acceptance) {
    Condition condition{"hosts",
                        "versions, parameters and files are the same on all hosts, and ranks are bound sanely"};
    if (!acceptance.hosts) return condition;
    std::vector<std::string> different;
    for (const Difference& difference : differences(*acceptance.hosts)) {
        if (difference.matters) different.push_back(difference.what + " of " + list_text(difference.hosts));
    }
    const auto bound = hosts_with_wrong_binding(*acceptance.hosts);
    if (!bound.empty()) different.push_back("ranks share processors while others are free: " + list_text(bound));
    condition.outcome = outcome_of(true, different.empty());
    condition.found =
        different.empty()
            ? counted(static_cast<long long>(acceptance.hosts->hosts().size()), "host", "hosts") + " alike"
            : list_text(different);
    return condition;
}

Condition of_absent(const Acceptance& acceptance) {
    const int most = acceptance.limits.absent_hosts.value_or(0);
    Condition condition{"absent-hosts", most == 0 ? "all hosts of the file take part"
                                                  : fmt::format("at most {} hosts of the file are absent", most)};
    const auto absent = absent_hosts(acceptance);
    if (!absent) return condition;
    condition.outcome = outcome_of(true, static_cast<int>(absent->size()) <= most);
    condition.found = absent->empty() ? "none is absent" : "absent: " + list_text(*absent);
    return condition;
}

Condition of_cables(const Acceptance& acceptance) {
    Condition condition{
        "cables", fmt::format("every cable is where the file says, and carries {} of its bandwidth",
                              share_text(acceptance.limits.least_share.value_or(*AcceptanceLimits().least_share)))};
    if (!acceptance.cables) {
        if (acceptance.cable_rounds > 0) {
            condition.found = fmt::format("{} of {} rounds", acceptance.cable_rounds_done, acceptance.cable_rounds);
        }
        return condition;
    }
    const acceptance::CableVerdict& verdict = acceptance.cables->verdict;
    const std::size_t faults = verdict.findings.size() + verdict.slow_kinds.size() + verdict.silent.size();
    const bool only_doubtful = faults == 0 && verdict.not_explained.empty() && !verdict.doubtful.empty();
    condition.outcome = outcome_of(!only_doubtful, verdict.accepted);
    condition.found = fmt::format("{} directions of cables tested",
                                  acceptance.cables->graph.links().size() - acceptance.cables->plan.untested.size());
    if (faults > 0) condition.found += ", " + counted(static_cast<long long>(faults), "fault", "faults");
    const auto add_tests = [&](const std::vector<int>& tests, const char* what) {
        if (tests.empty()) return;
        condition.found += ", " + counted(static_cast<long long>(tests.size()), "test", "tests") + what;
    };
    add_tests(verdict.not_explained, " not explained");
    add_tests(verdict.doubtful, " with another result each time");
    return condition;
}

Condition of_results(const Acceptance& acceptance) {
    Condition condition{"results", "all results are right"};
    int calls = 0, served = 0, wrong = 0;
    bool complete = false;
    if (acceptance.results) {
        complete = acceptance.results->complete;
        for (const ResultCheck& check : acceptance.results->checks) {
            calls += check.calls;
            served += check.served;
            wrong += check.wrong;
        }
    }
    int wrong_speed = 0;
    if (acceptance.speed) {
        for (const SpeedCase& speed : acceptance.speed->cases) wrong_speed += speed.right ? 0 : 1;
    }
    condition.outcome = wrong + wrong_speed > 0 ? Outcome::not_met : outcome_of(complete && served > 0, true);
    if (acceptance.results) {
        condition.found = fmt::format("{} calls, {} of them served by coll_topo; {} wrong", calls, served, wrong);
        if (!acceptance.results->missing.empty()) condition.found = acceptance.results->missing;
    }
    if (wrong_speed > 0) condition.found += fmt::format("; {} sizes with wrong results while timed", wrong_speed);
    return condition;
}

Condition of_speed(const Acceptance& acceptance) {
    Condition condition{
        "most-slower",
        fmt::format("nowhere more than {} slower than the best of the others",
                    share_text(acceptance.limits.most_slower.value_or(*AcceptanceLimits().most_slower)))};
    if (!acceptance.speed) return condition;
    std::vector<std::string> lost;
    std::size_t compared = 0;
    for (const SpeedCase& speed : acceptance.speed->cases) {
        if (!speed.best_other.empty() && speed.components.contains("topo")) ++compared;
        if (speed.lost) {
            lost.push_back(fmt::format("{} of {} ({} slower than {})", speed.collective,
                                       bytes_text(static_cast<double>(speed.bytes)), share_text(speed.slower),
                                       speed.best_other));
        }
    }
    const bool tested = compared > 0 && acceptance.speed->missing.empty();
    condition.outcome = !lost.empty() ? Outcome::not_met : outcome_of(tested, true);
    condition.found = fmt::format("{} compared", counted(static_cast<long long>(compared), "size", "sizes"));
    if (!lost.empty()) condition.found += "; slower: " + list_text(lost);
    if (!acceptance.speed->missing.empty()) {
        condition.found += "; not measured: " + list_text(acceptance.speed->missing);
    }
    return condition;
}

Condition of_predictions(const Acceptance& acceptance) {
    const double most = acceptance.limits.prediction_factor.value_or(*AcceptanceLimits().prediction_factor);
    Condition condition{"prediction-factor", fmt::format("predicted times are within a factor of {:g}", most)};
    if (!acceptance.speed) return condition;
    std::size_t predicted = 0, beyond = 0;
    double worst = 1;
    std::string where;
    for (const SpeedCase& speed : acceptance.speed->cases) {
        const auto factor = prediction_factor(speed);
        if (!factor) continue;
        ++predicted;
        beyond += *factor > most ? 1 : 0;
        if (*factor <= worst) continue;
        worst = *factor;
        where = speed.collective + " of " + bytes_text(static_cast<double>(speed.bytes));
    }
    const bool tested = predicted > 0 && acceptance.speed->missing.empty();
    condition.outcome = beyond > 0 ? Outcome::not_met : outcome_of(tested, true);
    if (predicted > 0) {
        condition.found = fmt::format("{} of {} beyond; the furthest is {}, by a factor of {:.2g}", beyond, predicted,
                                      where.empty() ? "none" : where, worst);
    }
    return condition;
}

Condition of_baseline(const Acceptance& acceptance) {
    const double share = acceptance.limits.worse_than_before.value_or(*AcceptanceLimits().worse_than_before);
    Condition condition{"worse-than-before", fmt::format("nothing is more than {} worse than on {}", share_text(share),
                                                         acceptance.baseline->date)};
    const CableReport* const cables = acceptance.cables ? &*acceptance.cables : nullptr;
    const SpeedStage* const speed = acceptance.speed ? &*acceptance.speed : nullptr;
    const std::size_t compared = compared_with(*acceptance.baseline, cables, speed);
    const auto worse = worse_than(*acceptance.baseline, cables, speed, share);
    condition.outcome = outcome_of(compared > 0, worse.empty());
    condition.found = fmt::format("{} figures compared", compared);
    if (!worse.empty()) condition.found += "; worse: " + list_text(worse);
    return condition;
}

}  // namespace

std::vector<Condition> conditions_of(const Acceptance& acceptance) {
    const AcceptanceLimits& limits = acceptance.limits;
    std::vector<Condition> conditions;
    const auto add = [&](Condition condition, bool required) {
        if (!required) condition.outcome = Outcome::not_required;
        conditions.push_back(std::move(condition));
    };
    add(of_hosts(acceptance), limits.hosts_asked && limits.same_hosts);
    add(of_absent(acceptance), (limits.hosts_asked || limits.cables_asked) && limits.absent_hosts.has_value());
    add(of_cables(acceptance), limits.cables_asked && limits.least_share.has_value());
    add(of_results(acceptance), limits.results_asked && limits.right_results);
    add(of_speed(acceptance), limits.speed_asked && limits.most_slower.has_value());
    add(of_predictions(acceptance), limits.speed_asked && limits.prediction_factor.has_value());
    if (acceptance.baseline) add(of_baseline(acceptance), limits.worse_than_before.has_value());
    return conditions;
}

bool is_accepted(const std::vector<Condition>& conditions) {
    return std::all_of(conditions.begin(), conditions.end(), [](const Condition& condition) {
        return condition.outcome == Outcome::met || condition.outcome == Outcome::not_required;
    });
}

bool is_refused(const std::vector<Condition>& conditions) {
    return std::any_of(conditions.begin(), conditions.end(),
                       [](const Condition& condition) { return condition.outcome == Outcome::not_met; });
}

const char* outcome_name(Outcome outcome) {
    switch (outcome) {
        case Outcome::met:
            return "met";
        case Outcome::not_met:
            return "not met";
        case Outcome::not_tested:
            return "not tested";
        case Outcome::not_required:
            return "not required";
    }
    return "";
}

std::optional<std::vector<std::string>> absent_hosts(const Acceptance& acceptance) {
    std::set<std::string> present;
    if (acceptance.hosts) {
        for (const std::string& host : acceptance.hosts->hosts()) {
            int index = acceptance.fabric.hosts.find(host);
            if (index == NameTable::missing) index = acceptance.fabric.hosts.find(host.substr(0, host.find('.')));
            if (index != NameTable::missing) present.insert(std::string(acceptance.fabric.hosts.name(index)));
        }
    } else if (acceptance.cables) {
        present.insert(acceptance.cables->cables.hosts.begin(), acceptance.cables->cables.hosts.end());
    } else {
        return std::nullopt;
    }
    std::vector<std::string> absent;
    for (int host = 0; host < acceptance.fabric.hosts.size(); ++host) {
        std::string name(acceptance.fabric.hosts.name(host));
        if (!present.contains(name)) absent.push_back(std::move(name));
    }
    return absent;
}

}  // namespace coll_topo::tool
