// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/buffer_use.hpp"

#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/verify/walk.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo::verify {
namespace {

bool reads_input(const Action& action) {
    return !is_receive(action) && action.buffer == Buffer::input;
}

bool bypasses_packing(const Action& action) {
    const bool packed = action.buffer == Buffer::scratch && (is_transfer(action) || action.target == Buffer::scratch);
    const bool packs = action.buffer == Buffer::input && action.target == Buffer::scratch;
    const bool unpacks = action.buffer == Buffer::scratch && action.target == Buffer::output;
    return !packed && !(action.kind == ActionKind::copy && (packs || unpacks));
}

}  // namespace

Expected<void> check_buffer_use(Collective collective, const Program& program, int rank, int ranks) {
    if (collective == Collective::exscan && rank == 0) {
        return check_steps(program, rank, [&](int, std::int32_t step) -> std::string {
            const auto actions = program.actions_of(program.steps[step]);
            const auto writes = [](const Action& action) { return written_buffer(action) == Buffer::output; };
            return std::ranges::any_of(actions, writes) ? "writes output, but rank 0 of an exscan gets nothing" : "";
        });
    }
    // Only these may run in place with another buffer than the one they work in.
    if (!own_piece_buffer(collective)) return {};
    const bool packs = !combines(collective);
    // In place, the root of a gather has its own piece where it belongs, and nothing else is received there.
    std::vector<bool> has_message(program.lanes.size(), false);
    return check_steps(program, rank, [&](int lane, std::int32_t step) -> std::string {
        const auto actions = program.actions_of(program.steps[step]);
        if (std::ranges::any_of(actions, is_transfer)) has_message[lane] = true;
        for (const Action& action : actions) {
            if (packs && bypasses_packing(action)) {
                return "uses input or output other than to copy it to or from scratch, where its elements are packed";
            }
            if (ranks == 1) continue;  // input and output are the same piece: what is copied stays where it is
            if (collective != Collective::gather && has_message[lane] && reads_input(action)) {
                return "reads input after the lane's first message; in place, output may have overwritten it";
            }
            if (!has_message[lane] && written_buffer(action) == Buffer::output) {
                return "writes output before the lane's first message; in place, this overwrites input";
            }
        }
        return {};
    });
}

}  // namespace coll_topo::verify
