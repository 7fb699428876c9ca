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

/// Switches and how they are wired, as SwitchName and Link lines give them: a tree, or leaves and spines.
struct SwitchGraph {
    NameTable switches;
    std::vector<std::int32_t> leaf_of_host;  ///< host index -> switch
    std::vector<SwitchLink> links;
};

/// The links of a circle of switches, each starting where the one before ended, the lowest number first; empty if no
/// switch is above itself.
std::vector<int> find_cycle(const SwitchGraph& graph);

}  // namespace coll_topo
