// SPDX-License-Identifier: BSD-3-Clause
//
// Edge-disjoint trees: bcast and reduce on tori and meshes.
//
//              lane 0   … b2  b1  b0  ->  tree of x, forward
//     root     lane 1   … b5  b4  b3  ->  tree of y, forward        each to all places (see box_trees.cpp)
//              lane 2   … b8  b7  b6  ->  tree of x, backward
//              lane 3   … b11 b10 b9  ->  tree of y, backward
//
// The vector is cut into a part for each lane, that into blocks, and each lane streams its blocks through a spanning
// tree of its own; BoxTrees has trees that share no link in any direction. So on a torus, with a tree for each
// direction of each axis, all links of the machine carry different blocks all the time, and each link of the root
// carries its part of the vector once: only lower trees could be faster. Fewer and lower trees are faster for less
// data. In reduce everything runs backwards, from the leaves to the root.
//
// Ranks of a host are a tree in every place of the big one (PlaceTree), each lane with another one at the head. In
// reduce with several lanes the root is not at the head of its host: others combine what comes from the network.
//
// Cost for m bytes in l lanes of s blocks b = m/(l·s):
//     sum_hops ( o + latency + b/bandwidth ) along the deepest tree + (s - 1)·t, where a round t is the longest of
//     b/bandwidth                         of the slowest axis (of one cable, where two join two places),
//     (o + latency + b/bandwidth)/w       with w blocks on their way between two ranks,
//     c·o, and in reduce c·b/reduction    of a rank with c messages in all lanes,
//     c·b/local bandwidth                 of a rank that gets c of them within a host (in bcast counted rank by rank);
// and the time that ranks wait for each other, as found in simulations.
//
// Source: one pipelined tree for each port as in S. L. Johnsson, C.-T. Ho, "Optimum broadcasting and personalized
// communication in hypercubes", IEEE TC 38(9), 1989, there for hypercubes; for tori see box_trees.cpp.
// Needs: a torus or mesh. Combines out of rank order.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/tree/box_trees.hpp"
#include "coll_topo/algorithm/tree/place_tree.hpp"
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include <algorithm>
#include <cstdint>

