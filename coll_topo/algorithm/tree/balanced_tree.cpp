// SPDX-License-Identifier: BSD-3-Clause
//
// Balanced tree: gather and scatter of long pieces on tori and meshes, over all ports of the root at once.
//
//     4x4 torus, root r; a, b, c, d: behind which port       gather, the branch of c   (root <- c1 <- c2 <- c3)
//         r  a  a  b                                         step 0   c1     c2 -> c1    c3 -> c2
//         c  a  a  b                                         step 1   c2     c3 -> c1
//         c  c  d  b                                         step 2   c3
//         d  d  d  b
//
// Each place hangs below a neighbour that is nearer to the root, so that as many ranks as possible are behind each of
// the root's ports: places are taken by their distance, those with the fewest neighbours to choose from first, and each
// joins the branch that has the least to carry for its link. A rank sends its own piece, then those that arrive, one in
// a step, in turn from all below it: so every link of the tree carries one piece after the other without a pause, and
// no two messages share a link. In scatter everything runs backwards: the pieces of the farthest ranks leave first.
//
// Within a host all ranks are below the one that all pieces pass through. An extra host is below its proxy, or above if
// the root is on it.
//
// Cost for p pieces of m bytes, n of them behind the port with the most, d hops to the farthest rank:
//     gather n·max( o, m/bandwidth ) + d·( o + latency ),   scatter n·( ports·o + m/bandwidth ) + d·latency,
// as the root starts the messages of a step one after the other; and no schedule takes less than (p - 1)/ports of these
// transfers, of which n is hardly more on most tori.
//
// Source: S. L. Johnsson, C.-T. Ho, "Optimum broadcasting and personalized communication in hypercubes", IEEE Trans.
// Comput. 38(9), 1989 (spanning balanced n-tree); here for tori by a greedy rule. Needs: a torus or mesh.

#include "coll_topo/algorithm/tree/balanced_branches.hpp"

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/tree/piece_tree.hpp"
#include "coll_topo/algorithm/tree/place_tree.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>

namespace coll_topo::algorithms {
namespace {

PieceTree tree_over_ranks(const Grid& grid, const Problem& problem, const BalancedBranches& branches) {
    const PlaceTree places(grid, problem.root, 0, 1);
    std::vector<TreeOfRank> ranks(grid.ranks());
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const int host = grid.host(rank), entry = places.entry(host), above = places.host_above(host);
        int& parent = ranks[rank].parent;
        if (rank != entry)
            parent = entry;
        else if (above >= 0)
            parent = places.entry(above);
        else if (const int place = branches.parent(places.place(rank)); place >= 0)
            parent = places.head(place);
        if (parent >= 0) ranks[parent].children.push_back(rank);
    }
    return PieceTree(grid, problem, [&](int rank) { return ranks[rank]; });
}

/// The ranks whose pieces pass through a rank, its own first, in the order in which a gather sends them.
std::vector<std::int32_t> pieces_through(const PieceTree& tree, int rank) {
    std::vector<std::vector<std::int32_t>> below;
    for (const int child : tree.of(rank).children) below.push_back(pieces_through(tree, child));
    std::vector<std::int32_t> all = {rank};
    for (std::size_t turn = 0; static_cast<int>(all.size()) < tree.size(rank); ++turn) {
        for (const auto& pieces : below) {
            if (turn < pieces.size()) all.push_back(pieces[turn]);
        }
    }
    return all;
}

/// Those that a rank has under way over a link at once. Of two, the first arrives late, as they share the link, and the
/// ranks behind it wait.
constexpr int pieces_under_way = 1;

/// Writes the steps of a rank, of one piece from each child and one to the parent, or, in a scatter, backwards.
class Writer {
public:
    Writer(const PieceTree& tree, Collective collective, int rank, int ranks)
        : tree_(tree), gathers_(collective == Collective::gather), rank_(rank), place_(ranks, -1) {
        for (const int child : tree.of(rank).children) below_.push_back(pieces_through(tree, child));
        order_ = pieces_through(tree, rank);
        for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = static_cast<std::int32_t>(i);
        if (is_root()) {
            for (int piece = 0; piece < ranks; ++piece) place_[piece] = piece;
        }
    }

