// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/barrier.hpp"

#include "coll_topo/algorithm/power_of_two_ranks.hpp"
#include "coll_topo/algorithm/rank_order_cost.hpp"
#include "coll_topo/algorithm/recursive_doubling_by_rank.hpp"

#include <algorithm>
#include <bit>

namespace coll_topo {

Request barrier_request() {
    Request request{Collective::allreduce, 1, true};
    request.variant = barrier_name;
    return request;
}

double rank_order_barrier_seconds(const Grid& grid) {
    const double shared = grid.costs().shared_message_time;
    RankOrderCost cost(grid);
    double dissemination = 0;
    for (int distance = 1; distance < grid.ranks(); distance *= 2) {
        dissemination += cost.shift(distance, 0) + grid.ranks() * shared;
    }
    const PowerOfTwoRanks doubling(grid.ranks(), PowerOfTwoRanks::GoesOn::odd);
    const int messages =
        doubling.size() * std::countr_zero(static_cast<unsigned>(doubling.size())) + 2 * doubling.pairs();
    return std::min(dissemination,
                    recursive_doubling_by_rank::allreduce_seconds_in_order(RankOrderCost(grid), 0) + messages * shared);
}

}  // namespace coll_topo
