// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/profile/advice.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/select/barrier.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace coll_topo::tool {

namespace {

/// The hosts of all ranks of the job; no value where the file lacks one of the recorded hosts.
std::optional<std::vector<int>> recorded_hosts(const ProfileJob& job, const Fabric& fabric) {
    std::vector<int> hosts;
    for (const std::int32_t number : job.host_of_rank) {
        const int host = number < 0 ? NameTable::missing : fabric.hosts.find(job.hosts[number]);
        if (host == NameTable::missing) return std::nullopt;
        hosts.push_back(host);
    }
    return hosts;
}

int ranks_per_host(const ProfileJob& job) {
    std::map<std::int32_t, int> ranks;
    int most = 1;
    for (const std::int32_t host : job.host_of_rank) {
        if (host >= 0) most = std::max(most, ++ranks[host]);
    }
    return most;
}

Expected<std::vector<int>> consecutive_hosts(const ProfileJob& job, const Fabric& fabric,
                                             const AdviceOptions& options) {
    const int each = options.ranks_per_host > 0 ? options.ranks_per_host : ranks_per_host(job);
    std::vector<int> hosts(static_cast<std::size_t>(fabric.hosts.size()));
    std::iota(hosts.begin(), hosts.end(), 0);
    if (!options.hosts.empty()) {
        auto listed = find_hosts(fabric, options.file, options.hosts);
        if (!listed) return failure("--hosts: " + listed.error().message);
        hosts = std::move(*listed);
    }
    const auto needed = static_cast<std::size_t>((job.ranks - 1) / each + 1);
    if (hosts.size() < needed) {
        return failure("the profile has " + counted(job.ranks, "rank", "ranks") + ", " + std::to_string(each) +
                       " on a host, and " + options.file + " has only " +
                       counted(static_cast<long long>(hosts.size()), "host", "hosts") +
                       " for them; raise --ranks-per-host");
    }
    std::vector<int> host_of_rank;
    for (int rank = 0; rank < job.ranks; ++rank) host_of_rank.push_back(hosts[rank / each]);
    return host_of_rank;
}

Placement place(const ProfileCommunicator& communicator, const std::vector<int>& host_of_rank) {
    Placement placement(communicator.shape.ranks);
    for (std::size_t rank = 0; rank < placement.size(); ++rank) {
        const std::size_t in_job =
            communicator.members.empty() ? rank % host_of_rank.size() : communicator.members[rank];
        placement[rank].host = host_of_rank[in_job];
    }
    return placement;
}

/// What other modules take for a barrier is known of all of them.
std::optional<double> without_coll_topo(const Scenario& scenario, const Decision& decision) {
    if (scenario.request.call == Call::barrier) return rank_order_barrier_seconds(scenario.grid);
    return decision.previous ? std::optional(decision.previous->seconds) : std::nullopt;
}

AdvisedLine advise_line(const ProfileLine& line, Scenario& scenario, int ranks) {
    AdvisedLine advised{line, static_cast<double>(line.rank_calls) / ranks, {}, {}, "passed on"};
    scenario.request = request_for(line.key.call, pieces_of(line.key.call, scenario.grid));
    if (has_size(line.key.call)) scenario.request.bytes = std::max(1.0, line.mean_bytes);
    const Decision decision = examine(scenario);
    advised.without = without_coll_topo(scenario, decision);
    if (decision.chosen >= 0) {
        const Candidate& chosen = decision.candidates[decision.chosen];
        // The choice knows no sizes of unequal pieces, the profile does.
        const bool unequal = has_unequal_pieces(line.key.call);
        const Prediction prediction(*chosen.algorithm, scenario.grid, chosen.problem);
        advised.with = unequal ? prediction.seconds(chosen.problem.segments, line.mean_bytes) : chosen.seconds;
        advised.run_by = chosen.text();
    } else {
        advised.with = advised.without;
    }
    return advised;
}

double saved(const AdvisedLine& line) {
    return line.without && line.with ? line.calls_of_rank * (*line.without - *line.with) : 0;
}

double sum(const std::vector<AdvisedLine>& lines, std::optional<double> AdvisedLine::*seconds) {
    double all = 0;
    for (const AdvisedLine& line : lines) {
        if (line.without && line.with) all += line.calls_of_rank * *(line.*seconds);
    }
    return all;
}

}  // namespace

double Advice::without() const {
    return sum(lines, &AdvisedLine::without);
}

double Advice::with() const {
    return sum(lines, &AdvisedLine::with);
}

double Advice::unknown() const {
    double all = 0;
    for (const AdvisedLine& line : lines) {
        if (!line.without || !line.with) all += line.line.total.value_or(0) / ranks;
    }
    return all;
}

Expected<Advice> advise(const ProfileReport& profile, const AdviceOptions& options) {
    ASSIGN_OR_RETURN(const TopologyFile file, read_topology_file(options.file));
    Advice advice;
    advice.network = file.fabric.summary();
    advice.ranks = profile.job.ranks;
    const bool asked = !options.hosts.empty() || options.ranks_per_host > 0;
    std::optional<std::vector<int>> host_of_rank = asked ? std::nullopt : recorded_hosts(profile.job, file.fabric);
    advice.placement = "ranks on the hosts where they ran";
    if (!host_of_rank) {
        ASSIGN_OR_RETURN(host_of_rank, consecutive_hosts(profile.job, file.fabric, options));
        advice.placement = "consecutive ranks on the hosts of " + options.file;
        if (!asked) {
            advice.notes.push_back(options.file + " does not have all hosts of the profile; " + advice.placement);
        }
    }
    ScenarioOptions about;
    about.file = options.file;
    about.rules = options.rules;
    for (const ProfileCommunicator& communicator : profile.communicators) {
        if (communicator.members.empty()) {
            advice.notes.push_back("of communicators of " + counted(communicator.shape.ranks, "rank", "ranks") +
                                   " the profile does not say which; the first ones are taken");
        }
        ASSIGN_OR_RETURN(Scenario scenario, make_scenario(file, place(communicator, *host_of_rank), about));
        scenario.preferences.compare_with_tuned = true;
        for (const std::string& note : scenario.notes) {
            if (std::ranges::find(advice.notes, note) == advice.notes.end()) advice.notes.push_back(note);
        }
        for (const ProfileLine& line : profile.lines) {
            if (line.key.communicator != communicator.shape || line.key.form != CallForm::blocking) continue;
            advice.lines.push_back(advise_line(line, scenario, profile.job.ranks));
        }
    }
    std::uint64_t with_requests = 0;
    for (const ProfileLine& line : profile.lines) {
        with_requests += line.key.form == CallForm::blocking ? 0 : line.calls;
    }
    if (with_requests > 0) {
        advice.notes.push_back(
            std::to_string(with_requests) +
            " nonblocking and persistent calls are left out: what others take for them, and how much "
            "of it computation hides, is not known");
    }
    std::ranges::stable_sort(advice.lines, std::greater(), saved);
    return advice;
}

}  // namespace coll_topo::tool
