// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/machine_costs.hpp"
#include "coll_topo/fabric/name_table.hpp"
#include "coll_topo/fabric/switch_graph.hpp"
#include "coll_topo/fabric/torus.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace coll_topo {

/// The network as a topology file describes it: hosts and how they are wired. Immutable once read.
struct Fabric {
    NameTable hosts;                           ///< host index <-> host name, in the order of the file
    std::variant<Torus, SwitchGraph> network;  ///< one fabric a file
    std::vector<std::int64_t> cell_of_host;    ///< torus only: host index -> cell; empty if it is the identity
    double host_bandwidth = 0;                 ///< between a host and its switch or router, bytes/s; 0: as the links
    double host_latency = 0;                   ///< seconds
    MachineCosts costs = {};                   ///< of the work of ranks

    const Torus* torus() const { return std::get_if<Torus>(&network); }
    std::int64_t cell(int host) const { return cell_of_host.empty() ? host : cell_of_host[host]; }

    /// Whether the file describes the cables of hosts (HostLink). On a torus without it, hosts are routers themselves.
    bool has_host_link() const { return host_bandwidth > 0 || host_latency > 0; }

    /// Seconds that each message on a torus spends in the cables of its two hosts (HostLink), however far it goes.
    double start_latency() const;

    /// One line for people: "torus t0, 4x4x2, wrapped yyn, 32 hosts". Of switches, what their wiring is recognised as.
    std::string summary() const;

    /// A hash (FNV-1a, 64 bits) of everything above that planning depends on, thus without the name of a torus; equal
    /// on two nodes only if their files mean the same.
    std::uint64_t digest() const;
};

}  // namespace coll_topo
