// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <vector>

namespace coll_topo {

/// The ranks of each place of a box as a tree. All data of a host pass through one of its ranks, its entry; those of an
/// extra host pass through the entry of its proxy, or the other way round if the root is on the extra host. Entries
/// differ from lane to lane, in different memory domains if there are several. Queries take constant time.
class PlaceTree {
public:
    /// What is below the entry of a host.
    enum class Shape {
        binary,  ///< a low tree. The root is the entry of its host
        chain    ///< each rank combines one other's operands. The root is above the entry, and has no other child
    };

    /// The grid must outlive this and must not be one of switches.
    PlaceTree(const Grid& grid, int root, int lane, int lanes, Shape shape = Shape::binary);

    int place(int rank) const { return grid_.place_of(grid_.host(rank)); }
    /// The rank of a place that exchanges data with other places.
    int head(int place) const { return entry(head_host(place)); }
    int entry(int host) const { return grid_.ranks_of_host(host)[entry_index(host)]; }

    /// The host of the same place that a host exchanges data with: the one nearer to the root, or the other; -1 if
    /// there is none.
    int host_above(int host) const;
    int host_below(int host) const;

    /// The parent of a rank in its place, or -1 for the topmost one.
    int parent(int rank) const;
    /// Appends the children of a rank in its place, those on another host first.
    void add_children(int rank, std::vector<int>& children) const;

    /// The most links between ranks of a host on the way from its entry.
    static int height(const Grid& grid, Shape shape = Shape::binary);

private:
    int head_host(int place) const;
    int entry_index(int host) const;
    /// Ranks of a host from its entry down: all, or all but the root.
    int tree_size(int host) const;
    bool is_above_entry(int rank) const { return root_is_above_ && rank == root_; }
    /// The number of a rank in the tree of its host, from its entry down.
    int number(int rank) const;
    int rank_at(int host, int number) const;

    const Grid& grid_;
    int root_;
    int lane_;
    int aggregators_;
    int aggregator_;
    bool chain_;
    bool root_is_above_;
};

}  // namespace coll_topo
