// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstdint>

namespace coll_topo {

struct SwitchDiameter {
    bool joined = true;  ///< routes join all hosts; if not, the rest does not count
    int links = 0;      ///< between switches on the longest route; to a leaf with several hosts, the first is looked at
    bool exact = true;  ///< if not, `links` is only what was found when the work became too much
};

/// Looks at about `most_steps` links at most. Leaves that have the same switches above, and none below, are looked at
/// once; a switch above all of them tells when the longest way is found. So that is exact on trees and fat trees of any
/// size, and on irregular networks of thousands of leaves.
SwitchDiameter find_switch_diameter(const SwitchGraph& graph, std::int64_t most_steps = std::int64_t{1} << 27);

}  // namespace coll_topo
