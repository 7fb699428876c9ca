// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/in_order/coordinate_lines.hpp"
#include "coll_topo/algorithm/tree/pipeline.hpp"

#include <vector>

namespace coll_topo {

/// A tree that brings operands together line by line: along each line they travel from neighbour to neighbour towards
/// one of its members, the meeting point, and only meeting points belong to a line of the next axis. The ranks of a
/// place are the first lines.
///
///     o > o > M < o        a line of four that meets at number 2
///
/// Of the edges of a slot a rank receives on two at most, one from each side, and sends on one at most.
class LineTree {
public:
    /// The operands of each line meet at its end, so that they are combined as ((v0 + v1) + v2) + …
    static LineTree in_coordinate_order(const CoordinateLines& lines);
    /// All ranks are one line, which ends at the last.
    static LineTree in_rank_order(const CoordinateLines& lines);
    /// They meet in the middle of each line, or on the lines of a rank `root` if it is not -1. Without `ascending`,
    /// those of a wrapped axis go the shorter way round. A second tree, which is to carry other data at the same time,
    /// takes the axes in the opposite order and meets elsewhere, where that is allowed and useful.
    static LineTree to_middle(const CoordinateLines& lines, int root, bool ascending, bool second);

    /// The edges of a rank, as of tree 0: a slot is the line an edge is on.
    std::vector<TreeEdge> edges(int rank) const;
    /// The rank at which all operands meet.
    int top() const;
    int slots() const { return static_cast<int>(levels_.size()); }
    /// Rounds until the first block has reached the top.
    int rounds() const;

    /// The lines of one slot.
    struct Level {
        int axis;  // of the grid; -1: the ranks of a place, or all of them
        int meet;  // number of the meeting point; on places, of the root's; others as `place_meets` says
        int low;   // numbers before and after the meeting point, as distances from it: low .. high; of the longest line
        int high;
        int reach() const { return high > -low ? high : -low; }
    };
    const std::vector<Level>& levels() const { return levels_; }

private:
    enum class PlaceMeets { at_end, in_middle };

    LineTree(const CoordinateLines& lines, PlaceMeets place_meets, int root)
        : lines_(&lines), place_meets_(place_meets), root_(root) {}

    int meeting_rank_number(int place, int ranks) const;
    void add_places();
    void add_axis(int axis, int meet, bool shorter_way);

    const CoordinateLines* lines_;
    PlaceMeets place_meets_;
    int root_;
    bool by_rank_ = false;
    std::vector<Level> levels_;
};

}  // namespace coll_topo
