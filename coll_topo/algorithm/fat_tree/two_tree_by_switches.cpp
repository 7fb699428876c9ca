// SPDX-License-Identifier: BSD-3-Clause
//
// Two trees over all ranks in the order of the switches: bcast and reduce of middle sizes with several ranks a host.
//
//     hosts      | 0 1 2 3 | 4 5 6 7 | 8 …        leaves, hosts, ranks of a host, from the root on
//     left tree    0-------> 4, then 4 -> 2, 4 -> 6, then 2 -> 1, 2 -> 3, 6 -> 5, 6 -> 7, and the right tree one
//     further
//
// In grouped_two_tree a representative is an inner node of the trees of every level, and combines, or sends, the vector
// once for each; here every rank is an inner node of one tree and has the vector once. Three of four edges join
// neighbours, so most stay on a host and under a leaf. But several hosts of a leaf send to other leaves at once.
//
// In a reduce ranks wait for what they combine: in one of the trees each of two ranks is above the other, so that
// neither can be ahead. With a second lane, the same trees again, they combine in one what came while they did in the
// other.
//
// Cost for m bytes in s blocks of two halves h = m/2s, with the height H of the trees:
//     (s - 1)·t + H·( latency + first ), where t is the longest of
//     2·o + h·( local receives/local bandwidth + 2/reduction ) of a rank in a round; h·messages/bandwidth of the cable
//     of a host, the uplinks of a leaf, the route from leaf to leaf; and in reduce 2·( o + latency + h/bandwidth +
//     h/reduction ), on average over all edges. A block goes up when both children have come: first = t - o/2; it goes
//     down to one child at once, and to the other one behind the next block: first = 2·o and 3/4 of the time of the
//     bytes in t. With K lanes h is a K-th of that, and all but what a rank waits for in reduce K times as much.
//
// Source: as two_tree.cpp; the second lane is ours. Needs: leaves. Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"
#include "coll_topo/algorithm/tree/tree_pipeline.hpp"

#include <algorithm>
#include <map>

namespace coll_topo::algorithms {
namespace {

Program build(const Grid& grid, const Problem& problem, int rank) {
    const int ranks = grid.ranks(), start = grid.number_by_switches(problem.root);
    const TwoTrees trees(ranks);
    TreeNeighbours neighbours;
    neighbours.rounds = trees.height();
    add_edges(neighbours, trees, (grid.number_by_switches(rank) - start + ranks) % ranks, 0, 0, trees.height(),
              [&](int position) { return grid.ranks_by_switches()[(start + position) % ranks]; });
    ProgramBuilder builder(tree_pipeline_blocks(problem), 0);
    for (int lane = 0; lane < problem.lanes; ++lane) write_tree_pipeline(builder, problem, lane, neighbours);
    return builder.finish();
}

/// With two lanes one combines while the other waits.
std::vector<int> lane_counts(const Grid&, Collective) {
    return {1, 2};
}

std::string refusal(const Grid& grid, const Problem& problem) {
    if (problem.collective == Collective::bcast && problem.lanes > 1) return "a second lane gains nothing";
    constexpr int several = 2;
    // To combine takes longer than a few messages on a cable.
    const bool crowded = problem.collective == Collective::bcast && grid.fewest_ranks_per_host() < several;
    return crowded ? "too many messages would share a cable" : "";
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::bcast || grid.ranks() == 1;
}

/// Half blocks in a round.
struct RoundLoad {
    int local = 0;   ///< that a rank gets from its host, the most of any
    int host = 0;    ///< on the cable of a host, in one direction
    int uplink = 0;  ///< on the cables up from a leaf, in one direction
    int route = 0;   ///< from one leaf to another
};

/// Counts along the ranks in order what comes and goes, host by host and leaf by leaf.
class LoadCounter {
public:
    LoadCounter(const Grid& grid, const Problem& problem)
        : grid_(grid), goes_up_(problem.collective == Collective::reduce), root_(problem.root), trees_(grid.ranks()) {}

    RoundLoad count() {
        // The same repeats all along the ranks: some of them tell enough.
        constexpr int most_counted = 4096;
        int host = -1, leaf = -1;
        for (int position = 0; position < std::min(grid_.ranks(), most_counted); ++position) {
            const int own_host = host_at(position), own_leaf = grid_.leaves().leaf(own_host);
            if (own_host != host) host_ = {};
            if (own_leaf != leaf) {
                leaf_ = {};
                routes_.clear();
            }
            host = own_host;
            leaf = own_leaf;
            add_rank(position);
        }
        return load_;
    }

private:
    struct BothWays {
        int in = 0;
        int out = 0;
        int larger() const { return std::max(in, out); }
    };

