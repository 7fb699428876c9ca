// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/import/wiring.hpp"

#include <string>
#include <vector>

namespace coll_topo::importing {

/// A network as lines of a topology file (coll-topo.conf(5)), without routes and costs of the machine. Reading it gives
/// the same hosts, switches and cables.
std::string topology_text(const Fabric& fabric);

/// HostAddress lines of the hosts of a network.
std::string host_address_lines(const NameTable& hosts, const AddressesOfHosts& addresses);

/// The Link lines of some cables between switches.
std::string link_lines(const NameTable& switches, std::vector<SwitchLink> links);

/// A value with all its digits: "12.5GB/s", "0.2us".
std::string exact_bandwidth(double bytes_per_second);
std::string exact_latency(double seconds);

}  // namespace coll_topo::importing
