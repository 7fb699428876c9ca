// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"

#include "coll_topo/algorithm/by_rank/packed_cycle.hpp"
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>

namespace coll_topo {
namespace {

using Hosts = std::vector<std::int32_t>;

Hosts places_on_cycle(const Grid& grid) {
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

/// Of the hosts, from which a better one is looked for.
Hosts first_order(const Grid& grid) {
    if (grid.switched()) return hosts_by_switches(grid);
    Hosts hosts(grid.hosts());
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

/// How often the ranks of a host get what they receive from each other, by number.
class MovesWithinHost {
public:
    explicit MovesWithinHost(int ranks) : times_(ranks, 0) {}

    /// Adds a ring whose data goes forwards, backwards or both ways. Gives the number at which it should enter, so that
    /// those move who have moved least.
    int add(int visits, std::span<const bool> backwards) {
        int best = 0, least = std::numeric_limits<int>::max();
        for (int entry = 0; entry < ranks(); ++entry) {
            int before = 0;
            for (const bool way : backwards) {
                for_moved(visits, entry, way, [&](int number) { before += times_[number]; });
            }
            if (before < least) best = entry;
            least = std::min(least, before);
        }
        for (const bool way : backwards) {
            for_moved(visits, best, way, [&](int number) { ++times_[number]; });
        }
        return best;
    }

private:
    int ranks() const { return static_cast<int>(times_.size()); }

    /// All but the first of each visit, or the last, if the ring goes backwards.
    template <typename Moved>
    void for_moved(int visits, int entry, bool backwards, Moved&& moved) const {
        for (int visit = 0; visit < visits; ++visit) {
            const int begin = ranks() * visit / visits, end = ranks() * (visit + 1) / visits;
            for (int index = begin; index + 1 < end; ++index) moved((index + (backwards ? 0 : 1) + entry) % ranks());
        }
    }

    std::vector<int> times_;
};

}  // namespace

std::vector<std::int32_t> hosts_by_switches(const Grid& grid) {
    std::vector<std::int32_t> hosts;
    for (const std::int32_t rank : grid.ranks_by_switches()) {
        if (hosts.empty() || hosts.back() != grid.host(rank)) hosts.push_back(grid.host(rank));
    }
    return hosts;
}

RingOrders::RingOrders(const Grid& grid) : grid_(grid) {
    if (cycle_can_be_packed(grid)) {
        hosts_ = grid.cycles([&] { return std::vector<Hosts>{packed_cycle(grid, first_order(grid))}; });
        return;
    }
    if (grid.switched()) {
        hosts_.push_back(hosts_by_switches(grid));
        return;
    }
    const auto& cycles = grid.cycles([&] { return disjoint_cycles(grid); });
    for (const auto& places : cycles) hosts_.push_back(with_extra_hosts(grid, places));
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

std::vector<RingOrder> RingOrders::of_lanes(int lanes, int visits, RingWays ways) const {
    constexpr std::array both = {false, true};
    const bool both_ways = ways == RingWays::both;
    std::vector<RingOrder> orders;
    MovesWithinHost moves(grid_.most_ranks_per_host());
    for (int lane = 0; lane < lanes; ++lane) {
        const int of_lane = visits / lanes + (lane < visits % lanes ? 1 : 0), second = lane % 2;
        const int entry = moves.add(of_lane, both_ways ? std::span(both) : std::span(both).subspan(second, 1));
        orders.push_back(ring((both_ways ? lane : lane / 2) % cycles(), of_lane, entry));
        if (second == 1) std::ranges::reverse(orders.back());
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

std::string why_no_rings(const Grid& grid, RingWays ways) {
    // With more, the steps of a ring take longer than anything else.
    constexpr int most_ranks = 1 << 13;
    if (grid.ranks() > most_ranks) return "made for at most " + std::to_string(most_ranks) + " ranks";
    if (ways == RingWays::both || grid.most_ranks_per_host() > 1) return {};
    if (grid.switched()) return "one rank on each host";
    return lacks_cycle(grid) && !cycle_can_be_packed(grid) ? "one rank on each host, and no cycle past all" : "";
}

std::vector<int> rings_of_lanes(const Grid&, Collective) {
    return {4};
}

}  // namespace coll_topo
