// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/machine_costs.hpp"

namespace coll_topo {

// Messages cost more than is known, so that what sends more of them must be predicted to take less than a part of the
// time of what sends fewer.

/// That part for twice as many segments: less where they take processors that all hosts share. In simulations of 15
/// other networks with 1 to 4 ranks a host, where it decides they take 0.964 as long with 0.99 as with 0.97.
constexpr double more_segments_worth_it(const MachineCosts& costs) {
    return costs.shared_message_time > 0 ? 0.97 : 0.99;
}

/// For more messages at once, where they take such processors, and cables of which TCP gives them uneven parts;
/// elsewhere it is enough to be faster.
constexpr double more_at_once_worth_it(const MachineCosts& costs) {
    return costs.shared_message_time > 0 ? 0.97 : 1;
}

/// Bytes of a vector for each rank from which messages to several hosts at once get in each other's way in switches: on
/// a virtual Latin square groups of seven hosts, two on each leaf, take 1.04 to 1.14 of the time of a ring for 9 KB,
/// and 1.00 for 5 KB.
inline constexpr double crowding_bytes = 8 << 10;

/// More lanes than these must take less than that part of the time of what has no more: their blocks are short, and
/// predictions of such are within a few per cent.
inline constexpr int usual_lanes = 8;
inline constexpr double more_lanes_worth_it = 0.97;

}  // namespace coll_topo
