// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/partition.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/grid/leaf_routes.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// How far apart two hosts of a fat tree are: under one leaf, under leaves of one group (leaves wired to the same
/// spines), or farther.
enum class Reach : std::uint8_t { leaf, group, fabric };

/// What messages between two hosts meet, by the slowest pair of hosts that was looked at. Cables whose bandwidth the
/// file does not give do not count.
struct Way {
    double bandwidth = 0;       ///< of the slowest cable on the way of one message, bytes/s
    double latency = 0;         ///< seconds, all cables of the way
    double leaf_bandwidth = 0;  ///< all hosts of a leaf, each to its own host of one other leaf, together, bytes/s
};

/// The hosts of a grid by the switches of a fat tree: under which leaf each is, and how the leaves in use hang
/// together. Without leaves on a torus. Leaves are numbered in the order of the file, and so are groups.
struct LeafArrangement {
    Partition hosts;   ///< hosts of the grid by leaf
    Partition leaves;  ///< leaves by group

    /// If the leaves in use stand in full columns and rows such that a permutation inside every column, or inside every
    /// row, meets no contention with one message per leaf: leaf_at[column * rows + row]. 0 columns if they do not.
    /// On a projective plane columns and rows are lines of two classes of parallels; else columns are groups.
    int columns = 0;
    int rows = 0;
    std::vector<std::int32_t> leaf_at;

    /// On a projective plane: the leaves of every spine that has two or more, in the order of the file. Any two leaves
    /// share one spine. Elsewhere empty.
    std::vector<std::vector<std::int32_t>> lines;

    std::array<Way, 3> ways{};    ///< by Reach; where no two hosts are that far apart, as the next farther or nearer
    double uplink_bandwidth = 0;  ///< of all cables of a leaf to other switches, the least, bytes/s; 0: there are none
    /// What a host sends while all send as much to each other, by the link that routes load most, bytes/s; 0: not
    /// known.
    double alltoall_bandwidth = 0;
    LeafRoutes routes;  ///< as messages are sent on by single cables

    bool empty() const { return hosts.parts() == 0; }
    int leaf(int host) const { return hosts.part_of(host); }
    int group(int host) const { return leaves.part_of(leaf(host)); }
    /// How far apart hosts of two leaves are.
    Reach reach(int from_leaf, int to_leaf) const {
        if (from_leaf == to_leaf) return Reach::leaf;
        return leaves.part_of(from_leaf) == leaves.part_of(to_leaf) ? Reach::group : Reach::fabric;
    }
    /// Seconds of latency of a message between different hosts.
    double latency(int from_host, int to_host) const {
        const int from = leaf(from_host), to = leaf(to_host);
        return from != to && routes.known() ? routes.latency(from, to_host) : way(reach(from, to)).latency;
    }
    const Way& way(Reach reach) const { return ways[static_cast<std::size_t>(reach)]; }
};

/// The arrangement of hosts that are given as hosts of the fabric; nothing in use on a torus.
LeafArrangement arrange_leaves(const Fabric& fabric, std::span<const std::int32_t> fabric_hosts);

}  // namespace coll_topo
