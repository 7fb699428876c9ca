// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/scenario/scenario.hpp"

#include <string>
#include <vector>

namespace coll_topo::tool {

struct RuledCandidate {
    Candidate candidate;
    std::string rule;  ///< FILE:LINE
};

struct RuledCandidates {
    std::vector<RuledCandidate> candidates;
    std::vector<std::string> passed_over;  ///< as in Decision
};

/// All that is served by schedules of the collective that is asked for: itself, and allgatherv,
/// barrier, or alltoallv and alltoallw.
std::vector<Request> requests_served_alike(const Request& asked, const Grid& grid);

/// The ways in which the rules of the scenario serve its request at any size. What they leave to the previous module,
/// or do not match, is not among them.
RuledCandidates ruled_candidates(const Scenario& scenario);

}  // namespace coll_topo::tool
