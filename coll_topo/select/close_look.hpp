// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

#include <vector>

namespace coll_topo {

/// Replaces the predicted seconds of candidates by those of Prediction::close_seconds(), where they may change the
/// choice: of those that formulas find much slower than the fastest, these tell enough.
void look_closely(const Grid& grid, const Request& request, std::vector<Candidate>& candidates);

}  // namespace coll_topo
