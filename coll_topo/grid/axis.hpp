// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace coll_topo {

/// One axis of a grid of hosts: a dimension of a torus, or what switches join.
struct Axis {
    std::string name;
    int size = 1;
    bool wrapped = false;  ///< torus: the last place is a neighbour of the first
    double bandwidth = 0;  ///< torus: bytes/s between neighbours, both cables counted where two join them
    double latency = 0;    ///< seconds between neighbours
    /// Torus: seconds that a message takes besides, however far it goes; the same for all axes.
    double start_latency = 0;
    /// Of a line that winds through a torus, where `latency` is that of the longest way between two neighbours: the
    /// mean of these ways, as part of that.
    double mean_way = 1;

    /// Through switches any two places are neighbours, and many messages share the cables of a leaf. Then `bandwidth`
    /// is what a host sends while all exchange with all others of their lines at once, and `pair_bandwidth` what it
    /// sends while each exchanges with one other, at the distance for which that is least.
    bool switched = false;
    double pair_bandwidth = 0;

    /// Bytes/s of one message to a neighbour: it takes one of the two cables of a ring of two.
    double message_bandwidth() const { return wrapped && size == 2 ? bandwidth / 2 : bandwidth; }

    /// Seconds of latency of a message over so many hops of this axis alone.
    double way_latency(double hops) const { return start_latency + hops * latency; }

    /// The same from neighbour to neighbour, on average.
    double mean_way_latency() const { return start_latency + mean_way * latency; }

    /// Exchanging with all at once spreads over cables that exchanging with some would crowd, so the axis is not cut
    /// into prime factors.
    bool undivided() const { return switched && pair_bandwidth < 0.99 * bandwidth; }
};

}  // namespace coll_topo
