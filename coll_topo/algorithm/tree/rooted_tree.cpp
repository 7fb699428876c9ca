// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/rooted_tree.hpp"

#include <ranges>

namespace coll_topo {
namespace {

// In both, a rank that receives a block sends it one step later.

void write_down(ProgramBuilder& builder, const TreeOfRank& tree, int first, int count) {
    const int delay = tree.parent < 0 ? 0 : 1;
    for (int step = 0; step < count + delay; ++step) {
        if (delay > 0 && step < count) builder.receive(tree.parent, {Buffer::output, first + step, 1});
        if (step >= delay) {
            for (const int child : tree.children) builder.send(child, {Buffer::output, first + step - delay, 1});
        }
        builder.next_step();
    }
}

void write_up(ProgramBuilder& builder, int rank, const TreeOfRank& tree, int first, int count) {
    const int delay = tree.children.empty() ? 0 : 1;
    for (int step = 0; step < count + delay; ++step) {
        if (step < count) {
            for (const int child : std::views::reverse(tree.children)) {
                const Operand stands = child < rank ? Operand::left : Operand::right;
                builder.receive_reduce(child, {Buffer::output, first + step, 1}, stands);
            }
        }
        if (tree.parent >= 0 && step >= delay) builder.send(tree.parent, {Buffer::output, first + step - delay, 1});
        builder.next_step();
    }
}

}  // namespace

void write_tree(ProgramBuilder& builder, Collective collective, int rank, const TreeOfRank& tree, int first,
                int count) {
    if (collective == Collective::bcast)
        write_down(builder, tree, first, count);
    else
        write_up(builder, rank, tree, first, count);
}

}  // namespace coll_topo
