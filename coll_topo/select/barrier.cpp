// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/barrier.hpp"

#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/select/prediction.hpp"

#include <algorithm>

namespace coll_topo {

namespace {

/// Of processors that hosts share, while each rank sends a message to the one so far behind it, and waits for one.
double shared_seconds_of_shift(const Grid& grid, int distance) {
    const MachineCosts& costs = grid.costs();
    if (costs.shared_message_time == 0) return 0;
    double seconds = 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const bool within_host = grid.host(rank) == grid.host((rank + distance) % grid.ranks());
        seconds += costs.shared_message(within_host) + costs.waking_time();
    }
    return seconds;
}

}  // namespace

double rank_order_barrier_seconds(const Grid& grid) {
    RankOrderCost cost(grid);
    double dissemination = 0;
    for (int distance = 1; distance < grid.ranks(); distance *= 2) {
        dissemination += cost.shift(distance, 0) + shared_seconds_of_shift(grid, distance);
    }
    const Algorithm& doubling = *find_algorithm("recursive_doubling_by_rank");
    return std::min(dissemination, Prediction(doubling, grid, {Collective::allreduce}).seconds(1, 0));
}

}  // namespace coll_topo
