// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace coll_topo::importing {

/// A network of imagined devices, from which the tests make what the tools of a site would print.
struct SampleNetwork {
    struct Switch {
        std::string name;
        int ports = 0;  ///< in use
    };
    struct Adapter {
        std::string host, device;
        int ports = 0;
    };
    struct End {
        bool is_switch = true;
        int index = 0;
        int port = 1;
    };
    struct Cable {
        End a, b;
        std::string speed;  ///< such as "4xEDR"
    };
    std::vector<Switch> switches = {};
    std::vector<Adapter> adapters = {};
    std::vector<Cable> cables = {};

    int add_switch(const std::string& name);
    int add_adapter(const std::string& host, const std::string& device);
    void join_switches(int a, int b, int count, const std::string& speed);
    void attach(int adapter, int to, const std::string& speed);
    /// Adds a switch's hosts, with one adapter each.
    void add_hosts(int to, const std::string& stem, int first, int count, const std::string& speed);
};

SampleNetwork fat_tree_2_levels();  ///< 36 ports: 4 leaves of 18 hosts, 2 spines
SampleNetwork fat_tree_3_levels();  ///< 40 ports: 2 pods of 2 leaves of 20 hosts, 2 spines each, 2 cores
SampleNetwork fat_tree_of_rails();  ///< 8 hosts at each of 4 pairs of leaves, an adapter for either network
SampleNetwork switch_torus();       ///< 4x4x2, 4 hosts each
SampleNetwork latin_square_3();     ///< 13 leaves of 4 hosts
SampleNetwork odd_devices();        ///< 2 leaves, 2 spines, a router, an aggregation node, a broken cable

/// The same hosts and cables as a fabric, each torus cell a switch with one host. Names are shuffled, and so are ports
/// and devices; `old_name` gets the names of the fabric.
SampleNetwork shuffled(const Fabric& fabric, std::uint64_t seed, std::map<std::string, std::string>& old_name);

/// What ibnetdiscover and ibnetdiscover --ports print: out_switch(), out_switch_port(), out_ca(), out_ca_port() and
/// dump_ports_report() of infiniband-diags/ibnetdiscover.c in rdma-core.
std::string ibnetdiscover_text(const SampleNetwork& network);
std::string ibnetdiscover_ports_text(const SampleNetwork& network);

/// Slurm's topology.conf(5) of a network of switches, topology.yaml(5) of a wrapped torus of at most three dimensions,
/// with names that Slurm can have; `old_name` gets those of the fabric.
std::string slurm_topology_text(const Fabric& fabric, std::map<std::string, std::string>& old_name);

/// A network as the set of its cables between named ends, for comparison; ends have the names of `renamed`, where these
/// are other ones. Cables of hosts count if `with_host_speed`, others always.
std::vector<std::string> named_cables(const Fabric& fabric, const std::map<std::string, std::string>& renamed,
                                      bool with_host_speed);

}  // namespace coll_topo::importing
