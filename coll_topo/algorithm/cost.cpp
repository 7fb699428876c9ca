// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost.hpp"

namespace coll_topo {

double stage_bandwidth(const Stage& stage, const Axis& axis) {
    const bool part_of_line = axis.switched && stage.radix < axis.size;
    // Messages between the hosts of a ring of two all take the same one of its cables.
    const bool ring_of_two = !axis.switched && axis.wrapped && axis.size == 2;
    return part_of_line ? axis.pair_bandwidth : ring_of_two ? axis.bandwidth / 2 : axis.bandwidth;
}

double direct_exchange_seconds(const MachineCosts& costs, const Stage& stage, const Axis& axis, double bytes,
                               int flows) {
    const int hops = axis.switched ? 1 : stage.stride * (stage.radix - 1);
    const double transfer = bytes * flows * link_load(stage, axis) / stage_bandwidth(stage, axis);
    return (stage.radix - 1) * costs.message_time + hops * axis.latency + transfer;
}

double ring_seconds(const MachineCosts& costs, const Stage& stage, const Axis& axis, double bytes, int flows) {
    const double transfer = bytes * flows * link_load(stage, axis) / axis.bandwidth;
    return (stage.radix - 1) * (costs.message_time + stage.stride * axis.latency + transfer);
}

double board_seconds(const MachineCosts& costs, int senders, double bytes) {
    return senders * (costs.message_time + bytes / costs.local_bandwidth);
}

}  // namespace coll_topo
