// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/call.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo {

/// All ranks in the order of a ring.
using RingOrder = std::vector<std::int32_t>;

/// The hosts in the order of Grid::ranks_by_switches().
std::vector<std::int32_t> hosts_by_switches(const Grid& grid);

/// How data goes round a ring: the way of its order, past all ranks, or half of it each way, past half of them.
enum class RingWays : std::uint8_t { one, both };

/// Rings past all hosts, along cycles through the grid, several without a common cable where there are
/// (disjoint_cycles), or in the order of switches. Where these would cross cables more than once (lacks_cycle()), along
/// a packed_cycle().
///
///     one visit:   a0 a1 a2 a3  b0 b1 b2 b3  c0 c1 c2 c3      two:   a0 a1  b0 b1  c0 c1  a2 a3  b2 b3  c2 c3
///     entry 1:     a1 a2 a3 a0  b1 b2 b3 b0  c1 c2 c3 c0      four:  a0  b0  c0  a1  b1  c1  a2  b2  c2  a3  b3  c3
class RingOrders {
public:
    explicit RingOrders(const Grid& grid);

    /// Cycles without a common cable.
    int cycles() const { return static_cast<int>(hosts_.size()); }

    /// All hosts in the order of a cycle.
    const std::vector<std::int32_t>& hosts(int cycle) const { return hosts_[cycle]; }

    /// The ring along a cycle that visits each host so often and enters it first with its rank number `entry`.
    RingOrder ring(int cycle, int visits, int entry) const;

    /// A ring for each lane, every second one backwards, which visit each host so often in all, `lanes` times or more,
    /// and enter hosts where the ranks of a host then move equally much within it. They take turns with the cycles:
    /// those of one way in pairs.
    std::vector<RingOrder> of_lanes(int lanes, int visits, RingWays ways) const;

    /// What to choose from, ascending: once for each lane, to as often as there are ranks on a host.
    std::vector<int> visit_counts(int lanes) const;

private:
    const Grid& grid_;
    std::vector<std::vector<std::int32_t>> hosts_;  // by cycle
};

/// Of the rings that `rings_with` gives for each of these numbers of visits, those that take least time.
template <typename RingsWith, typename Seconds>
auto fastest_with_visits(const std::vector<int>& visit_counts, RingsWith&& rings_with, Seconds&& seconds_with) {
    decltype(rings_with(0)) fastest;
    double least = 0;
    for (const int visits : visit_counts) {
        auto rings = rings_with(visits);
        const double seconds = seconds_with(rings);
        if (!fastest.empty() && seconds >= least) continue;
        least = seconds;
        fastest = std::move(rings);
    }
    return fastest;
}

/// The rings, one for each lane, that take least time.
template <typename Seconds>
std::vector<RingOrder> fastest_rings(const Grid& grid, int lanes, RingWays ways, Seconds&& seconds_with) {
    const RingOrders orders(grid);
    const auto rings_with = [&](int visits) { return orders.of_lanes(lanes, visits, ways); };
    return fastest_with_visits(orders.visit_counts(lanes), rings_with, seconds_with);
}

/// Why rings gain nothing here, those of one way with several at once; empty if they may.
std::string why_no_rings(const Grid& grid, RingWays ways);
/// The rings to consider where each lane has one.
std::vector<int> rings_of_lanes(const Grid&, Collective);

}  // namespace coll_topo
