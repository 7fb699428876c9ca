// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include "coll_topo/algorithm/tree/pipeline.hpp"

#include <ranges>

namespace coll_topo {

void write_tree(ProgramBuilder& builder, Collective collective, int rank, const TreeOfRank& tree, int first,
                int count) {
    using Kind = PipelineTask::Kind;
    std::vector<PipelineTask> tasks;
    // A rank that receives a block sends it one step later.
    if (collective == Collective::bcast) {
        if (tree.parent >= 0) tasks.push_back({0, 0, tree.parent, 0, Kind::receive});
        const int delay = tree.parent < 0 ? 0 : 1;
        for (const int child : tree.children) tasks.push_back({0, delay, child, 0, Kind::send});
    } else {
        for (const int child : std::views::reverse(tree.children)) {
            tasks.push_back({0, 0, child, 0, Kind::combine, child < rank ? Operand::left : Operand::right});
        }
        if (tree.parent >= 0) tasks.push_back({0, tree.children.empty() ? 0 : 1, tree.parent, 0, Kind::send});
    }
    write_pipeline(builder, std::move(tasks), count, first, 1);
}

// A rank waits in a step for a block from above that has passed its parent in an earlier one: the lag grows with the
// depth, or ranks would wait for each other. What comes down is not to meet what is still being sent up.
int both_ways_lag(int depth) {
    constexpr int still_under_way = 2;
    return depth == 0 ? 0 : depth + still_under_way;
}

void write_both_ways(ProgramBuilder& builder, int rank, const TreeOfRank& tree, int depth, int first, int count) {
    const int up = tree.children.empty() ? 0 : 1, lag = both_ways_lag(depth);
    const auto block = [&](int number) { return Blocks{Buffer::output, first + number, 1}; };
    const auto exists = [&](int number) { return number >= 0 && number < count; };
    for (int step = 0; step <= count + lag; ++step) {
        for (const int child : std::views::reverse(tree.children)) {
            const Operand side = child < rank ? Operand::left : Operand::right;
            if (exists(step)) builder.receive_reduce(child, block(step), side);
            if (exists(step - lag - 1)) builder.send(child, block(step - lag - 1));
        }
        if (tree.parent >= 0) {
            if (exists(step - up)) builder.send(tree.parent, block(step - up));
            if (exists(step - lag)) builder.receive(tree.parent, block(step - lag));
        }
        builder.next_step();
    }
}

}  // namespace coll_topo
