// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include <vector>

namespace coll_topo {

/// The k-nomial tree of bcast and reduce over the ranks in the order of the switches, numbered from the root on. Number
/// n has the parent that is n with its last digit other than 0, in base k, cleared.
class SwitchTree {
public:
    /// `sends_at_once` as in Lane. The grid must outlive it and have leaves.
    SwitchTree(const Grid& grid, const Problem& problem, int radix, int sends_at_once);

    Program build(int rank) const;

    /// Where a rank is in it.
    TreeOfRank of(int rank) const;

    /// Predicted; counts every message once. Those that a rank sends, or gets, at once share its cable; that messages
    /// of different ranks meet is left out.
    double seconds(double bytes) const;

private:
    struct Message {
        double start;  ///< seconds; when its first byte is on the cable
        int number;    ///< of the child
        double end;
    };

    int rank_at(int number) const { return grid_.ranks_by_switches()[(first_ + number) % ranks_]; }
    /// The distance of a number to its parent, or the first one beyond all ranks.
    int distance_to_parent(int number) const;
    int level_between(int number, int other) const;
    Way way_between(int level, int number, int other) const;
    double bcast_seconds(double bytes) const;
    double reduce_seconds(double bytes) const;
    void share_cable(std::vector<Message>& messages, double transfer) const;

    const Grid& grid_;
    Collective collective_;
    int radix_;
    int sends_at_once_;
    int ranks_;
    int first_;  // of the order: the root
};

}  // namespace coll_topo
