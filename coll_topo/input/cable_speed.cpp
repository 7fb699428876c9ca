// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/cable_speed.hpp"

#include "coll_topo/input/quantity.hpp"

namespace coll_topo {

Expected<void> read_cable_speed(const Statement& statement, double& bandwidth, double& latency) {
    if (statement.has(Key::bandwidth)) {
        const auto given = parse_bandwidth(statement.value(Key::bandwidth));
        if (!given) return tl::unexpected<Error>(given.error());
        bandwidth = *given;
    }
    if (statement.has(Key::latency)) {
        const auto given = parse_latency(statement.value(Key::latency));
        if (!given) return tl::unexpected<Error>(given.error());
        latency = *given;
    }
    return {};
}

}  // namespace coll_topo
