// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/grid/grid.hpp"

#include <string>
#include <vector>

namespace coll_topo::test {

/// A torus (or mesh) whose links are all alike, with hosts n0, n1, …
inline Fabric equal_torus(const std::vector<int>& sizes, bool wrapped = true) {
    std::vector<TorusDimension> dimensions;
    int hosts = 1;
    for (const int size : sizes) {
        dimensions.push_back({size, wrapped, 1e9, 1e-6});
        hosts *= size;
    }
    Fabric fabric{{}, Torus("equal", dimensions, Tie::parity), {}};
    for (int host = 0; host < hosts; ++host) fabric.hosts.add("n" + std::to_string(host));
    return fabric;
}

/// `ranks_per_host` consecutive ranks on each of the hosts.
inline Placement ranks_on(const std::vector<int>& hosts, int ranks_per_host = 1) {
    Placement placement;
    for (const int host : hosts) {
        for (int i = 0; i < ranks_per_host; ++i) {
            RankLocation location;
            location.host = host;
            placement.push_back(location);
        }
    }
    return placement;
}

/// The same on every host of the fabric.
inline Placement ranks_on_all(const Fabric& fabric, int ranks_per_host = 1) {
    std::vector<int> hosts;
    for (int host = 0; host < fabric.hosts.size(); ++host) hosts.push_back(host);
    return ranks_on(hosts, ranks_per_host);
}

inline Grid full_grid(const std::vector<int>& sizes, int ranks_per_host = 1, bool wrapped = true) {
    const Fabric fabric = equal_torus(sizes, wrapped);
    return Grid::from_torus(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

}  // namespace coll_topo::test
