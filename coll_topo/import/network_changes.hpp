// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::importing {

/// The cables of a network between named ends, whatever the order of hosts and switches. Speeds are not part of it.
struct NamedCables {
    std::map<std::string, std::string> leaf_of_host = {};              ///< of a torus its cell's number as text
    std::map<std::pair<std::string, std::string>, int> switches = {};  ///< of a torus between hosts; smaller name first
};
NamedCables named_cables_of(const Fabric& fabric);

/// Gives the switches of a network the names that they have in another one: those with the same name keep it; leaves
/// are recognised by their hosts, and others by the switches below them.
void take_switch_names(const Fabric& named, SwitchGraph& graph, const NameTable& hosts);

/// What is different in the second network, in words: "host n05 is new". Empty if the cables are the same.
std::vector<std::string> network_changes(const Fabric& before, const Fabric& now);

}  // namespace coll_topo::importing
