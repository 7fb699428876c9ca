// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/barrier.hpp"

#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/select/prediction.hpp"

#include <algorithm>

namespace coll_topo {

double rank_order_barrier_seconds(const Grid& grid) {
    const double shared = grid.costs().shared_message_time;
    RankOrderCost cost(grid);
    double dissemination = 0;
    for (int distance = 1; distance < grid.ranks(); distance *= 2) {
        dissemination += cost.shift(distance, 0) + grid.ranks() * shared;
    }
    const Algorithm& doubling = *find_algorithm("recursive_doubling_by_rank");
    return std::min(dissemination, Prediction(doubling, grid, {Collective::allreduce}).seconds(1, 0));
}

}  // namespace coll_topo
