// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coll_topo {

/// All ranks in the order of a ring.
using RingOrder = std::vector<std::int32_t>;

/// Several rings at once: how often all together visit each host, between once and with each rank alone, and how many
/// ranks further on each pair of rings enters.
struct RingSet {
    int rings = 0;
    int visits = 0;  ///< rings .. rings · ranks per host
    int shift = 0;
};

/// Rings past all hosts, along cycles through the grid, two without a common cable where there are (disjoint_cycles),
/// or in the order of switches.
///
///     one visit:   a0 a1 a2 a3  b0 b1 b2 b3  c0 c1 c2 c3      two:   a0 a1  b0 b1  c0 c1  a2 a3  b2 b3  c2 c3
///     entry 1:     a1 a2 a3 a0  b1 b2 b3 b0  c1 c2 c3 c0      four:  a0  b0  c0  a1  b1  c1  a2  b2  c2  a3  b3  c3
class RingOrders {
public:
    explicit RingOrders(const Grid& grid);

    /// The rings that share no cable in one direction.
    int directed_cycles() const { return 2 * static_cast<int>(hosts_.size()); }

    /// The ring along a cycle 0 .. directed_cycles()/2 - 1 that visits each host so often and enters it first with its
    /// rank number `entry`.
    RingOrder ring(int cycle, int visits, int entry) const;

    /// Every second ring is the one before it backwards; pairs take turns with the cycles.
    std::vector<RingOrder> rings(const RingSet& set) const;

    /// What to choose from for so many rings: each pair the same, from one visit to as many as a host has ranks.
    std::vector<RingSet> sets(int rings) const;

private:
    const Grid& grid_;
    std::vector<std::vector<std::int32_t>> hosts_;  // by cycle
};

/// Whether in no two of the rings a rank is followed by the same one.
bool have_different_neighbours(const std::vector<RingOrder>& rings);

/// Why several rings at once gain nothing here; empty if they may.
std::string why_no_rings(const Grid& grid);
/// The rings to consider where each lane has one.
std::vector<int> rings_of_lanes(const Grid&);

}  // namespace coll_topo
