// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

/// Operands gathered from both sides in few steps; see widening_gather.cpp.
namespace coll_topo::widening_gather {

/// A step on a ring: how many more operands each place gets of those behind it and of those ahead.
struct Widening {
    int behind;
    int ahead;

    bool operator==(const Widening&) const = default;
};

/// The steps in which all places of a ring get all operands in the least time, if these are very short. Seconds of a
/// message: on the processor, for each hop, and on its way whatever the distance.
std::vector<Widening> widenings(int size, double message_time, double latency, double start_latency = 0);

}  // namespace coll_topo::widening_gather
