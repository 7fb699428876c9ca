// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/name_table.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Cables from one switch to another (or the same for every pair a Link statement names).
struct SwitchLink {
    int from = 0;          ///< switch, the lower one
    int to = 0;            ///< switch, the upper one
    int count = 1;         ///< parallel cables
    double bandwidth = 0;  ///< of one direction of one cable, bytes/s; 0: not known
    double latency = 0;    ///< of one cable, seconds
};

/// An entry of a switch's forwarding table: messages to a host leave by this link.
struct GivenRoute {
    std::int32_t at = 0;      ///< switch
    std::int32_t host = 0;    ///< destination
    std::int32_t link = 0;    ///< of SwitchGraph::links, one of the switch's own
    std::int32_t cable = -1;  ///< 0 .. SwitchLink::count-1; -1: one of them by d-mod-k

    friend bool operator<(const GivenRoute& a, const GivenRoute& b) {
        return a.at != b.at ? a.at < b.at : a.host < b.host;
    }
};

/// Switches and how they are wired, as SwitchName and Link lines give them: a tree, or leaves and spines.
struct SwitchGraph {
    NameTable switches = {};
    std::vector<std::int32_t> leaf_of_host = {};  ///< host index -> switch
    std::vector<SwitchLink> links = {};
    std::vector<GivenRoute> routes = {};  ///< ascending by switch and host, each pair once; others go by d-mod-k
};

/// The links of a circle of switches, each starting where the one before ended, the lowest number first; empty if no
/// switch is above itself.
std::vector<int> find_cycle(const SwitchGraph& graph);

/// By switch: a number that only those share which links, in any direction, join. Routes join the same ones.
std::vector<std::int32_t> joined_parts(const SwitchGraph& graph);

}  // namespace coll_topo
