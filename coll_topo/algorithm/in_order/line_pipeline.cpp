// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/in_order/line_pipeline.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

/// The top of a tree sends what has reached it to the root of a reduce, if that is another rank.
void add_delivery(std::vector<PipelineTask>& tasks, int number, const LineTree& tree, int root, int rank, int slot) {
    const int top = tree.top(), last_round = tree.rounds() - 1;
    if (top == root) return;
    if (rank == top) tasks.push_back({slot, last_round, root, number, PipelineTask::Kind::send});
    if (rank == root) tasks.push_back({slot, last_round, top, number, PipelineTask::Kind::receive});
}

/// Seconds that a block takes from one rank of a line to the next, without what a rank spends on the message.
struct Hop {
    double latency;
    double transfer;
};

Hop hop_of(const Grid& grid, const LineTree::Level& level, double block) {
    const auto& axes = grid.axes();
    if (level.axis >= 0) {
        const Axis& axis = axes[level.axis];
        const double bandwidth = axis.switched ? axis.pair_bandwidth : axis.bandwidth;
        // On a skewed grid all hosts of a leaf see the same columns and rows, and so share their cables.
        const int flows = grid.skewed() && level.axis > 0 ? axes[0].size : 1;
        return {axis.mean_way_latency(), block * flows / bandwidth};
    }
    // Extra hosts may be anywhere, and so may the next rank in rank order.
    const bool within_hosts = level.reach() < grid.most_ranks_per_host();
    Hop hop{0, block / grid.costs().local_bandwidth};
    if (within_hosts || axes.empty()) return hop;
    hop.latency = axes[0].start_latency;
    for (const Axis& axis : axes) {
        const double bandwidth = axis.switched ? axis.pair_bandwidth : axis.bandwidth;
        hop.latency += axis.switched ? axis.latency : axis.latency * axis.size / 2;
        hop.transfer = std::max(hop.transfer, block * grid.most_ranks_per_host() * axis.size / 2 / bandwidth);
    }
    return hop;
}

}  // namespace

Program build_line_pipeline(const Problem& problem, int rank, std::span<const LineTree> trees) {
    const int count = static_cast<int>(trees.size());
    int all_slots = 0, first_slot = 0;
    for (const LineTree& tree : trees) all_slots += tree.slots();
    std::vector<PipelineTask> tasks;
    for (int number = 0; number < count; ++number) {
        const LineTree& tree = trees[number];
        std::vector<TreeEdge> edges = tree.edges(rank);
        for (TreeEdge& edge : edges) {
            edge.tree = number;
            edge.slot += first_slot;
        }
        add_tasks(tasks, problem.collective, edges, all_slots, tree.rounds());
        if (problem.collective == Collective::reduce) {
            add_delivery(tasks, number, tree, problem.root, rank, all_slots + number);
        }
        first_slot += tree.slots();
    }

    ProgramBuilder builder(count * problem.segments, 0);
    builder.lane();
    write_pipeline(builder, std::move(tasks), problem.segments, 0, count);
    return builder.finish();
}

double line_pipeline_seconds(const Grid& grid, const Problem& problem, double bytes, std::span<const LineTree> trees) {
    const MachineCosts& costs = grid.costs();
    const double block = bytes / problem.segments / static_cast<double>(trees.size());
    const double combining = block / costs.reduce_bandwidth;
    const int ways = problem.collective == Collective::allreduce ? 2 : 1;
    double longest = 0, each = 0;  // until the first block is through, and the busiest rank with each that follows
    for (const LineTree& tree : trees) {
        double first = 0;
        for (const LineTree::Level& level : tree.levels()) {
            if (level.reach() == 0) continue;
            const Hop hop = hop_of(grid, level, block);
            const int sides = level.low < 0 && level.high > 0 ? 2 : 1;
            first += level.reach() * (ways * (costs.message_time + hop.latency + hop.transfer) + combining);
            each += ways * (sides * costs.message_time + hop.transfer) + sides * combining;
        }
        // Every round has the slots of all trees.
        longest = std::max(longest, first * static_cast<double>(trees.size()));
    }
    if (problem.collective == Collective::reduce && trees[0].top() != problem.root) {
        longest += costs.message_time;
        longest += grid.axes().empty() ? block / costs.local_bandwidth : grid.axes()[0].start_latency;
        for (const Axis& axis : grid.axes()) longest += axis.latency * axis.size / 2 + block / axis.bandwidth;
        each += costs.message_time;
    }
    return longest + (problem.segments - 1) * each;
}

}  // namespace coll_topo
