// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// Which ranks share the tables of the submesh algorithm, level by level.
namespace coll_topo::submesh {

/// Who shares a table.
enum class Level : std::uint8_t { host, leaf, group, fabric, column, row };

struct LevelSize {
    Level level;
    int members;  // of the largest table
};

/// The levels with more than one member in some table, from the inside out.
std::vector<LevelSize> levels_of(const Grid& grid);

/// Whether all members of the level go on, rather than one of them for all: columns and rows, and the last level.
bool keeps_all(const std::vector<LevelSize>& levels, std::size_t index);

/// A table as seen by one of its members.
struct Table {
    int members;
    int own;   // member
    int root;  // the member that goes on for all, where one does
    std::function<int(int)> rank_of;
};

/// Finds the tables of ranks. Representatives are the first of their kind, or stand where the root is.
class Tables {
public:
    /// `root`: -1 if there is none.
    Tables(const Grid& grid, int root)
        : grid_(grid),
          leaves_(grid.leaves()),
          root_(root),
          root_host_(root < 0 ? -1 : grid.host(root)),
          root_leaf_(root < 0 ? -1 : leaves_.leaf(root_host_)),
          root_group_(root < 0 ? -1 : leaves_.leaves.part_of(root_leaf_)) {}

    Table table(Level level, int rank) const;

private:
    int rank_of_host(int host) const { return host == root_host_ ? root_ : grid_.ranks_of_host(host).front(); }
    int host_of_leaf(int leaf) const { return leaf == root_leaf_ ? root_host_ : leaves_.hosts[leaf].front(); }
    int rank_of_leaf(int leaf) const { return rank_of_host(host_of_leaf(leaf)); }
    int leaf_of_group(int group) const { return group == root_group_ ? root_leaf_ : leaves_.leaves[group].front(); }

    int position(int leaf) const {
        return static_cast<int>(std::ranges::find(leaves_.leaf_at, leaf) - leaves_.leaf_at.begin());
    }
    int column(int leaf) const { return position(leaf) / leaves_.rows; }
    int row(int leaf) const { return position(leaf) % leaves_.rows; }

    const Grid& grid_;
    const LeafArrangement& leaves_;
    const int root_;  // -1: none, and so are the next
    const int root_host_;
    const int root_leaf_;
    const int root_group_;
};

}  // namespace coll_topo::submesh
