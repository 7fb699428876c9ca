// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost.hpp"

namespace coll_topo {

double direct_exchange_seconds(const Stage& stage, const Axis& axis, double bytes, int flows) {
    const int hops = stage.stride * (stage.radix - 1);
    const double transfer = bytes * flows * link_load(stage, axis) / axis.bandwidth;
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
