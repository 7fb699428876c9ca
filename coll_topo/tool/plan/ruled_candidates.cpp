// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/ruled_candidates.hpp"

#include "coll_topo/schedule/latency_bound.hpp"
#include "coll_topo/select/rule_decision.hpp"

#include <algorithm>

namespace coll_topo::tool {

namespace {

/// The shortest and the longest of a range of sizes, or for the last range one that is not latency-bound: between them
/// the candidates are the same but for the number of segments.
std::vector<double> both_ends(const RuleTable& table, int range) {
    const auto first = static_cast<double>(table.first_of(range));
    const double last = range + 1 < table.ranges() ? static_cast<double>(table.first_of(range + 1) - 1)
                                                   : std::max(first, 2.0 * latency_bound_bytes);
    return {first, last};
}

void add(const Decision& decision, RuledCandidates& found) {
    for (const std::string& rule : decision.passed_over) {
        if (std::ranges::find(found.passed_over, rule) == found.passed_over.end()) found.passed_over.push_back(rule);
    }
    if (decision.rule.empty() || decision.chosen < 0) return;
    for (const Candidate& candidate : decision.candidates) {
        const bool known = std::ranges::any_of(found.candidates, [&](const RuledCandidate& other) {
            return other.rule == decision.rule && other.candidate.algorithm == candidate.algorithm &&
                   other.candidate.problem == candidate.problem;
        });
        if (candidate.refusal.empty() && !known) found.candidates.push_back({candidate, decision.rule});
    }
}

}  // namespace

std::vector<Request> requests_served_alike(const Request& asked, const Grid& grid) {
    std::vector<Request> requests = {asked};
    for (int index = 0; index < call_count; ++index) {
        const auto call = static_cast<Call>(index);
        if (call == asked.call || schedule_of(call) != asked.collective()) continue;
        requests.push_back(request_for(call, pieces_of(call, grid)));
        if (has_size(call)) requests.back().bytes = asked.bytes;
    }
    return requests;
}

RuledCandidates ruled_candidates(const Scenario& scenario) {
    Request request = scenario.request;
    const RuleTable table(scenario.rules, scenario.grid, request.call);
    RuledCandidates found;
    for (int range = 0; range < table.ranges(); ++range) {
        for (const double bytes : has_size(request.call) ? both_ends(table, range) : std::vector{request.bytes}) {
            request.bytes = bytes;
            add(decide_by_rules(scenario.grid, typical_request(request), scenario.preferences, table.matching(range)),
                found);
        }
    }
    return found;
}

}  // namespace coll_topo::tool