    int host_at(int position) const {
        const int number = (grid_.number_by_switches(root_) + position) % grid_.ranks();
        return grid_.host(grid_.ranks_by_switches()[number]);
    }

    void add_rank(int position) {
        int local = 0;
        for (int tree = 0; tree < TwoTrees::trees; ++tree) {
            if (position > 0) local += add_message(position, trees_.parent(tree, position), !goes_up_);
            for (const int child : trees_.children(tree, position)) {
                if (child > 0) local += add_message(position, child, goes_up_);
            }
        }
        load_.local = std::max(load_.local, local);
        load_.host = std::max(load_.host, host_.larger());
        load_.uplink = std::max(load_.uplink, leaf_.larger());
    }

    /// 1 if it is received from the same host.
    int add_message(int own, int other, bool is_received) {
        const int here = host_at(own), there = host_at(other);
        if (here == there) return is_received ? 1 : 0;
        ++(is_received ? host_.in : host_.out);
        const int other_leaf = grid_.leaves().leaf(there);
        if (grid_.leaves().leaf(here) == other_leaf) return 0;
        ++(is_received ? leaf_.in : leaf_.out);
        BothWays& route = routes_[other_leaf];
        ++(is_received ? route.in : route.out);
        load_.route = std::max(load_.route, route.larger());
        return 0;
    }

    const Grid& grid_;
    bool goes_up_;
    int root_;
    TwoTrees trees_;
    BothWays host_, leaf_;
    std::map<int, BothWays> routes_;  // of the leaf, by the other one
    RoundLoad load_;
};

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    if (grid.ranks() == 1) return 0;
    const bool reduces = problem.collective == Collective::reduce;
    const LeafArrangement& leaves = grid.leaves();
    const MachineCosts costs = grid.costs_together();
    const double half = bytes / problem.lanes / problem.segments / TwoTrees::trees, start = costs.message_time;
    const double reduction = reduces ? half / costs.reduce_bandwidth : 0;
    const RoundLoad load = LoadCounter(grid, problem).count();
    const int height = TwoTrees(grid.ranks()).height();

    const double work = problem.lanes * (load.local * half / costs.local_bandwidth + TwoTrees::trees * reduction);
    double cables = load.host * half / way_at(grid, 1).bandwidth;
    if (leaves.uplink_bandwidth > 0) cables = std::max(cables, load.uplink * half / leaves.uplink_bandwidth);
    const double route_bandwidth = leaves.way(Reach::fabric).leaf_bandwidth;
    const double route = route_bandwidth > 0 ? load.route * half / route_bandwidth : 0;
    cables = std::max(cables, route);
    // Where a route is only a part of the uplinks, some ranks wait for it while it stands idle for others, unless they
    // combine what comes from their own host meanwhile.
    const bool busy = reduces && grid.most_ranks_per_host() > 1;
    const double detained = !busy && route_bandwidth < leaves.uplink_bandwidth ? route : 0;
    double latencies = 0, arrival = 0, share = 1;  // share of the edges of one tree
    for (int hop = 0; hop < height; ++hop) {
        const Way way = way_at(grid, level_at_distance(grid, 1 << hop));
        latencies += way.latency;
        if (hop + 1 < height) share /= 2;
        arrival += share * (way.latency + std::max(half / way.bandwidth, cables / TwoTrees::colours));
    }
    // With few ranks on a host most messages leave it, and meet on the cables that routes give them: in simulations
    // they took 1.4 to 2 times as long as if these were used alike.
    const bool crowded = !reduces && grid.fewest_ranks_per_host() < 3 && detained == 0;
    if (crowded) cables *= 1.7;
    // What a rank combines in one lane it waits for: in one of the trees each of two ranks is above the other.
    const double wait = reduces ? TwoTrees::trees * (start + arrival + reduction) : 0;
    const double messages = problem.lanes * TwoTrees::trees * start;
    const double round = std::max({messages + work, problem.lanes * cables, wait}) + problem.lanes * detained;
    const double moved = std::max(work, problem.lanes * cables);
    const double first = reduces ? 1.5 * start + moved : 2 * start + 0.75 * moved;
    return (problem.segments - 1) * round + height * first + latencies;
}

}  // namespace

extern constinit const Algorithm two_tree_by_switches{
    .name = "two_tree_by_switches",
    .summary = "blocks stream through two trees over all ranks in the order of the switches; for middle sizes",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .network = Network::switches,
    .uses_lanes = true,
    .uses_segments = true,
    .lane_counts = lane_counts,
    .further_refusal = refusal,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
