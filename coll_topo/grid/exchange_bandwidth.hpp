// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace coll_topo {

/// How hosts stand along one axis, for exchange_bandwidth().
struct Lines {
    std::span<const std::int32_t> host_at;                ///< by place: host of the fabric
    int size;                                             ///< places on a line
    std::function<int(int place)> coordinate;             ///< 0 .. size-1
    std::function<int(int place, int coordinate)> along;  ///< the place with that coordinate on the same line
};

/// What a host can send, bytes/s, and how long its messages take at least, seconds; see Axis.
struct ExchangeBandwidth {
    double with_all = 0;
    double with_one = 0;
    double latency = 0;  ///< of the longest way of the first place
};

/// Follows the routes of the network and counts messages on every link. Where these would be many millions, it counts
/// only those from some leaves, which is right for the cables up from them. 0 where no link's bandwidth is known.
ExchangeBandwidth exchange_bandwidth(LinkGraph& network, const SwitchGraph& graph, const Lines& lines);

}  // namespace coll_topo
