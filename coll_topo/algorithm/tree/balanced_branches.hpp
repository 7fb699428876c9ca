// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// A tree over the places of a torus or mesh, each below a neighbour that is nearer to the root, in which the branches
/// behind the links of the root have as equal numbers of ranks for their bandwidth as a greedy rule makes them; see
/// balanced_tree.cpp.
class BalancedBranches {
public:
    /// The places behind one link of the root.
    struct Branch {
        const Axis* axis;  ///< of the link
        int ranks = 0;
        int depth = 0;  ///< hops from the root to the farthest place
    };

    /// The grid must outlive it.
    BalancedBranches(const Grid& grid, int root_place);

    /// -1 of the root.
    int parent(int place) const { return parent_[place]; }
    const std::vector<Branch>& all() const { return branches_; }

private:
    void append_nearer(int place, std::vector<int>& neighbours) const;
    int hops(int place, int axis) const;
    int distance(int place) const;
    void add_branch(int place);
    void join(int place, int parent);
    void place_layer(const std::vector<int>& layer, int depth);

    const Grid& grid_;
    int root_;
    std::vector<std::int32_t> parent_;  // by place
    std::vector<std::int32_t> branch_;  // by place; -1 of the root
    std::vector<Branch> branches_;
};

}  // namespace coll_topo
