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
// Cost for K lanes of S blocks b = m/(K·S), with t for what the busiest link or rank spends on a block of each lane, or
// the slowest hop over the blocks under way, and w for the d hops of the longest way from the root,
//     w = sum ( o + latency + b/bandwidth or b/local, and b/reduction ):
//     sqrt( w² + (2 t)² ) + (S - 1 + waiting · d) · t.
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
#include <cmath>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

using Shape = VisitingTrees::Shape;

/// What follows each other through all trees.
struct Pace {
    double first = 0;   ///< seconds until the first block has passed the longest way, from or to the root
    double link = 0;    ///< seconds of the busiest link for one block of each lane
    double rank = 0;    ///< likewise of the busiest rank
    double hop = 0;     ///< the same if no more blocks were under way between two ranks than are allowed
    double starts = 0;  ///< of `rank`, what no other message waits for
    int depth = 0;      ///< hops of the longest way

    double period() const { return std::max({link, rank, hop}); }
};

/// From simulations on 16 to 32 hosts of 4 ranks. A link waits for ranks now and then; the rank that sends most does
/// some of it while it would wait; and blocks wait at every rank for those of other lanes, most where no rank has less
/// to do.
constexpr double link_waits = 1.03, starts_that_count = 0.8, periods_each_hop = 0.4, periods_on_cycle = 0.8;

/// The longest way from the root in hops and in seconds, if each hop takes so many.
class LongestWay {
public:
    explicit LongestWay(const std::vector<std::int32_t>& parents) : parents_(parents), ways_(parents.size()) {}

    template <typename Hop>
    void find(Hop&& hop) {
        std::vector<std::int32_t> below;
        for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(parents_.size()); ++rank) {
            std::int32_t above = rank;
            for (; ways_[above].hops == 0 && parents_[above] >= 0; above = parents_[above]) below.push_back(above);
            for (; !below.empty(); below.pop_back()) {
                const std::int32_t child = below.back();
                const Way& before = ways_[parents_[child]];
                ways_[child] = {before.hops + 1, before.seconds + hop(parents_[child], child)};
                hops = std::max(hops, ways_[child].hops);
                seconds = std::max(seconds, ways_[child].seconds);
            }
        }
    }

    int hops = 0;
    double seconds = 0;

private:
    struct Way {
        int hops = 0;
        double seconds = 0;
    };

    const std::vector<std::int32_t>& parents_;
    std::vector<Way> ways_;  // by rank
};

/// What the ranks and links do for one block of each lane.
class Load {
public:
    Load(const Grid& grid, double block) : grid_(grid), cost_(grid), block_(block), ranks_(grid.ranks()) {}

    /// Adds a message, which the receiver combines if it takes `combining` seconds; gives its seconds alone.
    double add(int from, int to, double combining) {
        const MachineCosts machine = cost_.machine();
        const bool local = grid_.host(from) == grid_.host(to);
        cost_.message(from, to, block_);
        ranks_[from].starts += local ? machine.local_message() : machine.message_time;
        ranks_[to].moves += combining + (local ? block_ / machine.local_bandwidth : 0);
        const double way = cost_.alone(from, to, block_) + combining;
        if (!local) slowest_ = std::max(slowest_, way);
        return way;
    }

    double busiest_link() { return cost_.take().transfer; }
    double busiest_rank() const {
        double busiest = 0;
        for (const Rank& rank : ranks_) busiest = std::max(busiest, starts_that_count * rank.starts + rank.moves);
        return busiest;
    }
    double most_starts() const { return starts_that_count * std::ranges::max(ranks_, {}, &Rank::starts).starts; }
    /// Between hosts.
    double slowest_message() const { return slowest_; }

private:
    struct Rank {
        double starts = 0;
        double moves = 0;
    };

    const Grid& grid_;
    RankOrderCost cost_;
    double block_;
    std::vector<Rank> ranks_;
    double slowest_ = 0;
};

Pace pace(const Grid& grid, const Problem& problem, const VisitingTrees& trees, double block) {
    const bool up = problem.collective == Collective::reduce;
    const double combining = up ? block / grid.costs_together().reduce_bandwidth : 0;
    Load load(grid, block);
    Pace result;
    for (int lane = 0; lane < trees.lanes(); ++lane) {
        const std::vector<std::int32_t> parents = trees.parents(lane);
        LongestWay way(parents);
        way.find([&](int parent, int child) {
            return up ? load.add(child, parent, combining) : load.add(parent, child, 0);
        });
        result.first = std::max(result.first, way.seconds);
        result.depth = std::max(result.depth, way.hops);
    }
    result.link = link_waits * load.busiest_link();
    result.rank = load.busiest_rank();
    result.starts = load.most_starts();
    result.hop = link_waits * load.slowest_message() / (up ? 2 : chain_blocks_under_way);
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
        const int first = lane * problem.segments;
        write_tree(builder, problem.collective, rank, tree, first, problem.segments);
    }
    Program program = builder.finish();
    if (problem.collective == Collective::bcast) limit_sends_passed(program, chain_blocks_under_way - 1);
    return program;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const VisitingTrees trees = best_trees(grid, problem);
    const Pace own = pace(grid, problem, trees, bytes / problem.lanes / problem.segments);
    const bool cycle = !grid.switched() && trees.shape() == Shape::circle;
    const double waiting = own.depth * (cycle ? periods_on_cycle : periods_each_hop);
    // Trees share ranks and links: the first blocks of all of them take two periods, too, or more where their way is as
    // long.
    return std::hypot(own.first, 2 * own.period()) + (problem.segments - 1) * own.period() +
           waiting * std::max(0.0, own.period() - own.starts);
}

/// As many for each tree of a box, of which there are as many as links into a corner.
std::vector<int> lane_counts(const Grid& grid) {
    constexpr int most = 8;
    std::vector<int> counts;
    const int trees = grid.switched() ? most / 2 : BoxTrees::most_trees(grid);
    for (int lanes = trees; lanes <= most; lanes += lanes) counts.push_back(lanes);
    return counts;
}

std::string refusal(const Grid& grid, const Problem& problem) {
    // With more, to find the trees takes longer than they gain.
    constexpr int most_ranks = 1 << 12;
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
