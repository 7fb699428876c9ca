// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

#include <vector>

namespace coll_topo {

// What a row leaves open and the user did not fix: numbers to consider, ascending.

/// Lanes: those of the algorithm, or one, one for each axis, and one for each direction of each axis. A short vector
/// takes one.
std::vector<int> lane_choices(const Algorithm& algorithm, const Grid& grid, const Request& request,
                              const Preferences& preferences);

/// Aggregators on each host.
std::vector<int> aggregator_choices(const Algorithm& algorithm, const Grid& grid, double bytes,
                                    const Preferences& preferences);

/// Segments: powers of two, as long as no block gets shorter than a byte; one for a short vector.
std::vector<int> segment_choices(const Algorithm& algorithm, int lanes, double bytes, const Preferences& preferences);

}  // namespace coll_topo
