// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/tree_pipeline.hpp"

#include "coll_topo/algorithm/tree/pipeline_rounds.hpp"

namespace coll_topo {
namespace {

/// What a rank does with one block of a tree after the other.
struct Task {
    int slot;
    int delay;
    int peer;
    int tree;
    bool sends;
    bool reduces;
};

std::vector<Task> list_tasks(Collective collective, const TreeNeighbours& neighbours) {
    const bool goes_up = collective != Collective::bcast, goes_down = collective != Collective::reduce;
    const int last_slot = neighbours.slots - 1, last_round = neighbours.rounds - 1;
    std::vector<Task> tasks;
    for (const TreeEdge& edge : neighbours.edges) {
        if (goes_up) tasks.push_back({edge.slot, edge.delay, edge.peer, edge.tree, edge.to_parent, true});
        if (!goes_down) continue;
        // The root sends a block back in the round in which it gets it whole.
        const int first_slot = goes_up ? neighbours.slots : 0, first_round = goes_up ? last_round : 0;
        tasks.push_back({first_slot + last_slot - edge.slot, first_round + last_round - edge.delay, edge.peer,
                         edge.tree, !edge.to_parent, false});
    }
    return tasks;
}

}  // namespace

void write_tree_pipeline(ProgramBuilder& builder, const Problem& problem, int lane, int rank,
                         const TreeNeighbours& neighbours) {
    builder.lane();
    const auto write = [&](const Task& task, int segment) {
        const Blocks data{Buffer::output, (lane * problem.segments + segment) * TwoTrees::trees + task.tree, 1};
        if (task.sends)
            builder.send(task.peer, data);
        else if (task.reduces)
            builder.receive_reduce(task.peer, data, task.peer < rank ? Operand::left : Operand::right);
        else
            builder.receive(task.peer, data);
    };
    write_pipeline_rounds(builder, list_tasks(problem.collective, neighbours), problem.segments, write);
}

}  // namespace coll_topo
