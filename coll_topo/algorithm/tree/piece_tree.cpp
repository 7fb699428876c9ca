// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/piece_tree.hpp"

#include "coll_topo/algorithm/cost/message_timeline.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

namespace coll_topo {

PieceTree::PieceTree(const Grid& grid, const Problem& problem, const std::function<TreeOfRank(int rank)>& tree_of)
    : grid_(grid), collective_(problem.collective), root_(problem.root), size_(grid.ranks(), 1) {
    for (int rank = 0; rank < grid.ranks(); ++rank) tree_.push_back(tree_of(rank));
    std::vector<std::int32_t> open = {root_};
    while (!open.empty()) {
        const std::int32_t rank = open.back();
        open.pop_back();
        downwards_.push_back(rank);
        for (const int child : std::views::reverse(tree_[rank].children)) open.push_back(child);
    }
    for (const std::int32_t rank : downwards_ | std::views::reverse) {
        if (rank != root_) size_[tree_[rank].parent] += size_[rank];
    }
    find_order();
}

void PieceTree::find_order() {
    std::vector<std::int32_t> lowest(size_.size()), highest(size_.size());
    std::iota(lowest.begin(), lowest.end(), 0);
    highest = lowest;
    for (const std::int32_t rank : downwards_ | std::views::reverse) {
        by_rank_ = by_rank_ && highest[rank] - lowest[rank] + 1 == size_[rank];
        if (rank == root_) continue;
        const int parent = tree_[rank].parent;
        lowest[parent] = std::min(lowest[parent], lowest[rank]);
        highest[parent] = std::max(highest[parent], highest[rank]);
    }
    own_.resize(size_.size());
    if (by_rank_) {
        begin_ = std::move(lowest);
        std::iota(own_.begin(), own_.end(), 0);
        order_ = own_;
        return;
    }
    order_ = downwards_;
    for (std::size_t place = 0; place < order_.size(); ++place) own_[order_[place]] = static_cast<std::int32_t>(place);
    begin_ = own_;
}

Program PieceTree::build(int rank) const {
    const int ranks = static_cast<int>(tree_.size()), first = begin_[rank], size = size_[rank];
    const auto pieces_below = [&](int other) { return Blocks{Buffer::scratch, begin_[other] - first, size_[other]}; };
    const TreeOfRank& tree = tree_[rank];
    const int own = own_[rank] - first;
    ProgramBuilder builder(ranks, size);
    builder.lane();
    if (collective_ == Collective::gather) {
        builder.copy({Buffer::input, rank, 1}, Buffer::scratch, own);
        // The root has time for that later.
        if (tree.parent >= 0) builder.next_step();
        // Small subtrees are ready first.
        for (const int child : std::views::reverse(tree.children)) {
            builder.receive(child, pieces_below(child));
            builder.next_step();
        }
        if (tree.parent >= 0) builder.send(tree.parent, pieces_below(rank));
        builder.next_step();
        for (int i = 0; tree.parent < 0 && i < ranks; ++i) {
            builder.copy({Buffer::scratch, i, 1}, Buffer::output, order_[i]);
        }
    } else {
        for (int i = 0; tree.parent < 0 && i < ranks; ++i) {
            builder.copy({Buffer::input, order_[i], 1}, Buffer::scratch, i);
        }
        if (tree.parent >= 0) builder.receive(tree.parent, pieces_below(rank));
        builder.next_step();
        for (const int child : tree.children) {
            builder.send(child, pieces_below(child));
            builder.next_step();
        }
        builder.copy({Buffer::scratch, own, 1}, Buffer::output, rank);
    }
    return builder.finish({order_.begin() + first, order_.begin() + first + size});
}

double PieceTree::seconds(double bytes) const {
    const double piece = bytes / static_cast<double>(tree_.size());
    std::vector<std::int32_t> round_of(tree_.size(), 0);
    std::vector<std::vector<std::int32_t>> rounds;  // the lower ends of their messages
    for (const std::int32_t rank : downwards_) {
        std::int32_t round = round_of[rank];
        for (const int child : tree_[rank].children) {
            if (static_cast<std::size_t>(round) == rounds.size()) rounds.emplace_back();
            rounds[round].push_back(child);
            round_of[child] = ++round;
        }
    }
    const bool gathers = collective_ == Collective::gather;
    if (gathers) std::ranges::reverse(rounds);
    MessageTimeline timeline(grid_);
    for (const std::vector<std::int32_t>& round : rounds) {
        for (const std::int32_t child : round) {
            const int parent = tree_[child].parent;
            timeline.message(gathers ? child : parent, gathers ? parent : child, size_[child] * piece);
        }
        timeline.end_step();
    }
    return timeline.latest() + (by_rank_ ? piece : bytes) / grid_.costs().copy_bandwidth;
}

}  // namespace coll_topo
