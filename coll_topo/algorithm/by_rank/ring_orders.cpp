// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"

#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

std::vector<std::int32_t> hosts_by_switches(const Grid& grid) {
    std::vector<std::int32_t> hosts;
    for (const std::int32_t rank : grid.ranks_by_switches()) {
        if (hosts.empty() || hosts.back() != grid.host(rank)) hosts.push_back(grid.host(rank));
    }
    return hosts;
}

std::vector<std::int32_t> places_on_cycle(const Grid& grid) {
    std::vector<std::int32_t> places;
    const GridCycle cycle(grid);
    for (int position = 0; position < grid.places(); ++position) places.push_back(cycle.place(position));
    return places;
}

/// Extra hosts follow their proxies.
std::vector<std::int32_t> with_extra_hosts(const Grid& grid, const std::vector<std::int32_t>& places) {
    std::vector<std::int32_t> hosts;
    for (const std::int32_t place : places) {
        hosts.push_back(place);
        if (const int extra = grid.extra_host_of(place); extra >= 0) hosts.push_back(extra);
    }
    return hosts;
}

}  // namespace

RingOrders::RingOrders(const Grid& grid) : grid_(grid) {
    if (grid.switched()) {
        hosts_.push_back(hosts_by_switches(grid));
        return;
    }
    for (const auto& places : disjoint_cycles(grid)) hosts_.push_back(with_extra_hosts(grid, places));
    if (hosts_.empty()) hosts_.push_back(with_extra_hosts(grid, places_on_cycle(grid)));
}

RingOrder RingOrders::ring(int cycle, int visits, int entry) const {
    RingOrder order;
    order.reserve(grid_.ranks());
    for (std::size_t visit = 0; visit < static_cast<std::size_t>(visits); ++visit) {
        for (const std::int32_t host : hosts_[cycle]) {
            const auto ranks = grid_.ranks_of_host(host);
            const std::size_t end = ranks.size() * (visit + 1) / visits;
            for (std::size_t index = ranks.size() * visit / visits; index < end; ++index) {
                order.push_back(ranks[(index + entry) % ranks.size()]);
            }
        }
    }
    return order;
}

std::vector<RingOrder> RingOrders::of_lanes(int lanes, int visits) const {
    std::vector<RingOrder> orders;
    const int pairs = (lanes + 1) / 2, shift = grid_.most_ranks_per_host() / pairs;
    for (int lane = 0; lane < lanes; ++lane) {
        const int pair = lane / 2, once_more = lane < visits % lanes ? 1 : 0;
        orders.push_back(ring(pair % cycles(), visits / lanes + once_more, pair * shift));
        if (lane % 2 == 1) std::ranges::reverse(orders.back());
    }
    return orders;
}

std::vector<int> RingOrders::visit_counts(int lanes) const {
    // Twice the visits of a lane: one more, so that every second pair has it, then in steps that grow.
    constexpr int few = 8;
    const int most = 2 * grid_.most_ranks_per_host();
    std::vector<int> counts;
    for (int twice = 2; twice < most; twice += twice < few ? 1 : twice / 2) counts.push_back(lanes * twice / 2);
    counts.push_back(lanes * most / 2);
    return counts;
}

std::string why_no_rings(const Grid& grid) {
    // With more, the steps of a ring take longer than anything else.
    constexpr int most_ranks = 1 << 13;
    if (grid.ranks() > most_ranks) return "made for at most " + std::to_string(most_ranks) + " ranks";
    if (grid.most_ranks_per_host() > 1 || has_disjoint_cycles(grid)) return {};
    return grid.switched() ? "one rank on each host"
                           : "one rank on each host, and no two cycles without a common cable";
}

std::vector<int> rings_of_lanes(const Grid&) {
    return {4};
}

}  // namespace coll_topo
