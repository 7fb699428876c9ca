// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/barrier.hpp"

#include "coll_topo/algorithm/rank_order_cost.hpp"
#include "coll_topo/algorithm/recursive_doubling_by_rank.hpp"

#include <algorithm>

namespace coll_topo {

Request barrier_request() {
    Request request{Collective::allreduce, 1, true};
    request.variant = barrier_name;
    return request;
}

double rank_order_barrier_seconds(const Grid& grid) {
    RankOrderCost cost(grid);
    double dissemination = 0;
    for (int distance = 1; distance < grid.ranks(); distance *= 2) dissemination += cost.shift(distance, 0);
    return std::min(dissemination, recursive_doubling_by_rank::allreduce_seconds_in_order(RankOrderCost(grid), 0));
}

}  // namespace coll_topo
