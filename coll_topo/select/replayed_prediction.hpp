// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

#include <optional>

namespace coll_topo {

/// Whether a replay knows what things cost here, and a prediction counts: not on one host, where measurements decide.
bool can_replay_on(const Grid& grid);

/// How long a schedule takes, by a replay of what all ranks do, where that takes little time: where they send few
/// messages, or a pipeline does with fewer segments, which goes on as it has begun, or those do of a sample of many
/// steps that are alike. Nothing for others.
std::optional<double> replayed_prediction(const Algorithm& algorithm, const Grid& grid, const Problem& problem,
                                          double bytes);

}  // namespace coll_topo
