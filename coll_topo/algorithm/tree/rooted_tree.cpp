// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include "coll_topo/algorithm/tree/pipeline.hpp"

#include <ranges>

namespace coll_topo {

void write_tree(ProgramBuilder& builder, Collective collective, int rank, const TreeOfRank& tree, int first,
                int count) {
    using Kind = PipelineTask::Kind;
    std::vector<PipelineTask> tasks;
    const bool goes_up = collective != Collective::bcast, goes_down = collective != Collective::reduce;
    // A rank passes a block on one step after it got it; a leaf of the tree has its own at once.
    const int upwards = tree.children.empty() ? 0 : 1;
    if (goes_up) {
        for (const int child : std::views::reverse(tree.children)) {
            tasks.push_back({0, 0, child, 0, Kind::combine, child < rank ? Operand::left : Operand::right});
        }
        if (tree.parent >= 0) tasks.push_back({0, upwards, tree.parent, 0, Kind::send});
    }
    if (goes_down) {
        // In an allreduce it comes back after a step for each hop to the root and from there. The root sends it in the
        // step after that in which it is whole.
        const int arrives = goes_up ? upwards + 2 * tree.depth - 1 : tree.parent < 0 ? -1 : 0;
        if (tree.parent >= 0) tasks.push_back({0, arrives, tree.parent, 0, Kind::receive});
        for (const int child : tree.children) tasks.push_back({0, arrives + 1, child, 0, Kind::send});
    }
    write_pipeline(builder, std::move(tasks), count, first, 1);
}

}  // namespace coll_topo
