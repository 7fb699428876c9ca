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
        // Of a leaf only the host on which its line ends sends to others. But on a skewed grid all hosts of a leaf see
        // the same columns and rows, and so share their cables.
        const bool shared = grid.skewed() && level.axis > 0;
        const double bandwidth = shared          ? axis.pair_bandwidth / axes[0].size
                                 : axis.switched ? grid.leaves().way(Reach::fabric).bandwidth
                                                 : axis.bandwidth;
        return {axis.mean_way_latency(), block / bandwidth};
    }
    const Hop local{0, block / grid.costs().local_bandwidth};
    if (level.reach() < grid.most_ranks_per_host() || axes.empty()) return local;
    // The next rank in rank order may be anywhere, and so may an extra host, to which one hop of a place goes.
    const bool by_rank = level.reach() == grid.ranks() - 1;
    const int flows = by_rank ? grid.most_ranks_per_host() : 1;
    Hop far{axes[0].start_latency, 0};
    for (const Axis& axis : axes) {
        const double bandwidth = axis.switched ? axis.pair_bandwidth : axis.bandwidth / std::max(1, axis.size / 2);
        far.latency += axis.switched ? axis.latency : axis.latency * axis.size / 2;
        far.transfer = std::max(far.transfer, block * flows / bandwidth);
    }
    if (by_rank) return {far.latency, std::max(local.transfer, far.transfer)};
    const double share = 1.0 / level.reach();
    return {share * far.latency, (1 - share) * local.transfer + share * far.transfer};
}

/// What the rank at which most lines end does with each block.
class BusiestRank {
public:
    void add(const Hop& hop, bool local, bool one_port) {
        all_ += hop.transfer;
        if (local)
            moving_ += hop.transfer;
        else
            cables_ = one_port ? cables_ + hop.transfer : std::max(cables_, hop.transfer);
    }

    /// Of a tree.
    void add_work(double seconds) {
        hiding_ = trees_ > 0 || moving_ > 0 ? hiding_ + seconds : hiding_;
        work_ += seconds;
        ++trees_;
    }

    double seconds(Collective collective) const {
        // A step down the tree waits for the one before it.
        if (collective == Collective::allreduce) return work_ + 2 * all_;
        // Blocks come in while those of the host, or of another tree, are combined.
        return work_ + moving_ + std::max(0.0, cables_ - moving_ - hiding_);
    }

private:
    int trees_ = 0;
    double work_ = 0;    // of the processor on its own data and messages
    double hiding_ = 0;  // of that, beside which cables are at work
    double moving_ = 0;  // what comes from its host
    double cables_ = 0;
    double all_ = 0;  // transfers
};

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
    double longest = 0;  // until the first block is through
    BusiestRank busiest;
    for (const LineTree& tree : trees) {
        double first = 0, work = 0;
        for (const LineTree::Level& level : tree.levels()) {
            if (level.reach() == 0) continue;
            const Hop hop = hop_of(grid, level, block);
            const int sides = level.low < 0 && level.high > 0 ? 2 : 1;
            first += level.reach() * (ways * (costs.message_time + hop.latency + hop.transfer) + combining);
            // Places with an extra host are rarely where the longest lines end.
            if (level.axis < 0 && grid.most_ranks_per_host() == 1 && tree.slots() > 1) continue;
            work += ways * sides * costs.message_time + sides * combining;
            busiest.add(hop, level.axis < 0, grid.switched());
        }
        busiest.add_work(work);
        // Every round has the slots of all trees.
        longest = std::max(longest, first * static_cast<double>(trees.size()));
    }
    double each = busiest.seconds(problem.collective);
    if (problem.collective == Collective::reduce && trees[0].top() != problem.root) {
        longest += costs.message_time;
        longest += grid.axes().empty() ? block / costs.local_bandwidth : grid.axes()[0].start_latency;
        for (const Axis& axis : grid.axes()) longest += axis.latency * axis.size / 2 + block / axis.bandwidth;
        each += costs.message_time;
    }
    return longest + (problem.segments - 1) * each;
}

}  // namespace coll_topo
