// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/host_tree.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Trees over all ranks, one for each lane, all from the same root. Each is a tree over hosts that visits every host
/// several times, each time at another rank, its entry. The other ranks of a host are chains below the entries.
///
///     once:   r  =>  b0 -> b1 -> b2   =>  c0 -> c1 -> c2      -> within a host: a rank moves it
///     twice:  r  =>  b0 -> b2         =>  c0 -> c2            => over the network, which moves it
///             r1 <=  b0,  r1  =>  b1  =>  c1
///
/// On a torus a further visit begins at another rank on the host of the root, over the link back from the tree's first
/// host: links that nothing else uses, so that with more visits all links carry as much more.
class VisitingTrees {
public:
    /// The ways over hosts: a box has trees of links of their own (BoxTrees), which leave links of a mesh idle and give
    /// some of its ranks more to combine than others; a circle past all hosts, both ways, treats all alike. Through
    /// switches it is one within each leaf, and leaves are a tree. Where such a circle would cross cables more than
    /// once (lacks_cycle()), trees are packed among them (packed_trees()).
    enum class Shape : std::uint8_t { box, circle, packed };

    /// With so many visits to each host by all lanes of a kind of tree together, from `variants()` to as many times the
    /// fewest ranks of a host. In a bcast the root may serve the ranks of its host, which costs it little where nothing
    /// is combined; else other hosts do. The grid must outlive this.
    VisitingTrees(const Grid& grid, int root, int lanes, Shape shape, int visits, Collective collective);

    /// Whether trees are packed there: of more hosts, to find them takes longer than they gain.
    static bool can_be_packed(const Grid& grid);

    Shape shape() const { return shape_; }
    int lanes() const { return static_cast<int>(visits_.size()); }

    /// How many lanes at most take trees of the same kind.
    static int variants(const Grid& grid, int root, int lanes, Shape shape);

    /// By rank, -1 for the root.
    std::vector<std::int32_t> parents(int lane) const;

private:
    bool is_of_root(int host) const { return grid_.host(root_) == host; }
    int entries(int host, int lane) const;
    int turned(int host, int lane) const;
    std::vector<std::int32_t> ranks_in_turn(int host, int lane) const;
    RanksOfHosts ranks_of_hosts(int lane) const;
    std::vector<HostTree> trees_over_hosts() const;

    const Grid& grid_;
    int root_;
    Shape shape_;
    Collective collective_;
    int kinds_;                         // lanes take turns with so many kinds of trees
    std::vector<int> visits_;           // by lane
    std::vector<RanksOfHosts> within_;  // by lane
    std::vector<HostTree> trees_;       // by lane
};

}  // namespace coll_topo
