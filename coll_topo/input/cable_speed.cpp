// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/cable_speed.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/quantity.hpp"

namespace coll_topo {

Expected<void> read_cable_speed(const Statement& statement, double& bandwidth, double& latency) {
    if (statement.has("Bandwidth")) {
        ASSIGN_OR_RETURN(bandwidth, parse_bandwidth(statement.value("Bandwidth")));
    }
    if (statement.has("Latency")) {
        ASSIGN_OR_RETURN(latency, parse_latency(statement.value("Latency")));
    }
    return {};
}

}  // namespace coll_topo
