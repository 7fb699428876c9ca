// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/machine_costs.hpp"

namespace coll_topo {

// Messages cost more than is known, so that what sends more of them must be predicted to take less than a part of the
// time of what sends fewer.

/// That part for twice as many segments.
inline constexpr double more_segments_worth_it = 0.97;

/// For more lanes where their messages take processors that all hosts share; elsewhere it is enough to be faster.
constexpr double more_lanes_worth_it(const MachineCosts& costs) {
    return costs.shared_message_time > 0 ? 0.99 : 1;
}

}  // namespace coll_topo
