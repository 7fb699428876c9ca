// SPDX-License-Identifier: BSD-3-Clause
//
// Trees over hosts of several ranks that enter each host several times: bcast and reduce of long vectors.
//
//     a host visited once:   => h0 -> h1 -> h2 -> h3     -> within a host: a rank moves it
//     three times:           => h0 -> h3                 => over the network, which moves it
//                            => h1
//                            => h2
//
// What a rank gets from its host it copies itself, and can do nothing else meanwhile, so that long vectors are best
// sent over the network to most ranks of a host. multi_chain does so along chains past all ranks, which are long to
// fill, and so must have short blocks, each of which costs a message. Here each visit to the hosts is a tree of its
// own, and the next one begins as soon as the first host of that before has a block: the way of a block is as long as
// the tree is high, and one hop or two for each visit. See visiting_trees.hpp.
//
// Cost for K lanes of S blocks b = m/(K·S), with what a link or a rank spends on one block of each lane:
//     the longest way from the root ( o + latency + b/bandwidth or b/local, and b/reduction, for each hop )
//         + (S-1) · max( the busiest link, the busiest rank, the slowest hop / blocks under way ).
//
// How many visits: as many as make links and ranks busy for equally long.
//
// Source: trees of links of their own as in edge_disjoint_trees.cpp; several ranks of a host that each exchange data
// with the network as in J. L. Träff, S. Hunold, "Decomposing MPI collectives for exploiting multi-lane communication",
// IEEE CLUSTER 2020; visits, and to weigh the network against memory, are ours. Needs: several hosts with several
// ranks. Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/visiting_trees.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/tree/box_trees.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

using Shape = VisitingTrees::Shape;

/// What follows each other through all trees.
struct Pace {
    double first = 0;  ///< seconds until the first block has passed the longest way
    double link = 0;   ///< seconds of the busiest link for one block of each lane
    double rank = 0;   ///< likewise of the busiest rank
    double hop = 0;    ///< the same if no more blocks were under way between two ranks than are allowed

    double period() const { return std::max({link, rank, hop}); }
};

/// In simulations a link waits for ranks now and then, a rank for links more often, and the first block at most ranks.
constexpr double link_waits = 1.03, rank_waits = 1.08, first_waits = 1.25;

/// Seconds from the root to every rank, if each hop takes so many.
template <typename Hop>
double longest_way(const std::vector<std::int32_t>& parents, Hop&& hop) {
    std::vector<double> seconds(parents.size(), -1);
    std::vector<std::int32_t> way;
    double longest = 0;
    for (std::size_t rank = 0; rank < parents.size(); ++rank) {
        auto above = static_cast<std::int32_t>(rank);
        for (; seconds[above] < 0 && parents[above] >= 0; above = parents[above]) way.push_back(above);
        seconds[above] = std::max(seconds[above], 0.0);
        for (; !way.empty(); way.pop_back()) {
            seconds[way.back()] = seconds[parents[way.back()]] + hop(parents[way.back()], way.back());
        }
        longest = std::max(longest, seconds[rank]);
    }
    return longest;
}

Pace pace(const Grid& grid, const Problem& problem, const VisitingTrees& trees, double block) {
    const bool reduces = problem.collective == Collective::reduce;
    RankOrderCost cost(grid);
    const MachineCosts machine = cost.machine();
    const double combining = reduces ? block / machine.reduce_bandwidth : 0;
    std::vector<double> starts(grid.ranks()), moves(grid.ranks());
    Pace result;
    for (int lane = 0; lane < trees.lanes(); ++lane) {
        const std::vector<std::int32_t> parents = trees.parents(lane);
        const auto add = [&](int parent, int child) {
            const int from = reduces ? child : parent, to = reduces ? parent : child;
            const bool local = grid.host(from) == grid.host(to);
            cost.message(from, to, block);
            starts[from] += local ? machine.local_message() : machine.message_time;
            moves[to] += combining + (local ? block / machine.local_bandwidth : 0);
            const double way = cost.alone(from, to, block) + combining;
            if (!local) result.hop = std::max(result.hop, way);
            return way;
        };
        result.first = std::max(result.first, first_waits * longest_way(parents, add));
    }
    result.link = link_waits * cost.take().transfer;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        result.rank = std::max(result.rank, starts[rank] + rank_waits * moves[rank]);
    }
    result.hop *= link_waits / (reduces ? 2 : chain_blocks_under_way);
    return result;
}

