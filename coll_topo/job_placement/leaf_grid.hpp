// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace coll_topo {

/// The order x order leaves of a Latin-square fat tree that stand in columns and rows, each column and each row sharing
/// one spine, and their free hosts. The order+1 leaves beside them, at infinity, are left out.
struct LeafGrid {
    int order = 0;
    std::vector<std::vector<std::int32_t>> free_hosts;  ///< by column * order + row

    int free(int column, int row) const { return static_cast<int>(free_hosts[column * order + row].size()); }
};

/// Nothing if the network is no Latin-square fat tree.
std::optional<LeafGrid> find_leaf_grid(const Fabric& fabric, const std::vector<std::int32_t>& free_hosts);

}  // namespace coll_topo
