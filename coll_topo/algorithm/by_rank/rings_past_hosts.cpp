// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/rings_past_hosts.hpp"

#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"

#include <algorithm>

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

/// Whether ranks serve their first rings before the others, so that the results of these travel while they still
/// combine for those. In simulations on 16 to 120 hosts, a reduce of many rings gains by it; of an allreduce what goes
/// both ways does, unless the ranks of a host mostly move what is for each other, or three cycles leave each ring links
/// of its own.
bool serves_first_rings_first(const Grid& grid, const Problem& problem, const Rings& rings) {
    constexpr int fewest_lanes_of_reduce = 6;
    if (problem.collective == Collective::reduce) return problem.lanes >= fewest_lanes_of_reduce;
    constexpr int fewest_lanes = 4, most_ranks = 2, most_cycles = 2;
    return problem.collective == Collective::allreduce && rings.ways == RingWays::both &&
           problem.lanes >= fewest_lanes && grid.most_ranks_per_host() <= most_ranks &&
           disjoint_cycle_count(grid) <= most_cycles;
}

/// Of an allreduce for which ranks do so. Links carry as much in both halves: they are idle for as long as the first
/// one takes more. In simulations, two ranks of a host gain a third of what one does.
double seconds_of_halves(double combining, double gathering, int lanes, int ranks_per_host) {
    constexpr double gained_by_two_ranks = 1. / 3;
    const double both = combining + gathering, idle = std::max(0.0, combining - gathering);
    const double gained = both - combined_and_gathered_seconds(combining, idle, gathering, lanes);
    return both - (ranks_per_host > 1 ? gained_by_two_ranks : 1) * gained;
}

ring::Orders best_orders(const Grid& grid, const Problem& problem, const Rings& rings) {
    ring::Orders orders;
    if (combines(problem.collective)) orders.combining = best_rings(grid, problem.lanes, true, rings);
    if (has_allgather(problem.collective)) orders.gathering = best_rings(grid, problem.lanes, false, rings);
    return orders;
}

Program build_in(const Grid& grid, const Problem& problem, const ring::Orders& orders, int rank, const Rings& rings) {
    Program program = ring::build_in_orders(problem, orders, rings.ways, rank);
    program.first_lanes_first = serves_first_rings_first(grid, problem, rings);
    return program;
}

}  // namespace

Program build(const Grid& grid, const Problem& problem, int rank, const Rings& rings) {
    return build_in(grid, problem, best_orders(grid, problem, rings), rank, rings);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem, const Rings& rings) {
    const ring::Orders orders = best_orders(grid, problem, rings);
    return programs_of_all_ranks(grid, [&](int rank) { return build_in(grid, problem, orders, rank, rings); });
}

double seconds(const Grid& grid, const Problem& problem, double bytes, const Rings& rings) {
    const MachineCosts costs = grid.costs_together();
    const ring::Orders orders = best_orders(grid, problem, rings);
    const double block = bytes / grid.ranks();
    const double copying = block / costs.copy_bandwidth;
    const bool copies_late = problem.collective == Collective::allgather;
    double combining = problem.collective == Collective::reduce_scatter ? copying : 0, gathering = 0;
    if (!orders.combining.empty()) {
        combining += rings.half_seconds(grid, orders.combining, block, block / costs.reduce_bandwidth, 0);
    }
    if (!orders.gathering.empty()) {
        gathering = rings.half_seconds(grid, orders.gathering, block, 0, copies_late ? copying : 0);
    }
    const bool reduce = problem.collective == Collective::reduce;
    if (reduce) gathering = RankOrderCost(grid).gather(problem.root, block);
    if (!serves_first_rings_first(grid, problem, rings)) return combining + gathering;
    if (reduce) {
        constexpr int last_lanes = 2;
        const double idle = combining - rings.half_seconds(grid, orders.combining, block, 0, 0);
        return combined_and_gathered_seconds(combining, std::max(0.0, idle), gathering, problem.lanes, last_lanes);
    }
    return seconds_of_halves(combining, gathering, problem.lanes, grid.most_ranks_per_host());
}

}  // namespace coll_topo::rings_past_hosts