namespace coll_topo::algorithms {
namespace {

/// Blocks on their way between two ranks. With more, in bcast blocks that share a link arrive late, all at once. On a
/// line that winds through a torus a path has several links. In reduce a rank waits for children that are not equally
/// far: with two blocks, 64 MB on 8x8 hosts with links of 1 GB/s took 1.39 times as long in simulation.
int blocks_under_way(const Grid& grid, Collective collective) {
    if (collective == Collective::reduce) return 1 + most_steps_ahead;
    return grid.winds() ? 3 : 2;
}

/// Ranks of a tree wait for each other: in simulations a round took longer than its busiest link or rank needs, by
/// these fractions.
constexpr double waiting_for_link = 0.02, waiting_for_both = 0.05;

BoxTrees trees_of(const Grid& grid, const Problem& problem) {
    return {grid, grid.place_of(grid.host(problem.root)), problem.lanes};
}

/// Several lanes that reduce stream through the ranks of a host, whose combining decides; else the way counts.
PlaceTree::Shape shape_within_hosts(const Problem& problem, const BoxTrees& trees) {
    using Shape = PlaceTree::Shape;
    return problem.collective == Collective::reduce && trees.trees() > 1 ? Shape::chain : Shape::binary;
}

TreeOfRank tree_of(const Grid& grid, const Problem& problem, const BoxTrees& trees, int lane, int rank) {
    const PlaceTree ranks(grid, problem.root, lane, trees.trees(), shape_within_hosts(problem, trees));
    TreeOfRank found{ranks.parent(rank), {}};
    const int place = ranks.place(rank);
    if (ranks.head(place) == rank) {
        trees.add_children(lane, place, found.children);
        for (int& child : found.children) child = ranks.head(child);
        const int above = trees.parent(lane, place);
        if (above >= 0) found.parent = ranks.head(above);
    }
    ranks.add_children(rank, found.children);
    return found;
}

/// Seconds of one block, in one lane.
struct BlockTimes {
    double way = 0;   // of the first block from the root to the last rank
    double link = 0;  // on the slowest link
    double step = 0;  // from one rank to the next
};

/// Where a link is slower than a rank is, a block shares it with the one behind.
BlockTimes block_times(const Grid& grid, const BoxTrees& trees, PlaceTree::Shape shape, double block, double reduction,
                       double machine) {
    const MachineCosts& costs = grid.costs_together();
    const std::vector<int> steps = trees.longest_way();
    BlockTimes times;
    for (std::size_t axis = 0; axis < grid.axes().size(); ++axis) {
        const Axis& line = grid.axes()[axis];
        const double link = block / line.message_bandwidth();
        const double alone = costs.message_time + link + reduction;
        times.way += steps[axis] * (alone + line.mean_way_latency() + std::max(0.0, link - machine));
        times.link = std::max(times.link, link);
        times.step = std::max(times.step, alone + line.way_latency(1));
    }
    if (grid.extra_hosts() > 0) {
        times.way += times.step;
        RankOrderCost cost(grid);
        cost.fold(trees.trees() * block);  // they get those of all lanes the same way
        times.link = std::max(times.link, cost.take().transfer);
    }
    times.way += PlaceTree::height(grid, shape) * (costs.local_message() + block / costs.local_bandwidth + reduction);
    return times;
}

/// Seconds in which the busiest rank of a host folds what comes in a round, in all lanes: a place has so many children
/// in the network, and the ranks of a host are chains, in which they take turns at the head, and so at the end. On the
/// host of the root they are one less, as the root folds only what these hand over. `local`: to receive a block within
/// the host.
double folding_in_chains(int ranks, int lanes, int children, double reduction, double local) {
    const auto of_chain = [&](int length) {
        const int turns = (lanes + std::min(lanes, length) - 1) / std::min(lanes, length);
        return (lanes - lanes / length) * (local + reduction) + turns * ((children + lanes - 1) / lanes) * reduction;
    };
    return std::max({of_chain(ranks), of_chain(ranks - 1), lanes * (local + reduction)});
}

/// Seconds of the busiest rank for its messages of a round, in all lanes.
double machine_seconds(const Grid& grid, const BoxTrees& trees, PlaceTree::Shape shape, double block,
                       double reduction) {
    const auto [of_root, of_others] = trees.children();
    const double start = grid.costs_together().message_time, local = block / grid.costs_together().local_bandwidth;
    const int children = std::max(of_root, of_others);
    const int local_children = trees.trees() * std::min(grid.most_ranks_per_host() - 1, 2);
    // In reduce it sends in each lane, and folds what children send.
    if (shape == PlaceTree::Shape::chain && grid.most_ranks_per_host() > 1) {
        return trees.trees() * start +
               folding_in_chains(grid.most_ranks_per_host(), trees.trees(), children, reduction, local);
    }
    if (reduction > 0) {
        // The root sends nothing.
        const double combining = std::max(trees.trees() * start + of_others * reduction, of_root * reduction);
        return combining + local_children * (reduction + local);
    }
    return children * start;
}

/// Seconds of the busiest rank of a bcast for its messages of a round, in all lanes, where a host has several ranks:
/// they are heads of different lanes. Looks at some places only, evenly chosen.
double busiest_of_several(const Grid& grid, const Problem& problem, const BoxTrees& trees, double block) {
    constexpr int most_places = 16;
    const MachineCosts costs = grid.costs_together();
    const int places = std::min(grid.places(), most_places);
    double busiest = 0;
    for (std::int64_t i = 0; i < places; ++i) {
        const int host = static_cast<int>(i * grid.places() / places);
        for (const int rank : grid.ranks_of_host(host)) {
            double work = 0;
            for (int lane = 0; lane < trees.trees(); ++lane) {
                const TreeOfRank tree = tree_of(grid, problem, trees, lane, rank);
                for (const int child : tree.children) {
                    work += costs.message(grid.host(child) == host);
                }
                if (tree.parent >= 0 && grid.host(tree.parent) == host) work += block / costs.local_bandwidth;
            }
            busiest = std::max(busiest, work);
        }
    }
    return busiest;
}

/// Seconds that the first block waits on its way for ranks busy with other blocks. Found in simulations on 8 to 512
/// hosts with 8 B to 64 MiB, where predictions with it were mostly within a tenth.
double waiting_of_first(const Grid& grid, const BoxTrees& trees, const Problem& problem, double machine) {
    const double start = grid.costs_together().message_time;
    const double more_axes = static_cast<double>(grid.axes().size()) - 1;
    const bool one_tree = trees.trees() == 1;
    // Of two equally long paths, one begins later; so do all lanes but the first.
    const double behind = (one_tree ? trees.equal_ways() : trees.trees() - 1) * start;
    if (problem.collective == Collective::bcast) {
        return (trees.has_pairs() ? 2 : 1) * behind + (one_tree ? 0 : 0.75 * more_axes * machine);
    }
    if (one_tree) return behind;
    const double folding = machine - trees.trees() * start;
    if (trees.has_pairs()) return behind + 1.5 * more_axes * folding;
    return behind + std::max(0.0, 0.85 * more_axes * folding - 1.5 * start);
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const BoxTrees trees = trees_of(grid, problem);
    ProgramBuilder builder(trees.trees() * problem.segments, 0);
    for (int lane = 0; lane < trees.trees(); ++lane) {
        const TreeOfRank tree = tree_of(grid, problem, trees, lane, rank);
        const int first = lane * problem.segments;
        builder.lane();
        write_tree(builder, problem.collective, rank, tree, first, problem.segments);
    }
    Program program = builder.finish();
    limit_sends_passed(program, blocks_under_way(grid, problem.collective) - 1);
    return program;
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::bcast || grid.ranks() == 1;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const BoxTrees trees = trees_of(grid, problem);
    const bool reduces = problem.collective == Collective::reduce;
    const double block = bytes / trees.trees() / problem.segments;
    const double reduction = reduces ? block / grid.costs_together().reduce_bandwidth : 0;
    const PlaceTree::Shape shape = shape_within_hosts(problem, trees);
    const bool several = grid.most_ranks_per_host() > 1;
    const double machine = !reduces && several ? busiest_of_several(grid, problem, trees, block)
                                               : machine_seconds(grid, trees, shape, block, reduction);
    const BlockTimes times = block_times(grid, trees, shape, block, reduction, machine);
    const double link = (1 + waiting_for_link) * times.link;
    const double round = std::max({link, times.step / blocks_under_way(grid, problem.collective), machine}) +
                         waiting_for_both * std::min(times.link, machine);
    return times.way + waiting_of_first(grid, trees, problem, machine) + (problem.segments - 1) * round;
}

std::vector<int> lane_counts(const Grid& grid, Collective) {
    return {1, static_cast<int>(grid.axes().size()), BoxTrees::most_trees(grid)};
}

}  // namespace

extern constinit const Algorithm edge_disjoint_trees{
    .name = "edge_disjoint_trees",
    .summary =
        "blocks stream through a tree for each port of the root that share no link; in lanes, on tori and meshes",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .network = Network::torus,
    .uses_lanes = true,
    .uses_segments = true,
    .lane_counts = lane_counts,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
