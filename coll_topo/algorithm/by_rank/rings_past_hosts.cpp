// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/rings_past_hosts.hpp"

#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/collective_set.hpp"

namespace coll_topo::rings_past_hosts {
namespace {

/// The rings of one half with which a long vector takes least time.
std::vector<RingOrder> best_rings(const Grid& grid, int lanes, bool combines, const Rings& rings) {
    constexpr double long_block = 1 << 20;
    const double work = combines ? long_block / grid.costs_together().reduce_bandwidth : 0;
    return fastest_rings(grid, lanes, rings.ways, [&](const std::vector<RingOrder>& orders) {
        return rings.half_seconds(grid, orders, long_block, work, 0);
    });
}

ring::Orders best_orders(const Grid& grid, const Problem& problem, const Rings& rings) {
    ring::Orders orders;
    if (combines(problem.collective)) orders.combining = best_rings(grid, problem.lanes, true, rings);
    if (has_allgather(problem.collective)) orders.gathering = best_rings(grid, problem.lanes, false, rings);
    return orders;
}

}  // namespace

Program build(const Grid& grid, const Problem& problem, int rank, const Rings& rings) {
    return ring::build_in_orders(problem.collective, best_orders(grid, problem, rings), rings.ways, rank);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem, const Rings& rings) {
    const ring::Orders orders = best_orders(grid, problem, rings);
    return programs_of_all_ranks(
        grid, [&](int rank) { return ring::build_in_orders(problem.collective, orders, rings.ways, rank); });
}

double seconds(const Grid& grid, const Problem& problem, double bytes, const Rings& rings) {
    const MachineCosts costs = grid.costs_together();
    const ring::Orders orders = best_orders(grid, problem, rings);
    const double block = bytes / grid.ranks();
    const double copying = block / costs.copy_bandwidth;
    const bool copies_late = problem.collective == Collective::allgather;
    double seconds = problem.collective == Collective::reduce_scatter ? copying : 0;
    if (!orders.combining.empty()) {
        seconds += rings.half_seconds(grid, orders.combining, block, block / costs.reduce_bandwidth, 0);
    }
    if (!orders.gathering.empty()) {
        seconds += rings.half_seconds(grid, orders.gathering, block, 0, copies_late ? copying : 0);
    }
    return seconds;
}

}  // namespace coll_topo::rings_past_hosts
