// SPDX-License-Identifier: BSD-3-Clause
//
// What goes through the memory of hosts, and what over links that are slower or faster than that.
#pragma once

#include "coll_topo/schedule/program.hpp"
#include "test/grid/torus_fixture.hpp"

#include <cstdint>
#include <string>

namespace coll_topo::test {

/// A 4x3 torus with so many ranks a host, and links of so many bytes/s.
inline Grid grid_with(double bandwidth, int ranks_per_host) {
    Fabric fabric{{}, Torus("t", {{4, true, bandwidth, 1e-6}, {3, true, bandwidth, 1e-6}}, Tie::parity), {}};
    for (int host = 0; host < 12; ++host) fabric.hosts.add("n" + std::to_string(host));
    return Grid::from_torus(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

inline constexpr double slow = 0.1e9, fast = 1e12;  // bytes/s, where a rank moves 6e9 within its host

/// What a rank gets in messages.
struct Received {
    std::int64_t within_host = 0;  // blocks
    std::int64_t in_all = 0;
};

inline Received received(const Grid& grid, const Program& program, int rank) {
    Received blocks;
    for (const Action& action : program.actions) {
        if (!is_receive(action)) continue;
        blocks.in_all += action.count;
        if (grid.host(action.peer) == grid.host(rank)) blocks.within_host += action.count;
    }
    return blocks;
}

}  // namespace coll_topo::test
