// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/simulate/simulation_cases.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace coll_topo::tool {
namespace {

/// The names of --algorithm; "" stands for the one that is chosen.
Expected<std::vector<std::string_view>> wanted_algorithms(const ScenarioOptions& options) {
    if (options.algorithm != all_algorithms) return split(options.algorithm, ',');
    ASSIGN_OR_RETURN(const auto collective, find_collective(options.collective));
    std::vector<std::string_view> names;
    for (const Algorithm& row : catalogue()) {
        if (row.serves(collective)) names.emplace_back(row.name);
    }
    return names;
}

/// The best candidate of the wanted algorithm. With "all", one that refuses is a case, else an error.
Expected<Candidate> candidate_for(const Scenario& scenario, bool all) {
    const Decision decision = examine(scenario);
    if (decision.chosen >= 0) return decision.candidates[decision.chosen];
    if (all && !decision.candidates.empty()) return decision.candidates.front();
    return choose(scenario);
}

/// Whether the component takes the candidate if nothing is forced.
bool is_choice(const Scenario& scenario, const Candidate& candidate) {
    const Decision free = decide(scenario.grid, typical_request(scenario.request), Preferences{});
    if (free.chosen < 0) return false;
    const Candidate& choice = free.candidates[free.chosen];
    return choice.algorithm == candidate.algorithm && choice.problem == candidate.problem;
}

}  // namespace

Expected<std::vector<PlannedCase>> plan_cases(Scenario& scenario, const ScenarioOptions& options) {
    ASSIGN_OR_RETURN(const auto algorithms, wanted_algorithms(options));
    std::vector<PlannedCase> cases;
    for (const std::string_view algorithm : algorithms) {
        for (const std::string_view size : split(options.bytes, ',')) {
            ScenarioOptions one = options;
            one.algorithm = algorithm;
            one.bytes = size;
            RETURN_IF_ERROR(set_request(scenario, one));
            ASSIGN_OR_RETURN(const auto candidate, candidate_for(scenario, options.algorithm == all_algorithms));
            cases.push_back({scenario.request, candidate, is_choice(scenario, candidate)});
        }
    }
    return cases;
}

Schedule build_case(const Scenario& scenario, PlannedCase& planned, std::int64_t most_messages) {
    Schedule schedule;
    std::int64_t messages = 0;
    for (int rank = 0; rank < scenario.grid.ranks() && messages <= most_messages; ++rank) {
        schedule.push_back(planned.candidate.algorithm->build(scenario.grid, planned.candidate.problem, rank));
        messages += std::ranges::count(schedule.back().actions, ActionKind::send, &Action::kind);
    }
    if (messages <= most_messages) return schedule;
    planned.candidate.refusal = "more than " + std::to_string(most_messages / 1'000'000) +
                                " million messages: simulated only when asked for by name";
    return {};
}

}  // namespace coll_topo::tool
