// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo {

/// Writes what a rank does while segments 0 .. segments-1 stream past it: of each of its tasks one segment a round, the
/// first one in the round `Task::delay`, in the order of `Task::slot`. A step is a slot of a round. `write` writes a
/// task for a segment.
template <typename Task, typename Write>
void write_pipeline_rounds(ProgramBuilder& builder, std::vector<Task> tasks, int segments, Write&& write) {
    std::ranges::stable_sort(tasks, {}, &Task::slot);
    int rounds = 0;
    for (const Task& task : tasks) rounds = std::max(rounds, task.delay + segments);
    for (int round = 0; round < rounds; ++round) {
        int slot = -1;
        for (const Task& task : tasks) {
            if (task.slot != slot) builder.next_step();
            slot = task.slot;
            const int segment = round - task.delay;
            if (segment >= 0 && segment < segments) write(task, segment);
        }
        builder.next_step();
    }
}

}  // namespace coll_topo
