// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/cable_speed.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/quantity.hpp"

namespace coll_topo {

Expected<void> read_cable_speed(const Statement& statement, double& bandwidth, double& latency) {
    if (statement.has(Key::bandwidth)) {
        ASSIGN_OR_RETURN(const auto given, parse_bandwidth(statement.value(Key::bandwidth)));
        bandwidth = given;
    }
    if (statement.has(Key::latency)) {
        ASSIGN_OR_RETURN(const auto given, parse_latency(statement.value(Key::latency)));
        latency = given;
    }
    return {};
}

}  // namespace coll_topo
