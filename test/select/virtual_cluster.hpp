// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/input/topology_file.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace coll_topo::test {

/// All hosts of a topology file.
inline Grid grid_of(const std::string& text, int ranks_per_host = 1) {
    const auto file = read_topology_text(text, "test.conf");
    EXPECT_TRUE(file) << file.error().text();
    return Grid::from_fabric(file->fabric, ranks_on_all(file->fabric, ranks_per_host)).value();
}

/// A network with the costs that scripts/cluster writes, but for what a message takes of the processors of all hosts.
inline Grid virtual_network(const std::string& lines, int message_microseconds, int ranks_per_host) {
    return grid_of(lines + "Machine MessageTime=9.4us LocalMessageTime=4us SharedMessageTime=" +
                       std::to_string(message_microseconds) + "us LinkBurst=5257B EagerLimit=16MiB\n",
                   ranks_per_host);
}

/// Four leaves of four hosts, with so many cables from each leaf to each of two spines.
inline Grid virtual_tree(int cables, int message_microseconds, int ranks_per_host = 1) {
    return virtual_network(
        "SwitchName=leaf1 Nodes=n[00-03]\nSwitchName=leaf2 Nodes=n[04-07]\n"
        "SwitchName=leaf3 Nodes=n[08-11]\nSwitchName=leaf4 Nodes=n[12-15]\n"
        "Link From=leaf[1-4] To=spine[1-2] Count=" +
            std::to_string(cables) + " Bandwidth=25Mbit/s Latency=8us\nHostLink Bandwidth=25Mbit/s Latency=80us\n",
        message_microseconds, ranks_per_host);
}

inline Grid virtual_torus(int ranks_per_host = 1) {
    return virtual_network(
        "TorusName=torus Dims=4x4 Wrap=yy Nodes=n[00-15] Bandwidth=25Mbit/s Latency=8us\nHostLink Latency=80us\n", 15,
        ranks_per_host);
}

/// Seven leaves of two hosts.
inline Grid virtual_latin_square() {
    return virtual_network(
        "LatinSquareName=square Order=2 HostsPerLeaf=2 Nodes=n[00-13] Bandwidth=25Mbit/s Latency=8us\n"
        "HostLink Bandwidth=25Mbit/s Latency=80us\n",
        18, 1);
}

}  // namespace coll_topo::test
