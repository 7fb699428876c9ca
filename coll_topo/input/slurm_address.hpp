// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// Where a node is in the network as Slurm tells its tasks: SLURM_TOPOLOGY_ADDR with SLURM_TOPOLOGY_ADDR_PATTERN.
struct SlurmAddress {
    /// From the top; a level may have several switches above the node, as in "spine[0-3].leaf1.n17", or none.
    std::vector<std::vector<std::string>> switches = {};
    std::string node = {};
};

/// Reads both variables (topology_p_get_node_addr() in src/plugins/topology of Slurm): the pattern is "switch." for
/// each level and "node", or "block.node", or "node" alone; the address has as many parts. Names of nodes may have
/// dots.
Expected<SlurmAddress> parse_slurm_address(std::string_view address, std::string_view pattern);

/// The switches above some nodes, each node once; hosts are in the order of the nodes. All switches of a level that are
/// above a node are above those of the next level. Nodes that are below several switches of the lowest level are
/// connected to one that stands for these. Speeds are not known.
Expected<Fabric> tree_of_addresses(std::span<const SlurmAddress> nodes);

}  // namespace coll_topo
