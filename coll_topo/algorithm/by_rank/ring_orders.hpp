// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// All ranks in the order of a ring.
using RingOrder = std::vector<std::int32_t>;

/// Rings that pass hosts along a cycle through the grid, or in the order of switches, one way or the other.
///
///     through hosts, entry 0:  a0 a1 a2  b0 b1 b2  c0 c1 c2      past hosts:  a0 b0 c0  a1 b1 c1  a2 b2 c2
///     entry 1:                 a1 a2 a0  b1 b2 b0  c1 c2 c0
class RingOrders {
public:
    explicit RingOrders(const Grid& grid);

    /// From rank to rank of a host, then to the next host; rings number 0 .. rings-1 enter hosts at different ranks.
    RingOrder through_hosts(int number, int rings, bool backwards) const;
    /// From host to host, with one rank of each, then with the next one.
    RingOrder past_hosts(bool backwards) const;

    /// Rings of which the first `past` pass hosts; every second one goes backwards.
    std::vector<RingOrder> of_lanes(int lanes, int past) const;

private:
    int hosts() const { return static_cast<int>(hosts_.size()); }
    std::int32_t host_at(int index, bool backwards) const { return hosts_[backwards ? hosts() - 1 - index : index]; }

    const Grid& grid_;
    std::vector<std::int32_t> hosts_;
};

/// How many, 0 .. most, should pass hosts, so that seconds(past) is least.
template <typename Seconds>
int best_past(int most, Seconds&& seconds) {
    int best = 0;
    double least = seconds(0);
    for (int past = 1; past <= most; ++past) {
        const double other = seconds(past);
        if (other >= least) continue;
        least = other;
        best = past;
    }
    return best;
}

}  // namespace coll_topo
