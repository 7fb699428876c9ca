// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/stages.hpp"

namespace coll_topo {

/// What the file does not say about a machine. Seconds and bytes/s; typical of a current cluster node.
struct MachineCosts {
    static constexpr double message_overhead = 1.0e-6;  ///< software time to send and receive one message
    static constexpr double local_bandwidth = 6.0e9;    ///< between two ranks of one host
    static constexpr double reduce_bandwidth = 8.0e9;   ///< combining operands, per rank
    static constexpr double copy_bandwidth = 10.0e9;    ///< moving data within a rank
};

/// Bytes/s of the links of a stage; through switches, what a host gets of them.
double stage_bandwidth(const Stage& stage, const Axis& axis);

/// Seconds of a stage in which every rank sends `bytes` to each other member of its group, `flows` ranks of each host
/// at once.
double direct_exchange_seconds(const Stage& stage, const Axis& axis, double bytes, int flows);

/// Seconds of passing `radix-1` pieces of `bytes` round the ring of a stage.
double ring_seconds(const Stage& stage, const Axis& axis, double bytes, int flows);

/// Seconds in which one rank of a board receives `bytes` from each of `senders` others, one after the other.
double board_seconds(int senders, double bytes);

}  // namespace coll_topo
