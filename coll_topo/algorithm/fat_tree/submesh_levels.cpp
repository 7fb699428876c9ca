// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/fat_tree/submesh_levels.hpp"

namespace coll_topo::submesh {

std::vector<LevelSize> levels_of(const Grid& grid) {
    const LeafArrangement& leaves = grid.leaves();
    std::vector<LevelSize> levels = {{Level::host, grid.most_ranks_per_host()}, {Level::leaf, leaves.hosts.largest()}};
    if (leaves.columns > 0) {
        levels.push_back({Level::column, leaves.rows});
        levels.push_back({Level::row, leaves.columns});
    } else {
        levels.push_back({Level::group, leaves.leaves.largest()});
        levels.push_back({Level::fabric, leaves.leaves.parts()});
    }
    std::erase_if(levels, [](const LevelSize& level) { return level.members == 1; });
    return levels;
}

bool keeps_all(const std::vector<LevelSize>& levels, std::size_t index) {
    return levels[index].level >= Level::column || index + 1 == levels.size();
}

Table Tables::table(Level level, int rank) const {
    const int host = grid_.host(rank), leaf = leaves_.leaf(host), group = leaves_.leaves.part_of(leaf);
    switch (level) {
        case Level::host:
            return {static_cast<int>(grid_.ranks_of_host(host).size()), grid_.local_rank(rank),
                    grid_.local_rank(rank_of_host(host)),
                    [=, this](int index) { return grid_.ranks_of_host(host)[index]; }};
        case Level::leaf:
            return {static_cast<int>(leaves_.hosts[leaf].size()), leaves_.hosts.index(host),
                    leaves_.hosts.index(host_of_leaf(leaf)),
                    [=, this](int index) { return rank_of_host(leaves_.hosts[leaf][index]); }};
        case Level::group:
            return {static_cast<int>(leaves_.leaves[group].size()), leaves_.leaves.index(leaf),
                    leaves_.leaves.index(leaf_of_group(group)),
                    [=, this](int index) { return rank_of_leaf(leaves_.leaves[group][index]); }};
        case Level::fabric:
            return {leaves_.leaves.parts(), group, std::max(root_group_, 0),
                    [this](int index) { return rank_of_leaf(leaf_of_group(index)); }};
        case Level::column: {
            const int first = column(leaf) * leaves_.rows;
            return {leaves_.rows, row(leaf), root_leaf_ < 0 ? 0 : row(root_leaf_),
                    [=, this](int index) { return rank_of_leaf(leaves_.leaf_at[first + index]); }};
        }
        case Level::row: {
            const int own_row = row(leaf);
            return {leaves_.columns, column(leaf), root_leaf_ < 0 ? 0 : column(root_leaf_),
                    [=, this](int index) { return rank_of_leaf(leaves_.leaf_at[index * leaves_.rows + own_row]); }};
        }
    }
    return {1, 0, 0, {}};
}

}  // namespace coll_topo::submesh
