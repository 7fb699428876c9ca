// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace coll_topo::test {

/// The steps from a rank to the root, whose parent is -1; more than there are parents if they lead in a circle.
inline int tree_depth(const std::vector<std::int32_t>& parents, int rank) {
    int steps = 0;
    for (; parents[rank] >= 0 && steps <= static_cast<int>(parents.size()); rank = parents[rank]) ++steps;
    return steps;
}

}  // namespace coll_topo::test
