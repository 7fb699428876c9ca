// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/stages/stage_way.hpp"

#include <algorithm>

namespace coll_topo {

/// Bytes/s of the links of a stage; through switches, what a host gets of them.
double stage_bandwidth(const Stage& stage, const Axis& axis);

/// Messages of a rank in progress at once, one in each lane. Its one processor starts them and combines what they
/// bring, in turn, and works on one lane while the messages of others travel.
struct LaneWave {
    double work;    ///< seconds of the processor, for one lane
    double travel;  ///< seconds until a message has arrived

    /// From one wave to the next.
    double seconds(int lanes) const { return std::max(work + travel, lanes * work); }
    /// How much later than that the last lane ends if all begin together.
    double lag(int lanes) const { return std::min(travel, (lanes - 1) * work); }
};

/// Seconds of a stage in which every rank sends `bytes` to each other member of its group, all at once, or passes as
/// many pieces round its ring, with `flows` ranks of each host at once.
double exchange_seconds(const MachineCosts& costs, const Stage& stage, const StageWay& way, double bytes, int flows);

/// Seconds of that in which the rank still starts messages, or combines what the first ones brought, while others are
/// on their way. Neighbours come last in each direction, and the two directions of a ring or line use different links.
double overlap_seconds(const Grid& grid, const Stage& stage, const StageWay& way, double bytes, bool combines);

/// A stage through switches of one lane: a rank starts so many messages one after the other, `start` seconds each, its
/// port needs `transfer` seconds for all of them, and then it combines what they bring.
struct SwitchedStage {
    double latency;
    double transfer;
    int messages;
    double start;
    double combining;
};
/// Seconds of the stage, where all lanes use the same port: for each of them in turn a transfer, and work of the rank,
/// which is done while the next one is transferred.
double switched_stage_seconds(int lanes, const SwitchedStage& stage);

/// Seconds of messages that a rank starts one after the other, `start` seconds each, while those before travel; links
/// need `transfer` seconds for all of them.
double started_in_turn_seconds(int messages, double start, double transfer);

/// Seconds of an allreduce, or reduce, whose lanes combine, and then gather. A rank serves its first lanes before the
/// others, so that their results travel while it still combines for these, over links that are idle then: so many of
/// the seconds of the first half. The last lanes end together: of an allreduce, in simulations, three.
double combined_and_gathered_seconds(double combining, double idle, double gathering, int lanes, int last_lanes = 3);

/// Seconds in which one rank of a host receives `bytes` from each of `senders` others, one after the other.
double within_host_seconds(const MachineCosts& costs, int senders, double bytes);

}  // namespace coll_topo
