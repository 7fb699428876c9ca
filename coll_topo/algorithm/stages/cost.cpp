// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/stages/cost.hpp"

namespace coll_topo {

double stage_bandwidth(const Stage& stage, const Axis& axis) {
    const bool part_of_line = axis.switched && stage.radix < axis.size;
    // Messages to different places take different cables where it matters to how many a host sends.
    return part_of_line ? std::min(axis.bandwidth, (stage.radix - 1) * axis.pair_bandwidth) : axis.message_bandwidth();
}

double exchange_seconds(const MachineCosts& costs, const Stage& stage, const StageWay& way, double bytes, int flows) {
    const double message = way.latency + bytes * flows * way.per_byte;
    if (stage.direct) return (stage.radix - 1) * costs.message_time + message;
    return (stage.radix - 1) * (costs.message_time + message);
}

double overlap_seconds(const Grid& grid, const Stage& stage, const StageWay& way, double bytes, bool combines) {
    if (grid.switched() || !stage.direct || stage.radix == 2) return 0;
    const Axis& axis = grid.axes()[stage.axis];
    const double beyond_nearest =
        way.latency - axis.way_latency(stage.stride) + bytes * (way.per_byte - 1 / axis.bandwidth);
    const double early = combines ? stage.radix - 2 : (stage.radix - 3) / 2.0;
    return std::max(0.0, std::min(early * grid.costs().message_time, beyond_nearest));
}

double switched_stage_seconds(int lanes, const SwitchedStage& stage) {
    const double work = stage.messages * stage.start + stage.combining;
    const double alone = started_in_turn_seconds(stage.messages, stage.start, stage.transfer) + stage.combining;
    return alone + std::max(stage.latency, (lanes - 1) * std::max(stage.transfer, work));
}

double started_in_turn_seconds(int messages, double start, double transfer) {
    if (messages == 0) return 0;
    return start + std::max(transfer, (messages - 1) * start + transfer / messages);
}

double combined_and_gathered_seconds(double combining, double idle, double gathering, int lanes, int last_lanes) {
    const double early = std::max(0.0, 1 - static_cast<double>(last_lanes) / lanes);
    return combining + gathering - std::min(idle, early * gathering);
}

double within_host_seconds(const MachineCosts& costs, int senders, double bytes) {
    return senders * (costs.local_message() + bytes / costs.local_bandwidth);
}

}  // namespace coll_topo
