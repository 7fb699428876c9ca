// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"

#include <algorithm>
#include <cmath>

namespace coll_topo::halving_doubling {

namespace {

double seconds_to_proxies(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    const double combining = combines ? bytes / problem.aggregators / grid.costs_together().reduce_bandwidth : 0;
    RankOrderCost cost(grid);
    cost.fold(bytes);
    return cost.step() + combining;
}

/// A share goes to each host of a leaf, which has one message of its own to start meanwhile, or comes from there.
double seconds_to_leaves(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    const Axis& axis = grid.axes()[0];
    const MachineCosts costs = grid.costs_together();
    const double extra_hosts = std::ceil(static_cast<double>(grid.extra_hosts()) * axis.size / grid.places());
    const double messages = combines ? axis.size - 1 : extra_hosts;
    const double share = bytes / axis.size;
    const double combining = combines ? extra_hosts * share / problem.aggregators / costs.reduce_bandwidth : 0;
    return messages * costs.message_time + std::max<double>(axis.size, extra_hosts) * share / axis.bandwidth +
           combining;
}

}  // namespace

double fold_seconds(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    return (grid.switched() ? seconds_to_leaves : seconds_to_proxies)(grid, problem, bytes, combines);
}

}  // namespace coll_topo::halving_doubling
