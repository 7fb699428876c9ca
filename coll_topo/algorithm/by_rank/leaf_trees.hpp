// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/by_rank/host_tree.hpp"
#include "coll_topo/grid/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Trees over hosts behind switches, one for each lane. Each enters a leaf once, and visits it further times from its
/// own hosts, so that these load no more of the cables between leaves.
///
/// The hosts of the root's leaf are a chain, as the root is always the first; those of others are a binary tree. At one
/// or two ends of that other leaves begin, and at the last one the next visit. The leaves but the root's are a binary
/// tree too, below the second host of its chain; of two trees that go opposite ways, those that have none below in one
/// have two in the other. The hosts of a leaf change places from visit to visit, so that all of them, and their ranks,
/// send about as much in all trees together.
class LeafTrees {
public:
    /// The grid and what ranks do in each lane must outlive this.
    LeafTrees(const Grid& grid, int root, std::span<const RanksOfHosts> lanes);

    HostTree tree(int lane) const;

private:
    using Hosts = std::vector<std::int32_t>;

    std::vector<Hosts> hosts_by_leaf(bool backwards) const;
    void balance(int lane, int visit, bool counts);
    std::vector<int> sends_of(int lane, int visit, std::size_t leaf) const;
    void put_in_turn(int lane, int visit, std::size_t leaf, const std::vector<int>& sends);
    void add(int lane, int visit, std::size_t leaf, const std::vector<int>& sends, int times);

    const Grid& grid_;
    int host_of_root_;
    std::span<const RanksOfHosts> lanes_;
    std::vector<std::vector<std::vector<Hosts>>> orders_;  // by lane, visit and leaf
    std::vector<int> rank_sends_;
    std::vector<int> host_sends_;  // to other hosts
};

}  // namespace coll_topo
