// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost.hpp"

namespace coll_topo {

double stage_bandwidth(const Stage& stage, const Axis& axis) {
    const bool part_of_line = axis.switched && stage.radix < axis.size;
    return part_of_line ? axis.pair_bandwidth : axis.bandwidth;
}

double direct_exchange_seconds(const Stage& stage, const Axis& axis, double bytes, int flows) {
    const int hops = axis.switched ? 1 : stage.stride * (stage.radix - 1);
    const double transfer = bytes * flows * link_load(stage, axis) / stage_bandwidth(stage, axis);
    return (stage.radix - 1) * MachineCosts::message_overhead + hops * axis.latency + transfer;
}

double ring_seconds(const Stage& stage, const Axis& axis, double bytes, int flows) {
    const double transfer = bytes * flows * link_load(stage, axis) / axis.bandwidth;
    return (stage.radix - 1) * (MachineCosts::message_overhead + stage.stride * axis.latency + transfer);
}

double board_seconds(int senders, double bytes) {
    return senders * (MachineCosts::message_overhead + bytes / MachineCosts::local_bandwidth);
}

}  // namespace coll_topo
