// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace coll_topo {

/// An offset on a mesh of two dimensions, modulo the sizes.
struct MeshOffset {
    int x;
    int y;
};

/// All offsets of a mesh but (0, 0), in groups of one or two that are in flight together; see mesh_order.cpp.
std::vector<std::vector<MeshOffset>> mesh_order(int columns, int rows);

}  // namespace coll_topo
