// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"

#include "coll_topo/algorithm/tree/grid_cycle.hpp"

namespace coll_topo {
namespace {

std::vector<std::int32_t> hosts_by_switches(const Grid& grid) {
    std::vector<std::int32_t> hosts;
    for (const std::int32_t rank : grid.ranks_by_switches()) {
        if (hosts.empty() || hosts.back() != grid.host(rank)) hosts.push_back(grid.host(rank));
    }
    return hosts;
}

std::vector<std::int32_t> hosts_on_cycle(const Grid& grid) {
    std::vector<std::int32_t> hosts;
    const GridCycle cycle(grid);
    for (int position = 0; position < grid.places(); ++position) {
        const int place = cycle.place(position);
        hosts.push_back(place);
        if (const int extra = grid.extra_host_of(place); extra >= 0) hosts.push_back(extra);
    }
    return hosts;
}

}  // namespace

RingOrders::RingOrders(const Grid& grid)
    : grid_(grid), hosts_(grid.switched() ? hosts_by_switches(grid) : hosts_on_cycle(grid)) {}

RingOrder RingOrders::through_hosts(int number, int rings, bool backwards) const {
    RingOrder order;
    order.reserve(grid_.ranks());
    for (int index = 0; index < hosts(); ++index) {
        const auto ranks = grid_.ranks_of_host(host_at(index, backwards));
        const std::size_t entry = ranks.size() * number / rings;
        order.insert(order.end(), ranks.begin() + entry, ranks.end());
        order.insert(order.end(), ranks.begin(), ranks.begin() + entry);
    }
    return order;
}

RingOrder RingOrders::past_hosts(bool backwards) const {
    RingOrder order;
    order.reserve(grid_.ranks());
    for (int number = 0; number < grid_.most_ranks_per_host(); ++number) {
        for (int index = 0; index < hosts(); ++index) {
            const auto ranks = grid_.ranks_of_host(host_at(index, backwards));
            if (number < static_cast<int>(ranks.size())) order.push_back(ranks[number]);
        }
    }
    return order;
}

std::vector<RingOrder> RingOrders::of_lanes(int lanes, int past) const {
    std::vector<RingOrder> orders;
    for (int lane = 0; lane < lanes; ++lane) {
        const bool backwards = lane % 2 == 1;
        orders.push_back(lane < past ? past_hosts(backwards) : through_hosts(lane, lanes, backwards));
    }
    return orders;
}

}  // namespace coll_topo
