// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <hwloc.h>
#include <cstdint>
#include <string>
#include <vector>

namespace coll_topo {

/// The info attribute of the machine object in which an administrator may write the host's coordinates:
/// hwloc-annotate machine.xml machine.xml root info CollTopoCoord 3,1,0
inline constexpr const char* coordinate_attribute = "CollTopoCoord";

/// The coordinates in the attribute, first dimension first; empty without it. Fails on what is not a list of numbers.
Expected<std::vector<int>> annotated_coordinates(hwloc_topology_t topology);

/// A name by which the network knows this host.
struct NetworkAddress {
    std::string device;     ///< as the operating system calls it, such as eth0 or mlx5_0
    std::string attribute;  ///< Address, NodeGUID, SysImageGUID, or PortxGIDy for port x and index y
    std::string value;
};

/// The addresses of the network devices of the host, in the order of hwloc. Empty if the topology was loaded without
/// I/O devices.
std::vector<NetworkAddress> network_addresses(hwloc_topology_t topology);

/// The parts of a host that hold all of a binding, by hwloc logical index. `unbound` where none does: the binding is
/// spread over several, or the machine has no such part.
struct HostPosition {
    static constexpr std::uint16_t unbound = 0xffff;

    std::uint16_t package = unbound;
    std::uint16_t numa = unbound;
    std::uint16_t l3 = unbound;
    std::uint16_t core = unbound;
};

/// Where a process bound to the processing units `binding` runs; a null or empty binding is nowhere.
HostPosition locate(hwloc_topology_t topology, hwloc_const_cpuset_t binding);

}  // namespace coll_topo
