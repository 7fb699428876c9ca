// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/prefix/prefix_rounds.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// What comes from a member goes to the left of all that this one knows, which follows on it.
void receive_round(ProgramBuilder& builder, int from, bool is_first, bool needs_through_own,
                   const PrefixBlocks& blocks) {
    if (!blocks.before) {
        builder.receive_reduce(from, blocks.through_own, Operand::left);
        return;
    }
    const Blocks arriving = is_first ? *blocks.before : blocks.arriving;
    builder.receive(from, arriving);
    if (!is_first) builder.reduce(arriving, blocks.before->buffer, blocks.before->first, Operand::left);
    if (!needs_through_own) return;
    builder.reduce(arriving, blocks.through_own.buffer, blocks.through_own.first, Operand::left);
}

}  // namespace

void write_prefix_rounds(ProgramBuilder& builder, std::span<const std::int32_t> members, int own,
                         const PrefixBlocks& blocks) {
    const int count = static_cast<int>(members.size());
    for (int distance = 1; distance < count; distance *= 2) {
        const bool sends_again = own + 2 * distance < count;
        if (own + distance < count) builder.send(members[own + distance], blocks.through_own);
        if (own >= distance) {
            receive_round(builder, members[own - distance], distance == 1, blocks.keeps_through_own || sends_again,
                          blocks);
        }
        builder.next_step();
    }
}

double prefix_rounds_seconds(RankOrderCost& cost, std::span<const std::span<const std::int32_t>> lists, double bytes,
                             double reduction) {
    std::size_t longest = 0;
    for (const auto& list : lists) longest = std::max(longest, list.size());
    double total = 0;
    for (std::size_t distance = 1; distance < longest; distance *= 2) {
        for (const auto& list : lists) {
            for (std::size_t i = 0; i + distance < list.size(); ++i) cost.message(list[i], list[i + distance], bytes);
        }
        total += cost.step() + reduction;
    }
    return total;
}

}  // namespace coll_topo
