// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// How many hops it is to the farthest member of a group.
int farthest_hops(const Stage& stage, const Axis& axis) {
    if (axis.switched) return 1;
    if (!axis.wrapped) return stage.stride * (stage.radix - 1);
    int farthest = 0;
    for (int member = 1; member < stage.radix; ++member) {
        const int forward = stage.stride * member;
        farthest = std::max(farthest, std::min(forward, axis.size - forward));
    }
    return farthest;
}

}  // namespace

double stage_bandwidth(const Stage& stage, const Axis& axis) {
    const bool part_of_line = axis.switched && stage.radix < axis.size;
    // Messages between the hosts of a ring of two all take the same one of its cables.
    const bool ring_of_two = !axis.switched && axis.wrapped && axis.size == 2;
    return part_of_line ? axis.pair_bandwidth : ring_of_two ? axis.bandwidth / 2 : axis.bandwidth;
}

double direct_exchange_seconds(const MachineCosts& costs, const Stage& stage, const Axis& axis, double bytes,
                               int flows) {
    const int hops = farthest_hops(stage, axis);
    const double transfer = bytes * flows * link_load(stage, axis) / stage_bandwidth(stage, axis);
    return (stage.radix - 1) * costs.message_time + axis.way_latency(hops) + transfer;
}

double ring_seconds(const MachineCosts& costs, const Stage& stage, const Axis& axis, double bytes, int flows) {
    const double transfer = bytes * flows * link_load(stage, axis) / axis.bandwidth;
    return (stage.radix - 1) * (costs.message_time + axis.way_latency(stage.stride) + transfer);
}

double board_seconds(const MachineCosts& costs, int senders, double bytes) {
    return senders * (costs.message_time + bytes / costs.local_bandwidth);
}

}  // namespace coll_topo
