// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/form.hpp"

#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/verify/goal.hpp"
#include "coll_topo/verify/memory.hpp"
#include "coll_topo/verify/walk.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo::verify {
namespace {

std::string wrong_order(const Program& program) {
    if (static_cast<int>(program.scratch_order.size()) != program.scratch_blocks) {
        return "scratch_order names " + std::to_string(program.scratch_order.size()) + " blocks, but there are " +
               std::to_string(program.scratch_blocks) + " scratch blocks";
    }
    const bool all_exist = std::ranges::all_of(program.scratch_order,
                                               [&](std::int32_t same) { return same >= 0 && same < program.blocks; });
    return all_exist ? "" : "scratch_order names a block the vector lacks";
}

// Without an order, scratch repeats the vector.
std::string wrong_vector(const Program& program) {
    return program.scratch_order.empty() ? "" : wrong_order(program);
}

std::string wrong_square(const Program& program, int ranks) {
    if (program.blocks % ranks != 0) {
        return "the buffers have " + std::to_string(program.blocks) + " blocks instead of as many for each of " +
               std::to_string(ranks) + " ranks";
    }
    const int slices = program.blocks / ranks;
    if (program.scratch_blocks % slices != 0) {
        return "scratch has " + std::to_string(program.scratch_blocks) + " blocks instead of as many for each of " +
               std::to_string(slices) + " slices";
    }
    return program.scratch_order.empty() ? "" : "scratch_order has no meaning in alltoall, whose pieces are all alike";
}

std::string wrong_neighbors(const Program& program) {
    if (program.blocks % 2 != 0) {
        return "the buffers have " + std::to_string(program.blocks) + " blocks instead of two for each dimension";
    }
    return program.scratch_blocks > 0 ? "there is no scratch between neighbours" : "";
}

// Block k * lanes + lane of the vector is the lane's share of rank k's piece. Scratch holds one lane's shares after the
// other's, or pieces with the shares of all lanes as in the vector, so that the executor can tell where a scratch block
// begins without a table when all pieces are equal, or of one lane any blocks.
std::string wrong_pieces(const Program& program, int ranks) {
    const auto lanes = static_cast<std::int32_t>(program.lanes.size());
    const bool one_lane = lanes == 1;
    if (one_lane ? program.blocks % ranks != 0 : program.blocks != ranks * lanes) {
        return "the vector has " + std::to_string(program.blocks) + " blocks instead of one for each of " +
               std::to_string(ranks) + " ranks and " + std::to_string(lanes) + " lanes";
    }
    if (std::string wrong = wrong_order(program); !wrong.empty() || one_lane) return wrong;
    if (program.scratch_blocks > program.blocks) return "scratch has more blocks than the vector";
    const auto is_share_of = [&](std::int32_t i, std::int32_t lane) {
        return program.scratch_order[i] % lanes == lane;
    };
    bool whole_pieces = true;
    for (std::int32_t i = 0; i < program.scratch_blocks; ++i) whole_pieces = whole_pieces && is_share_of(i, i % lanes);
    for (std::int32_t i = 0; i < program.scratch_blocks && !whole_pieces; ++i) {
        const std::int32_t same = program.scratch_order[i];
        if (is_share_of(i, i / ranks)) continue;
        return "scratch block " + std::to_string(i) + " is in the part of lane " + std::to_string(i / ranks) +
               ", but scratch_order makes it a share of lane " + std::to_string(same % lanes);
    }
    return {};
}

std::string wrong_header(Collective collective, const Program& program, int ranks) {
    if (static_cast<int>(collective) >= collective_count) return "the collective is unknown";
    if (program.blocks < 1) return "the vector has no blocks; it needs at least one";
    if (program.scratch_blocks < 0) return "scratch_blocks is negative";
    switch (vector_form(collective)) {
        case VectorForm::whole:
            return wrong_vector(program);
        case VectorForm::square:
            return wrong_square(program, ranks);
        case VectorForm::neighbors:
            return wrong_neighbors(program);
        case VectorForm::pieces:
            break;
    }
    return wrong_pieces(program, ranks);
}

// The lanes must cut the steps, and the steps the actions, into consecutive parts: each runs once.
std::string wrong_partition(const Program& program) {
    std::int32_t step = 0;
    for (std::size_t lane = 0; lane < program.lanes.size(); ++lane) {
        const Lane& part = program.lanes[lane];
        const std::string name = "lane " + std::to_string(lane);
        if (part.begin_step != step || part.end_step < step) {
            return name + " does not begin at step " + std::to_string(step) + ", where the lane before it ends";
        }
        if (part.window < 1) return name + " has no window; it must be at least 1";
        if (part.sends_at_once < 0) return name + " lets fewer than no sends be under way";
        if (part.window > largest_window) {
            return name + " has a window of " + std::to_string(part.window) + "; it may be at most " +
                   std::to_string(largest_window);
        }
        step = part.end_step;
    }
    if (step != static_cast<std::int32_t>(program.steps.size())) {
        return "the lanes hold " + std::to_string(step) + " of the " + std::to_string(program.steps.size()) + " steps";
    }
    std::int32_t action = 0;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        if (program.steps[i].begin != action || program.steps[i].end < action) {
            return "step " + std::to_string(i) + " of the program does not begin at action " + std::to_string(action) +
                   ", where the step before it ends";
        }
        action = program.steps[i].end;
    }
    if (action == static_cast<std::int32_t>(program.actions.size())) return {};
    return "the steps hold " + std::to_string(action) + " of the " + std::to_string(program.actions.size()) +
           " actions";
}

