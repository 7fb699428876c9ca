// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <string>
#include <string_view>

namespace coll_topo {

enum class WiringKind { latin_square, full_mesh, leaf_spine, tree, other };

/// "latin_square", "full_mesh", "leaf_spine", "tree" or, for other wiring, "switches".
std::string_view wiring_name(WiringKind kind);

/// The kind of a network of switches, recognised by its wiring alone.
struct SwitchWiring {
    WiringKind kind = WiringKind::other;
    int leaves = 0;       ///< switches with hosts
    int spines = 0;       ///< the other switches of a Latin square, a full mesh, or of leaves and spines
    int levels = 0;       ///< the most switches on a way up
    int leaf_groups = 0;  ///< sets of leaves wired to the same switches
    int order = 0;        ///< Latin square
    int corners = 0;      ///< full mesh, and so the next
    int layers = 0;
};

SwitchWiring recognise_wiring(const SwitchGraph& graph);

/// The same in one line for people.
std::string switch_summary(const SwitchGraph& graph);

}  // namespace coll_topo
