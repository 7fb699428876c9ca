// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/in_order/line_tree.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// The edges of the rank at a distance from the meeting point of a line with numbers low .. high. `rank_at` gives the
/// rank at a distance. True if the rank is the meeting point.
template <typename RankAt>
bool add_line(std::vector<TreeEdge>& edges, int slot, int begin, int reach, int low, int high, int own,
              RankAt&& rank_at) {
    const auto add = [&](int lower, int peer, bool to_parent) {
        const Operand side = lower < 0 ? Operand::left : Operand::right;
        edges.push_back({rank_at(peer), 0, slot, begin + reach - std::abs(lower), to_parent, side});
    };
    if (own <= 0 && own > low) add(own - 1, own - 1, false);
    if (own >= 0 && own < high) add(own + 1, own + 1, false);
    if (own == 0) return true;
    add(own, own < 0 ? own + 1 : own - 1, true);
    return false;
}

}  // namespace

LineTree LineTree::in_coordinate_order(const CoordinateLines& lines) {
    LineTree tree(lines, PlaceMeets::at_end, -1);
    tree.add_places();
    const auto& axes = lines.grid().axes();
    for (int axis = 0; axis < static_cast<int>(axes.size()); ++axis) tree.add_axis(axis, axes[axis].size - 1, false);
    return tree;
}

LineTree LineTree::in_rank_order(const CoordinateLines& lines) {
    LineTree tree(lines, PlaceMeets::at_end, -1);
    tree.by_rank_ = true;
    const int last = lines.grid().ranks() - 1;
    tree.levels_.push_back({-1, last, -last, 0});
    return tree;
}

LineTree LineTree::to_middle(const CoordinateLines& lines, int root, bool ascending, bool second) {
    LineTree tree(lines, PlaceMeets::in_middle, root);
    tree.add_places();
    const auto& axes = lines.grid().axes();
    const int count = static_cast<int>(axes.size());
    for (int turn = 0; turn < count; ++turn) {
        const int axis = second && !ascending ? count - 1 - turn : turn;
        const bool shorter_way = axes[axis].wrapped && !ascending;
        const int size = axes[axis].size;
        int meet = second ? (size - 1) / 2 : size / 2;
        if (second && shorter_way) meet = 0;  // opposite the middle: the links of the ring in the other directions
        if (root >= 0) meet = lines.coordinate(lines.place(root), axis);
        tree.add_axis(axis, meet, shorter_way);
    }
    return tree;
}

int LineTree::meeting_rank_number(int place, int ranks) const {
    if (place_meets_ == PlaceMeets::at_end) return ranks - 1;
    return root_ >= 0 && place == lines_->place(root_) ? lines_->index(root_) : ranks / 2;
}

void LineTree::add_places() {
    const int longest = lines_->most_ranks() - 1, usual = meeting_rank_number(-1, longest + 1);
    Level level{-1, usual, -usual, longest - usual};
    if (root_ >= 0) {
        const int place = lines_->place(root_), last = static_cast<int>(lines_->ranks(place).size()) - 1;
        level.meet = lines_->index(root_);
        level.low = std::min(level.low, -level.meet);
        level.high = std::max(level.high, last - level.meet);
    }
    levels_.push_back(level);
}

void LineTree::add_axis(int axis, int meet, bool shorter_way) {
    const int size = lines_->grid().axes()[axis].size;
    const int low = shorter_way ? -(size / 2) : -meet;
    levels_.push_back({axis, meet, low, low + size - 1});
}

std::vector<TreeEdge> LineTree::edges(int rank) const {
    std::vector<TreeEdge> edges;
    if (by_rank_) {
        const Level& all = levels_[0];
        add_line(edges, 0, 0, all.reach(), all.low, 0, rank - all.meet, [&](int at) { return all.meet + at; });
        return edges;
    }
    const int place = lines_->place(rank);
    const std::vector<std::int32_t> ranks = lines_->ranks(place);
    const int count = static_cast<int>(ranks.size()), meet = meeting_rank_number(place, count);
    int begin = levels_[0].reach();
    if (!add_line(edges, 0, 0, begin, -meet, count - 1 - meet, lines_->index(rank) - meet,
                  [&](int at) { return ranks[meet + at]; })) {
        return edges;
    }
    for (int slot = 1; slot < slots(); ++slot) {
        const Level& level = levels_[slot];
        const int size = level.high - level.low + 1;
        const int own = (lines_->coordinate(place, level.axis) - level.meet - level.low + size) % size + level.low;
        const auto rank_at = [&](int at) {
            const int there = lines_->along(place, level.axis, (level.meet + at + size) % size);
            const std::vector<std::int32_t> others = lines_->ranks(there);
            return others[meeting_rank_number(there, static_cast<int>(others.size()))];
        };
        if (!add_line(edges, slot, begin, level.reach(), level.low, level.high, own, rank_at)) break;
        begin += level.reach();
    }
    return edges;
}

int LineTree::top() const {
    if (by_rank_) return levels_[0].meet;
    int place = 0;
    for (int slot = slots() - 1; slot > 0; --slot) {
        place = lines_->along(place, levels_[slot].axis, levels_[slot].meet);
    }
    // On a skewed grid the hosts of a leaf come last.
    const std::vector<std::int32_t> ranks = lines_->ranks(place);
    return ranks[meeting_rank_number(place, static_cast<int>(ranks.size()))];
}

int LineTree::rounds() const {
    int rounds = 0;
    for (const Level& level : levels_) rounds += level.reach();
    return rounds;
}

}  // namespace coll_topo
