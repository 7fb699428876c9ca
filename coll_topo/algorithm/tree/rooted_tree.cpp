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

}  // namespace coll_topo