/// Visits of all lanes of a tree with which blocks of the length that suits long vectors take least time. Links are
/// the busier the more there are, and ranks the less.
struct Choice {
    Shape shape = Shape::circle;
    int visits = 1;
    double period = 0;
};

Choice best_visits(const Grid& grid, const Problem& problem, Shape shape) {
    constexpr double long_block = 1 << 17;
    const int fewest = VisitingTrees::variants(grid, problem.root, problem.lanes, shape);
    const int most = fewest * grid.fewest_ranks_per_host();
    const auto pace_with = [&](int visits) {
        return pace(grid, problem, VisitingTrees(grid, problem.root, problem.lanes, shape, visits), long_block);
    };
    const Pace once = pace_with(fewest), often = pace_with(most);
    Choice best{shape, fewest, once.period()};
    const auto consider = [&](int visits, double period) {
        if (period < best.period) best = {shape, visits, period};
    };
    const double gained = once.rank - often.rank, lost = often.link - once.link;
    if (gained + lost > 0 && once.rank > once.link) {
        const double share = std::min(1.0, (once.rank - once.link) / (gained + lost));
        const int about = fewest + static_cast<int>(share * (most - fewest));
        for (const int visits : {about, about + 1}) {
            if (visits > fewest && visits < most) consider(visits, pace_with(visits).period());
        }
    }
    consider(most, often.period());
    return best;
}

VisitingTrees best_trees(const Grid& grid, const Problem& problem) {
    Choice best = best_visits(grid, problem, Shape::circle);
    if (!grid.switched()) {
        const Choice box = best_visits(grid, problem, Shape::box);
        // Trees over a box are much lower.
        if (box.period <= best.period) best = box;
    }
    return {grid, problem.root, problem.lanes, best.shape, best.visits};
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const VisitingTrees trees = best_trees(grid, problem);
    ProgramBuilder builder(problem.lanes * problem.segments, 0);
    for (int lane = 0; lane < trees.lanes(); ++lane) {
        const std::vector<std::int32_t> parents = trees.parents(lane);
        TreeOfRank tree{parents[rank], {}};
        for (int other = 0; other < grid.ranks(); ++other) {
            if (parents[other] == rank) tree.children.push_back(other);
        }
        // Those within the host come last: they wait for nobody else.
        std::ranges::stable_partition(tree.children, [&](int child) { return grid.host(child) != grid.host(rank); });
        builder.lane();
        write_tree(builder, problem.collective, rank, tree, lane * problem.segments, problem.segments);
    }
    Program program = builder.finish();
    if (problem.collective == Collective::bcast) limit_sends_passed(program, chain_blocks_under_way - 1);
    return program;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const Pace own = pace(grid, problem, best_trees(grid, problem), bytes / problem.lanes / problem.segments);
    // Trees share ranks and links: the first blocks of all of them take a period too.
    return std::max(own.first, own.period()) + (problem.segments - 1) * own.period();
}

/// As many for each tree of a box, of which there are as many as links into a corner.
std::vector<int> lane_counts(const Grid& grid) {
    constexpr int most = 8;
    if (grid.switched()) return {most};
    const int trees = BoxTrees::most_trees(grid);
    return {trees, std::max(1, most / trees) * trees};
}

std::string refusal(const Grid& grid, const Problem& problem) {
    // With more, to find the trees takes longer than they gain.
    constexpr int most_ranks = 1 << 13;
    if (grid.ranks() > most_ranks) return "made for at most " + std::to_string(most_ranks) + " ranks";
    if (grid.hosts() == 1) return "all ranks on one host";
    if (grid.most_ranks_per_host() == 1) return "one rank on each host";
    return problem.lanes > 1 ? "" : "with one lane it is a single tree";
}

}  // namespace

extern constinit const Algorithm multi_tree{
    .name = "multi_tree",
    .summary = "trees over hosts that enter them at different ranks, several times; for long vectors",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .uses_lanes = true,
    .uses_segments = true,
    .spreads = true,
    .lane_counts = lane_counts,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
