// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/pipeline.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

void write_task(ProgramBuilder& builder, const PipelineTask& task, int block) {
    const Blocks data{Buffer::output, block, 1};
    switch (task.kind) {
        case PipelineTask::Kind::send:
            return builder.send(task.peer, data);
        case PipelineTask::Kind::receive:
            return builder.receive(task.peer, data);
        case PipelineTask::Kind::combine:
            return builder.receive_reduce(task.peer, data, task.side);
    }
}

}  // namespace

void add_tasks(std::vector<PipelineTask>& tasks, Collective collective, std::span<const TreeEdge> edges, int slots,
               int rounds) {
    using Kind = PipelineTask::Kind;
    const bool goes_up = collective != Collective::bcast, goes_down = collective != Collective::reduce;
    // The root sends a block back in the round in which it gets it whole.
    const int last_slot = (goes_up ? 2 * slots : slots) - 1, last_round = (goes_up ? 2 : 1) * (rounds - 1);
    for (const TreeEdge& edge : edges) {
        if (goes_up) {
            tasks.push_back(
                {edge.slot, edge.delay, edge.peer, edge.tree, edge.to_parent ? Kind::send : Kind::combine, edge.side});
        }
        if (goes_down) {
            tasks.push_back({last_slot - edge.slot, last_round - edge.delay, edge.peer, edge.tree,
                             edge.to_parent ? Kind::receive : Kind::send});
        }
    }
}

void write_pipeline(ProgramBuilder& builder, std::vector<PipelineTask> tasks, int segments, int first, int trees) {
    std::ranges::stable_sort(tasks, {}, &PipelineTask::slot);
    int rounds = 0;
    for (const PipelineTask& task : tasks) rounds = std::max(rounds, task.delay + segments);
    for (int round = 0; round < rounds; ++round) {
        int slot = -1;
        for (const PipelineTask& task : tasks) {
            if (task.slot != slot) builder.next_step();
            slot = task.slot;
            const int segment = round - task.delay;
            if (segment >= 0 && segment < segments) write_task(builder, task, first + segment * trees + task.tree);
        }
        builder.next_step();
    }
}

}  // namespace coll_topo
