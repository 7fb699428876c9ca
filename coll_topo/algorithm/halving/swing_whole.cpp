// SPDX-License-Identifier: BSD-3-Clause
//
// Swing with whole vectors: allreduce of small vectors in log2 p steps between places that are not far apart.
//
// As recursive_doubling, but on rings of 2^k places partners are ..., 5, 3, 1, 1 apart instead of ..., 8, 4, 2, 1:
// fewer hops, and two thirds of the load. The farthest come first: those that a place reaches by the later steps are
// then the same for all of them, so that all ranks combine the operands in the same groups and hold the same bits.
//
// Cost for m bytes: sum_s [ o + d_s·latency + (d_s + 1)/2·m/bandwidth + m/reduction ].
//
// Source: De Sensi, Bonato, Saam, Hoefler, "Swing: Short-cutting rings for higher bandwidth allreduce", NSDI 2024, its
// latency-optimal variant. Needs: a torus or mesh. Combines out of rank order.

#include "coll_topo/algorithm/halving/swing_whole.hpp"

#include "coll_topo/algorithm/halving/recursive_doubling.hpp"

namespace coll_topo::swing_whole {

Program build(const Grid& grid, const Problem&, int rank) {
    return recursive_doubling::build_along(grid, StageOrder::of_swing_whole_vectors(grid), rank);
}

bool in_order(const Grid&, const Problem&) {
    return false;
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    return recursive_doubling::seconds_along(grid, StageOrder::of_swing_whole_vectors(grid), bytes);
}

std::string refusal(const Grid& grid, const Problem&) {
    return grid.switched() ? "it is for tori and meshes, and switches join these hosts" : "";
}

}  // namespace coll_topo::swing_whole
