// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

#include <vector>

namespace coll_topo {

/// A stage of an alltoall that combines messages. A piece whose offset on the axis is o moves j·weight places now,
/// where j is the digit of o with this weight: one message for each j = 1 .. radix-1.
struct CombiningStage {
    int axis;
    int weight;
    int radix;

    int digit_of(int offset_on_axis) const { return offset_on_axis / weight % radix; }
};

/// How a rank sends along a line of an axis: one message to each other place of it, or one to the place 1, 2, 4, ...
/// further on.
enum class AlongAxis { to_each, doubling };

/// The stages of a lane: all axes, lane k beginning with axis k modulo their number.
std::vector<CombiningStage> combining_stages(const Grid& grid, AlongAxis way, int lane);

/// The numbers of aggregators worth trying: one, as many as there are memory domains, all ranks of the smallest host.
std::vector<int> combining_aggregator_counts(const Grid& grid);

/// Predicted seconds of an alltoall of `bytes` on each rank.
double combining_seconds(const Grid& grid, const Problem& problem, AlongAxis way, double bytes);

/// The program of one rank.
Program build_combining(const Grid& grid, const Problem& problem, AlongAxis way, int rank);

}  // namespace coll_topo
