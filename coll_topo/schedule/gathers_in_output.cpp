// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/gathers_in_output.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// Blocks of scratch to the same blocks of `output`.
bool is_delivery(const Action& action) {
    return action.kind == ActionKind::copy && action.buffer == Buffer::scratch && action.first == action.at;
}

}  // namespace

bool gathers_in_output(const Program& program, Collective collective) {
    if (collective != Collective::allgather || program.scratch_blocks != program.blocks) return false;
    for (std::size_t block = 0; block < program.scratch_order.size(); ++block) {
        if (program.scratch_order[block] != static_cast<std::int32_t>(block)) return false;
    }
    return std::ranges::all_of(program.actions, [](const Action& action) {
        if (is_transfer(action)) return action.buffer == Buffer::scratch;
        return action.target != Buffer::output || is_delivery(action);
    });
}

}  // namespace coll_topo
