// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/report_text.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/tool/accept/effort_table.hpp"
#include "coll_topo/tool/output/units.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

namespace {

constexpr std::size_t most_tests_named = 5;

void write_conditions(const Acceptance& acceptance, std::ostream& out) {
    TextTable table({{"condition"}, {"outcome"}, {"found"}});
    for (const Condition& condition : conditions_of(acceptance)) {
        table.add({condition.name, outcome_name(condition.outcome), condition.found.empty() ? "-" : condition.found});
    }
    out << "\n" << table.text();
}

void write_differences(const HostStage& hosts, std::ostream& out) {
    for (const Difference& difference : differences(hosts)) {
        if (!difference.matters) continue;
        out << "\n"
            << wrapped(fmt::format("Different: {} of {} is {}, of most hosts {}", difference.what,
                                   fmt::join(difference.hosts, ", "), difference.value, difference.usual),
                       2);
    }
}

void write_tests(const char* title, const std::vector<std::string>& tests, std::ostream& out) {
    if (tests.empty()) return;
    out << fmt::format("\n{}: {}\n", title, counted(static_cast<long long>(tests.size()), "test", "tests"));
    for (std::size_t i = 0; i < std::min(most_tests_named, tests.size()); ++i) out << "  " << tests[i] << "\n";
}

void write_faults(const CableReport& report, std::ostream& out) {
    for (const CableFault& fault : faults_of(report)) {
        std::string text = "Fault: " + fault.what;
        for (const std::string& other : fault.or_else) text += ", or " + other;
        out << "\n" << wrapped(text, 2);
        if (fault.explains) {
            out << fmt::format("  explains {} of what is unlike the file\n", share_text(*fault.explains));
        }
        out << "  do: " << fault.to_do << "\n";
    }
    write_tests("Not explained", not_explained(report), out);
    write_tests("Another result each time", doubtful(report), out);
}

std::string two_rates(double median, double least) {
    return median > 0 ? bandwidth_text(median) + ", " + bandwidth_text(least) : "-";
}

void write_rates(const CableReport& report, std::ostream& out) {
    TextTable table({{"cables like"},
                     {"tests", true},
                     {"no result", true},
                     {"alone: median, least", true},
                     {"together: median, least", true}});
    for (const CableRates& rates : rates_of(report)) {
        table.add({rates.like, std::to_string(rates.tests), std::to_string(rates.without_result),
                   two_rates(rates.median_alone, rates.least_alone),
                   two_rates(rates.median_together, rates.least_together)});
    }
    out << "\n" << table.text();
}

void write_wrong_results(const ResultStage& results, std::ostream& out) {
    for (const ResultCheck& check : results.checks) {
        if (check.wrong == 0) continue;
        out << "\n"
            << wrapped(fmt::format("Wrong: {} of {} calls of {} with {}; first {}", check.wrong, check.calls,
                                   check.collective, check.algorithm, check.first_wrong),
                       2);
    }
}

void write_speed(const SpeedStage& speed, std::ostream& out) {
    TextTable table({{"collective"},
                     {"size", true},
                     {"coll_topo", true},
                     {"best other"},
                     {"slower by", true},
                     {"of the bound", true},
                     {"remark"}});
    for (const SpeedCase& one : speed.cases) {
        const auto topo = one.components.find("topo");
        if (topo == one.components.end()) continue;
        const auto share = share_of_bound(one);
        std::string remark = one.lost ? "loses" : one.served ? "" : "left to the module before";
        if (!one.mended_by.empty()) remark += ", a rule for " + one.mended_by + " mends it";
        table.add({one.collective, bytes_text(static_cast<double>(one.bytes)), duration_text(topo->second.median),
                   one.best_other.empty()
                       ? "-"
                       : one.best_other + " " + duration_text(one.components.at(one.best_other).median),
                   one.best_other.empty() ? "-" : share_text(one.slower), share ? share_text(*share) : "-", remark});
    }
    out << "\n" << table.text();
}

}  // namespace

std::string verdict_text(const Acceptance& acceptance) {
    if (!acceptance.interrupted.empty()) return "Incomplete";
    return is_accepted(conditions_of(acceptance)) ? "Accepted" : "Not accepted";
}

void write_report_text(const Acceptance& acceptance, std::ostream& out) {
    out << verdict_text(acceptance) << ": " << acceptance.fabric.summary() << "\n";
    if (!acceptance.interrupted.empty()) out << wrapped(acceptance.interrupted, 0);
    for (const std::string& error : acceptance.errors) out << wrapped("Error: " + error, 2);
    write_conditions(acceptance, out);
    if (acceptance.hosts) write_differences(*acceptance.hosts, out);
    if (acceptance.cables) {
        if (const auto absent = absent_hosts(acceptance); absent && !absent->empty()) {
            out << "\n"
                << wrapped(fmt::format("Not in the job, and their cables not tested: {}", fmt::join(*absent, ", ")), 0);
        }
        if (!acceptance.cables->plan.untested.empty()) {
            out << "\n"
                << wrapped("Not tested: " + link_list(acceptance.cables->graph, acceptance.cables->plan.untested), 0);
        }
        write_faults(*acceptance.cables, out);
        write_rates(*acceptance.cables, out);
    }
    if (acceptance.results) write_wrong_results(*acceptance.results, out);
    if (acceptance.speed) write_speed(*acceptance.speed, out);
}

}  // namespace coll_topo::tool
