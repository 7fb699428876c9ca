// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/tree_pipeline.hpp"

namespace coll_topo {

void write_tree_pipeline(ProgramBuilder& builder, const Problem& problem, int lane, const TreeNeighbours& neighbours) {
    std::vector<PipelineTask> tasks;
    add_tasks(tasks, problem.collective, neighbours.edges, neighbours.slots, neighbours.rounds);
    builder.lane();
    const int first = lane * problem.segments * TwoTrees::trees;
    write_pipeline(builder, std::move(tasks), problem.segments, first, TwoTrees::trees);
}

}  // namespace coll_topo
