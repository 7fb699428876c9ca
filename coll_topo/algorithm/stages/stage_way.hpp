// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/stages/stages.hpp"

namespace coll_topo {

/// The way of the messages of a stage, while every group of it exchanges at once, or every member of a ring sends to
/// the next one. Where these keep to the axes of the grid (Grid::keeps_to_axes()), by formula; else counted on the
/// cables that the messages cross.
struct StageWay {
    double latency;   ///< seconds, of the longest one
    double per_byte;  ///< seconds that a byte of each message takes
};

StageWay stage_way(const Grid& grid, const StageOrder& stage_order, const Stage& stage);

/// The way while of each group one member alone sends to all others of it, or these to that one.
StageWay fan_way(const Grid& grid, const StageOrder& stage_order, const Stage& stage);

}  // namespace coll_topo