    Program write() {
        const auto ranks = static_cast<int>(place_.size());
        ProgramBuilder builder(ranks, tree_.size(rank_));
        builder.lane();
        if (gathers_) {
            // The root copies its own piece while others are on their way.
            builder.copy({Buffer::input, rank_, 1}, Buffer::scratch, place_[rank_]);
            if (!is_root()) builder.next_step();
            for (int turn = 0; turn < tree_.size(rank_); ++turn) write_step(builder, turn);
            if (is_root()) builder.copy({Buffer::scratch, 0, ranks}, Buffer::output, 0);
        } else {
            if (is_root()) builder.copy({Buffer::input, 0, ranks}, Buffer::scratch, 0);
            builder.next_step();
            for (int turn = tree_.size(rank_) - 1; turn >= 0; --turn) write_step(builder, turn);
            // While the last pieces are on their way.
            builder.copy({Buffer::scratch, place_[rank_], 1}, Buffer::output, rank_);
        }
        std::vector<std::int32_t> order(tree_.size(rank_));
        for (const std::int32_t piece : order_) order[place_[piece]] = piece;
        return builder.finish(std::move(order));
    }

private:
    bool is_root() const { return tree_.of(rank_).parent < 0; }

    void write_step(ProgramBuilder& builder, int turn) {
        const TreeOfRank& tree = tree_.of(rank_);
        const auto transfer = [&](bool sends, int peer, std::int32_t piece) {
            const Blocks blocks{Buffer::scratch, place_[piece], 1};
            if (sends)
                builder.send(peer, blocks);
            else
                builder.receive(peer, blocks);
        };
        for (std::size_t i = 0; i < below_.size(); ++i) {
            if (turn < static_cast<int>(below_[i].size())) transfer(!gathers_, tree.children[i], below_[i][turn]);
        }
        if (!is_root()) transfer(gathers_, tree.parent, order_[turn]);
        builder.next_step();
    }

    const PieceTree& tree_;
    const bool gathers_;
    const int rank_;
    std::vector<std::vector<std::int32_t>> below_;  // by child
    std::vector<std::int32_t> order_;
    std::vector<std::int32_t> place_;  // by rank: of its piece in scratch; the root's are where they belong
};

Program build(const Grid& grid, const Problem& problem, int rank) {
    const BalancedBranches branches(grid, grid.place_of(grid.host(problem.root)));
    const PieceTree tree = tree_over_ranks(grid, problem, branches);
    Program program = Writer(tree, problem.collective, rank, grid.ranks()).write();
    Step& last = program.steps.back();
    const std::int8_t passed_by_last = last.passes_sends;
    limit_sends_passed(program, pieces_under_way - 1);
    if (!is_transfer(program.actions_of(last).front())) last.passes_sends = passed_by_last;
    return program;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const MachineCosts& costs = grid.costs();
    const BalancedBranches branches(grid, grid.place_of(grid.host(problem.root)));
    const double piece = bytes / grid.ranks(), start = costs.message_time;
    const bool gathers = problem.collective == Collective::gather;
    const auto ports = static_cast<double>(branches.all().size());
    double longest = 0, way = 0;
    for (const BalancedBranches::Branch& branch : branches.all()) {
        const double transfer = piece / branch.axis->message_bandwidth(), latency = branch.axis->way_latency(1);
        longest = std::max(longest, branch.ranks * (gathers ? std::max(start, transfer) : ports * start + transfer));
        way = std::max(way, branch.depth * (gathers ? start + latency : latency));
    }
    // Ranks of a host get their pieces at once, but one of them collects those of all.
    const int others = grid.most_ranks_per_host() - 1, in_turn = gathers ? others : std::min(others, 1);
    const double within_host = in_turn > 0 ? costs.local_message() + in_turn * piece / costs.local_bandwidth : 0;
    // To receive a message takes the root as long as to start one: there are as many as pieces.
    const double receives = gathers ? (grid.ranks() - 1) * start : 0;
    return std::max(longest + within_host, receives + piece / costs.copy_bandwidth) + way;
}

}  // namespace

extern constinit const Algorithm balanced_tree{
    .name = "balanced_tree",
    .summary = "piece by piece along a tree with as many ranks behind each port of the root; for long pieces on tori",
    .collectives = any({Collective::gather, Collective::scatter}),
    .network = Network::torus,
    .spreads = true,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
