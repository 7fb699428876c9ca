// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/stage_way.hpp"

namespace coll_topo {

/// Bytes/s of the links of a stage; through switches, what a host gets of them.
double stage_bandwidth(const Stage& stage, const Axis& axis);

/// Seconds of a stage in which every rank sends `bytes` to each other member of its group, all at once, or passes as
/// many pieces round its ring, `flows` ranks of each host at once.
double exchange_seconds(const MachineCosts& costs, const Stage& stage, const StageWay& way, double bytes, int flows);

/// Seconds in which one rank of a board receives `bytes` from each of `senders` others, one after the other.
double board_seconds(const MachineCosts& costs, int senders, double bytes);

}  // namespace coll_topo
