// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/simulate/simulation.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo::tool {

/// One size and one algorithm: what is to be simulated, or why it cannot be.
struct PlannedCase {
    Request request;
    Candidate candidate;
    bool chosen = false;  ///< what the component takes for this size
};

/// Stands for all algorithms in a list of names.
inline constexpr const char* all_algorithms = "all";

/// The cases of options whose `bytes` and `algorithm` are lists with commas, by algorithm. With all_algorithms, those
/// that refuse are cases, too.
Expected<std::vector<PlannedCase>> plan_cases(Scenario& scenario, const ScenarioOptions& options);

/// The schedule of a case; none, with a refusal instead, if it has more messages than `most_messages`.
Schedule build_case(const Scenario& scenario, PlannedCase& planned, std::int64_t most_messages);

/// More than this take many minutes and gigabytes: the ring algorithm has as many from 1582 ranks on.
inline constexpr std::int64_t most_messages_of_all = 5'000'000;

}  // namespace coll_topo::tool