std::string wrong_blocks(const Memory& memory, Buffer buffer, std::int64_t first, std::int64_t count) {
    const BlockRange exists = memory.existing_blocks(buffer);
    if (first >= exists.begin && first + count <= exists.end) return {};
    return "blocks [" + std::to_string(first) + ", " + std::to_string(first + count) + ") of " + buffer_name(buffer) +
           " reach outside the [" + std::to_string(exists.begin) + ", " + std::to_string(exists.end) +
           ") that exist on this rank";
}

std::string wrong_action(Collective collective, const Memory& memory, const Action& action, int rank, int ranks) {
    if (action.kind > ActionKind::reduce) return "an action is of unknown kind";
    if (action.buffer > Buffer::scratch || action.target > Buffer::scratch) return "a buffer is unknown";
    if (action.operand > Operand::right) return "an operand is on an unknown side";
    const bool reduces = action.kind == ActionKind::receive_reduce || action.kind == ActionKind::reduce;
    if (reduces && !combines(collective)) return "reduces, but the collective only moves data";
    if (action.count < 1) return "an action is about no block; leave it out";
    if (std::string wrong = wrong_blocks(memory, action.buffer, action.first, action.count); !wrong.empty()) {
        return wrong;
    }
    if (is_transfer(action)) {
        const std::string peer = std::to_string(action.peer);
        if (action.peer < 0 || action.peer >= ranks) return "peer " + peer + " is no rank";
        if (action.peer == rank) return "a message to itself; use a copy or a reduce";
        const bool writes_input = action.kind != ActionKind::send && action.buffer == Buffer::input;
        return writes_input ? "receives into input, which is the caller's and may not be written" : "";
    }
    if (action.target == Buffer::input) return "writes to input, which is the caller's and may not be written";
    return wrong_blocks(memory, action.target, action.at, action.count);
}

// How far the steps around this one may overlap with it.
std::string wrong_overlap(const Program& program, const Lane& lane, const Step& step) {
    if (step.receives_ahead < 0 || step.receives_ahead > lane.most_receives_ahead() || step.passes_sends < 0 ||
        step.passes_sends > lane.most_sends_passed()) {
        return "overlaps with more steps than the executor keeps";
    }
    const auto reduces = [](const Action& action) { return action.kind == ActionKind::receive_reduce; };
    if (!std::ranges::any_of(program.actions_of(step), reduces)) return {};
    // There is memory for the operands of two steps.
    if (step.receives_ahead > 1) return "receives operands more than one step ahead";
    return lane.window > 1 ? "reduces what it receives in a lane with a window" : "";
}

// Remembers the step in which each peer was last sent to and received from.
class PeersOfStep {
public:
    explicit PeersOfStep(int ranks) : sent_(ranks, -1), received_(ranks, -1) {}

    bool repeats(const Action& action, int step) {
        if (!is_transfer(action)) return false;
        int& last = (action.kind == ActionKind::send ? sent_ : received_)[action.peer];
        const bool again = last == step;
        last = step;
        return again;
    }

private:
    std::vector<int> sent_;
    std::vector<int> received_;
};

}  // namespace

Expected<void> check_form(Collective collective, const Program& program, int rank, int ranks) {
    const std::string prefix = "rank " + std::to_string(rank) + ": ";
    if (std::string wrong = wrong_header(collective, program, ranks); !wrong.empty()) return failure(prefix + wrong);
    if (std::string wrong = wrong_partition(program); !wrong.empty()) return failure(prefix + wrong);
    const Memory memory(collective, program, rank, ranks);
    PeersOfStep peers(ranks);
    return check_steps(program, rank, [&](int lane, std::int32_t step) -> std::string {
        const Step& now = program.steps[step];
        if (std::string wrong = wrong_overlap(program, program.lanes[lane], now); !wrong.empty()) return wrong;
        const Action* last = nullptr;
        for (const Action& action : program.actions_of(now)) {
            std::string wrong = wrong_action(collective, memory, action, rank, ranks);
            if (!wrong.empty()) return wrong;
            if (last != nullptr && place_in_step(action) < place_in_step(*last)) {
                return "lists receives, sends and local work in another order than this";
            }
            last = &action;
            if (!peers.repeats(action, step)) continue;
            return "two messages " + std::string(action.kind == ActionKind::send ? "to" : "from") + " rank " +
                   std::to_string(action.peer) + "; a step has at most one each way";
        }
        return {};
    });
}

}  // namespace coll_topo::verify
