// SPDX-License-Identifier: BSD-3-Clause
//
// Trees over hosts of several ranks that enter each host several times: bcast, reduce and allreduce of long vectors.
//
//     a host visited once:   => h0 -> h1 -> h2 -> h3     -> within a host: a rank moves it
//     three times:           => h0 -> h3                 => over the network, which moves it
//                            => h1
//                            => h2
//
// What a rank gets from its host it copies itself, and can do little else meanwhile, so that long vectors are best
// sent over the network to most ranks of a host. multi_chain does so along chains past all ranks, which are long to
// fill, and so must have short blocks, each of which costs a message. Here each visit to the hosts is a tree of its
// own, and the next one begins as soon as the first host of that before has a block: the way of a block is as long as
// the tree is high, and one hop or two for each visit. See visiting_trees.hpp. Where a circle would cross cables more
// than once, trees are packed among them (packed_trees.cpp), for one rank on each host, too.
//
// Cost for K lanes of S blocks b = m/(K·S), with t for what the busiest link or rank spends on a block of each lane, or
// the slowest hop over the blocks under way, and w for the d hops of the longest way from the root,
//     w = sum ( o + latency + b/bandwidth or b/local, and b/reduction ):
//     sqrt( w² + (2 t)² ) + (S - 1 + waiting · d) · t, through switches 2.5 t to combine; see waiting_seconds().
//
// How many visits: as many as make links and ranks busy for equally long. In an allreduce blocks go up and come down on
// the same tree, and t and w are those of both ways: ranks combine some blocks while the network brings others back,
// where the rings of multi_ring leave it idle in the first half and the ranks in the second.
//
// Source: trees of links of their own as in edge_disjoint_trees.cpp; several ranks of a host that each exchange data
// with the network as in J. L. Träff, S. Hunold, "Decomposing MPI collectives for exploiting multi-lane communication",
// IEEE CLUSTER 2020; visits, and to weigh the network against memory, are ours. Needs: several hosts, with several
// ranks unless trees are packed. Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/tree_pace.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/tree/box_trees.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::algorithms {
namespace {

using Shape = VisitingTrees::Shape;

/// In simulations an allreduce takes so many times as long where no other lane uses the links of a tree while it waits.
constexpr double lane_alone_waits = 1.1;

/// How long blocks wait for those of other lanes. Its numbers fit simulations on 16 to 64 hosts of 2 to 16 ranks.
double waiting_seconds(const Grid& grid, const Problem& problem, const VisitingTrees& trees, const TreePace& own) {
    const double turn = std::max(0.0, own.period() - own.starts);
    // Ranks copy when they have nothing to send: at each of them a block waits for one of another lane, and the longer
    // the more follow.
    if (problem.collective == Collective::bcast) {
        constexpr double of_each_segment = 0.1, most_periods = 4;
        const double periods = std::min(of_each_segment * (problem.segments - 1), most_periods);
        return turn * own.depth / problem.lanes + periods * own.period();
    }
    // Most where no rank has less to do than others; few blocks wait less, and through switches those less that pass
    // more of the ranks of a host.
    constexpr double where_all_do_alike = 0.8, elsewhere = 0.4, few_ranks = 4;
    const bool alike = !grid.switched() && trees.shape() == Shape::circle;
    const double of_each_segment = grid.switched() ? 0.1 : 0.3;
    const double turns =
        std::min(own.depth * (alike ? where_all_do_alike : elsewhere), of_each_segment * problem.segments);
    return turn * turns * (grid.switched() ? std::min(1.0, few_ranks / grid.most_ranks_per_host()) : 1);
}

/// For blocks of so many bytes.
double seconds_in(const Grid& grid, const Problem& problem, const VisitingTrees& trees, double block) {
    const TreePace own = tree_pace(grid, trees, problem.collective, block);
    // Trees share ranks and links: the first blocks of all of them take some periods, too, or more where their way is
    // as long.
    const double together = (grid.switched() && combines(problem.collective) ? 2.5 : 2) * own.period();
    const double first = std::sqrt(own.first * own.first + together * together);
    const bool alone = VisitingTrees::variants(grid, problem.root, problem.lanes, trees.shape()) == 1;
    const double waits = problem.collective == Collective::allreduce && alone ? lane_alone_waits : 1;
    return waits * (first + (problem.segments - 1) * own.period() + waiting_seconds(grid, problem, trees, own));
}

/// Of blocks of the length that suits long vectors.
constexpr double long_block = 1 << 17;

VisitingTrees trees_with(const Grid& grid, const Problem& problem, Shape shape, int visits) {
    return {grid, problem.root, problem.lanes, shape, visits, problem.collective};
}

/// As many of all lanes of a tree that blocks follow each other most quickly. Links are the busier the more there are,
/// and ranks the less.
int best_visits(const Grid& grid, const Problem& problem, Shape shape) {
    const int fewest = VisitingTrees::variants(grid, problem.root, problem.lanes, shape);
    const int most = fewest * grid.fewest_ranks_per_host();
    if (most == fewest) return fewest;
    const auto pace_with = [&](int visits) {
        return tree_pace(grid, trees_with(grid, problem, shape, visits), problem.collective, long_block);
    };
    const TreePace once = pace_with(fewest), often = pace_with(most);
    int best = fewest;
    double shortest = once.period();
    const auto consider = [&](int visits, double period) {
        if (period >= shortest) return;
        best = visits;
        shortest = period;
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

/// Trees over a box are much lower than circles, but make some ranks busier, and on a mesh leave links idle; packed
/// ones are between them.
std::vector<Shape> shapes_on(const Grid& grid) {
    std::vector<Shape> shapes = {Shape::circle};
    if (!grid.switched() && !grid.only_cables_tell()) shapes.push_back(Shape::box);
    if (VisitingTrees::can_be_packed(grid)) shapes.push_back(Shape::packed);
    return shapes;
}

/// The one that takes least time. It must not depend on the number of blocks: replays of some of them tell what all
/// will take.
Grid::TreesForm best_form(const Grid& grid, const Problem& problem) {
    Problem typical = problem;
    typical.segments = 128;
    std::optional<Grid::TreesForm> best;
    double least = 0;
    for (const Shape shape : shapes_on(grid)) {
        const int visits = best_visits(grid, problem, shape);
        const double seconds = seconds_in(grid, typical, trees_with(grid, problem, shape, visits), long_block);
        if (best && seconds > least) continue;
        least = seconds;
        best = {static_cast<int>(shape), visits};
    }
    return *best;
}

VisitingTrees best_trees(const Grid& grid, const Problem& problem) {
    const Grid::TreesKey key{problem.root, problem.lanes, static_cast<int>(problem.collective)};
    const Grid::TreesForm& form = grid.trees_form(key, [&] { return best_form(grid, problem); });
    return trees_with(grid, problem, static_cast<Shape>(form.shape), form.visits);
}

/// The tree of a lane, over ranks.
class LaneTree {
public:
    LaneTree(const Grid& grid, std::vector<std::int32_t> parents)
        : parents_(std::move(parents)), children_(parents_.size()) {
        // Those within the host come last: they wait for nobody else.
        for (const bool within_host : {false, true}) {
            for (int rank = 0; rank < grid.ranks(); ++rank) {
                const int parent = parents_[rank];
                if (parent >= 0 && (grid.host(parent) == grid.host(rank)) == within_host)
                    children_[parent].push_back(rank);
            }
        }
    }

    TreeOfRank of(int rank) const { return {parents_[rank], children_[rank], depth(rank)}; }

private:
    int depth(int rank) const {
        int hops = 0;
        for (; parents_[rank] >= 0; rank = parents_[rank]) ++hops;
        return hops;
    }

    std::vector<std::int32_t> parents_;       // by rank, -1 for the root
    std::vector<std::vector<int>> children_;  // by rank
};

std::vector<LaneTree> best_lane_trees(const Grid& grid, const Problem& problem) {
    const VisitingTrees trees = best_trees(grid, problem);
    std::vector<LaneTree> found;
    for (int lane = 0; lane < trees.lanes(); ++lane) found.emplace_back(grid, trees.parents(lane));
    return found;
}

Program build_with(const Problem& problem, const std::vector<LaneTree>& trees, int rank) {
    ProgramBuilder builder(problem.lanes * problem.segments, 0);
    int first = 0;
    for (const LaneTree& tree : trees) {
        builder.lane();
        write_tree(builder, problem.collective, rank, tree.of(rank), first, problem.segments);
        first += problem.segments;
    }
    Program program = builder.finish();
    if (problem.collective == Collective::bcast) limit_sends_passed(program, chain_blocks_under_way - 1);
    return program;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return build_with(problem, best_lane_trees(grid, problem), rank);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem) {
    const std::vector<LaneTree> trees = best_lane_trees(grid, problem);
    return programs_of_all_ranks(grid, [&](int rank) { return build_with(problem, trees, rank); });
}

std::function<double(int, double)> seconds_in_segments(const Grid& grid, const Problem& problem) {
    return [&grid, problem, trees = best_trees(grid, problem)](int segments, double bytes) {
        Problem in_segments = problem;
        in_segments.segments = segments;
        return seconds_in(grid, in_segments, trees, bytes / problem.lanes / segments);
    };
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return seconds_in_segments(grid, problem)(problem.segments, bytes);
}

/// As many for each tree of a box, of which there are as many as links into a corner. The more there are the nearer can
/// the visits of a tree be to what suits the hosts.
std::vector<int> lane_counts(const Grid& grid, Collective) {
    if (VisitingTrees::can_be_packed(grid)) return {2, 3, 4, 6, 8};
    constexpr int most_of_tree = 4;
    std::vector<int> counts;
    const int trees = grid.switched() ? 4 : BoxTrees::most_trees(grid);
    for (int lanes = trees; lanes <= std::min(most_lanes, most_of_tree * trees); lanes *= 2) counts.push_back(lanes);
    return counts;
}

std::string refusal(const Grid& grid, const Problem& problem) {
    // With more, to find the trees takes longer than they gain.
    constexpr int most_ranks = 1 << 12;
    if (grid.ranks() > most_ranks) return "made for at most " + std::to_string(most_ranks) + " ranks";
    if (grid.hosts() == 1) return "all ranks on one host";
    if (grid.most_ranks_per_host() == 1 && !VisitingTrees::can_be_packed(grid)) return "one rank on each host";
    return problem.lanes > 1 ? "" : "with one lane it is a single tree";
}

}  // namespace

extern constinit const Algorithm multi_tree{
    .name = "multi_tree",
    .summary = "trees over hosts that enter them at different ranks, several times; for long vectors",
    .collectives = any({Collective::bcast, Collective::reduce, Collective::allreduce}),
    .uses_lanes = true,
    .uses_segments = true,
    .spreads = true,
    .lane_counts = lane_counts,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .seconds_in_segments = seconds_in_segments,
    .build = build,
    .build_all = build_all,
};

}  // namespace coll_topo::algorithms
