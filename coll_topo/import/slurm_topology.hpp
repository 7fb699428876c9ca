// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/import/recognition.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::importing {

struct SlurmSwitch {
    std::string name;
    std::vector<std::string> nodes = {};
    std::vector<std::string> children = {};
    SourceLocation where = {};
};

struct SlurmBlock {
    std::string name;
    std::vector<std::string> nodes = {};
    SourceLocation where = {};
};

/// Nodes of a box of cells, first dimension fastest.
struct SlurmRegion {
    std::array<int, 3> anchor = {};
    std::array<int, 3> sizes = {};
    std::vector<std::string> nodes = {};
    SourceLocation where = {};
};

struct SlurmTorus {
    std::string name;
    std::array<int, 3> sizes = {};
    std::vector<SlurmRegion> regions = {};
    SourceLocation where = {};
};

/// One topology as Slurm has it, of one of its plugins; the lists of the others are empty.
struct SlurmTopology {
    std::string name = {};    ///< in topology.yaml
    bool is_default = false;  ///< in topology.yaml: cluster_default
    bool is_flat = false;
    std::vector<SlurmSwitch> switches = {};
    std::vector<SlurmBlock> blocks = {};
    std::vector<int> block_sizes = {};  ///< nodes of a block and of each larger group of blocks, ascending
    std::vector<SlurmTorus> tori = {};
    std::vector<SlurmBlock> rings = {};
    SourceLocation where = {};
};

/// Nodes of slurm.conf in their order.
struct SlurmNodes {
    std::vector<std::string> nodes = {};
    std::map<std::string, std::string> host_of_node = {};  ///< NodeName -> NodeHostName
    AddressesOfHosts addresses = {};                       ///< those of NodeAddr that are IP addresses
    bool is_3d_torus = false;  ///< TopologyPlugin=topology/3d_torus: names of nodes end in coordinates

    /// What a node calls itself.
    std::string host_of(const std::string& node) const {
        const auto known = host_of_node.find(node);
        return known == host_of_node.end() ? node : known->second;
    }
};

/// Whether a text looks like topology.conf, or what `scontrol show topology` prints; topology.yaml; slurm.conf.
bool is_slurm_topology(std::string_view text);
bool is_slurm_yaml(std::string_view text);
bool is_slurm_conf(std::string_view text);

/// Reads topology.conf of the plugins topology/tree, block and ring (topology.conf(5) of Slurm), and what
/// `scontrol show topology` prints of these and of torus3d (_print_topo_record() in src/plugins/topology/*).
Expected<SlurmTopology> read_slurm_topology(std::string_view text, const std::string& file);

/// Reads topology.yaml(5): all topologies in it, each of one plugin.
Expected<std::vector<SlurmTopology>> read_slurm_yaml(std::string_view text, const std::string& file);

/// Reads the NodeName lines of slurm.conf(5), with NodeHostName and NodeAddr, and TopologyPlugin.
Expected<SlurmNodes> read_slurm_conf(std::string_view text, const std::string& file);

/// The network of a topology; blocks are leaves, and groups of blocks the switches above them.
Expected<RecognisedNetwork> network_of(const SlurmTopology& topology, const SlurmNodes& nodes);

/// The parts of it that are tori.
Expected<RecognisedNetwork> torus3d_network(const SlurmTorus& torus, const SlurmNodes& nodes);
Expected<RecognisedNetwork> ring_network(const SlurmBlock& ring, const SlurmNodes& nodes);

/// The torus of Slurm's old topology/3d_torus: the last three characters of a node's name are its coordinates, digits
/// to base 36 (select_char2coord() and hilbert_slurm.c in Slurm up to 20.02).
Expected<RecognisedNetwork> network_of_3d_torus(const SlurmNodes& nodes, const std::string& file);

}  // namespace coll_topo::importing
