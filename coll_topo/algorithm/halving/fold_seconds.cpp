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

/// An extra host has a message to each host of a leaf, where these have one to each other member of their first stage,
/// and get one of each extra host more. In the first stage all the data but what a member keeps pass the ports anyway.
double seconds_to_leaves(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    const Axis& axis = grid.axes()[0];
    const MachineCosts costs = grid.costs_together();
    const double extra_hosts = std::ceil(static_cast<double>(grid.extra_hosts()) * axis.size / grid.places());
    const StageOrder stage_order(grid, 0);
    const int members = stage_order.stages().front().radix;
    const double messages = combines ? axis.size - (members - 1) : extra_hosts;
    const double share = bytes / axis.size;
    const double combining = combines ? extra_hosts * share / problem.aggregators / costs.reduce_bandwidth : 0;
    return messages * costs.message_time + std::max(bytes / members, extra_hosts * share) / axis.bandwidth + combining;
}

}  // namespace

double fold_seconds(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    return (grid.switched() ? seconds_to_leaves : seconds_to_proxies)(grid, problem, bytes, combines);
}

}  // namespace coll_topo::halving_doubling
