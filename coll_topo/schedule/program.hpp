// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/call.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Where a block lies: the caller's send buffer, its receive buffer, or memory of the executor.
enum class Buffer : std::uint8_t { input, output, scratch };

/// On which side of the operation a received (or other) value stands; matters to operations that do not commute.
enum class Operand : std::uint8_t { left, right };

enum class ActionKind : std::uint8_t {
    send,            ///< blocks [first, first+count) of `buffer` to `peer`
    receive,         ///< from `peer` into blocks [first, first+count) of `buffer`
    receive_reduce,  ///< from `peer`, folded into blocks [first, first+count) of `buffer`
    copy,            ///< blocks [first, first+count) of `buffer` to `target` from block `at`
    reduce,          ///< blocks [first, first+count) of `buffer` folded into `target` from block `at`
};

/// One thing to do in a step. Blocks are numbered 0 .. blocks-1 in every buffer.
struct Action {
    ActionKind kind;
    Buffer buffer;
    Buffer target;
    Operand operand;
    std::int32_t peer;
    std::int32_t first;
    std::int32_t count;
    std::int32_t at;

    bool operator==(const Action&) const = default;
};

constexpr bool is_send(const Action& action) {
    return action.kind == ActionKind::send;
}
constexpr bool is_receive(const Action& action) {
    return action.kind == ActionKind::receive || action.kind == ActionKind::receive_reduce;
}
/// A message, not local work.
constexpr bool is_transfer(const Action& action) {
    return is_send(action) || is_receive(action);
}
/// Receives come first in a step, sends next, local work last.
constexpr int place_in_step(const Action& action) {
    return is_receive(action) ? 0 : is_send(action) ? 1 : 2;
}
/// The buffer that the action changes; of a send, which changes none, `input`.
constexpr Buffer written_buffer(const Action& action) {
    if (is_send(action)) return Buffer::input;
    return is_receive(action) ? action.buffer : action.target;
}

/// Actions [begin, end) of a program. Within a step the transfers are posted together, receives before sends; sends
/// read what stood before the step; receive_reduce applies in the order listed; copy and reduce run last, in the order
/// listed. A step has at most one message to and one from each peer.
struct Step {
    std::int32_t begin;
    std::int32_t end;
    bool sends_overlap_receives;  ///< reductions must wait until the step's sends are done
    std::int8_t receives_ahead;   ///< its receives may be posted while one of so many steps before it is in progress
    std::int8_t passes_sends;     ///< it may begin while sends of so many steps before it are in progress

    bool operator==(const Step&) const = default;
};

/// Limit of receives_ahead and passes_sends in lanes without a window; a step that reduces what it receives is at most
/// one ahead.
inline constexpr int most_steps_ahead = 3;
inline constexpr int largest_window = 32;

/// Steps in order; different lanes are independent of each other and in progress at once.
/// Messages between two ranks match in order within a lane.
struct Lane {
    std::int32_t begin_step;
    std::int32_t end_step;
    /// How many steps may be in flight at once, up to largest_window; 1, which means no window, where anything is
    /// reduced on arrival. Without a window sends of earlier steps may be in flight besides, as Step says.
    std::int32_t window = 1;
    /// How many sends of a step may be under way at once, in the order listed: one begins when the one listed so many
    /// places before it is done. 0: all of them. Short messages may ignore it.
    std::int32_t sends_at_once = 0;

    /// The limits of Step::passes_sends, which is never more than the window, and of Step::receives_ahead: others may
    /// be a whole window ahead, and find their receives posted.
    int most_sends_passed() const { return window > 1 ? window - 1 : most_steps_ahead; }
    int most_receives_ahead() const { return window > 1 ? 2 * window - 1 : most_steps_ahead; }

    bool operator==(const Lane&) const = default;
};

/// What one rank does in a collective. Independent of the size of the data.
/// allreduce: the buffers count the same blocks of the vector (`scratch`, see below); `output` holds this rank's
/// contribution at the start. reduce_scatter: blocks [k*lanes, (k+1)*lanes) of `input` and `output` are rank k's piece;
/// `input` holds the contribution; of `output` only this rank's piece exists. allgather: likewise, `input` holds only
/// this rank's piece. In both, a program of one lane may cut every piece into more blocks. In both, a lane reads
/// `input` only before its first message and writes `output` only after, so that the two may be the same memory;
/// allgather touches them only by copies, which may pack and unpack, or have nothing to do
/// if scratch is `output` (gathers_in_output()). `scratch` block i of these, and of an allreduce
/// that has an order, is as large as the block `scratch_order[i]` of the vector. bcast: `output` and `scratch` count
/// the same blocks of the vector, which is in the root's `output` at the start and in everyone's at the end; there is
/// no `input`. reduce: as allreduce, but only the root's `output` holds the result at the end; the others' is memory to
/// work in. alltoall: every piece is cut into s slices of one block each; blocks [k*s, (k+1)*s) of `input` are the
/// piece for rank k, those of `output` the piece from rank k; `scratch` has any number of blocks for each slice, first
/// those of slice 0; `input` and `output` are never the same memory. gather: as allgather, but only the root has an
/// `output`. scan: as allreduce, but `output` holds at the end what the rank and those before it contributed. exscan:
/// what those before it did; rank 0 does not write to it. scatter: as reduce_scatter, but only the root has an `input`,
/// whose piece k becomes rank k's `output`. In both, input and output are touched by copies alone, which have nothing
/// to do where scratch is the buffer that it is laid out as (scratch_in_buffer()). neighbor_alltoall: block k of
/// `input` is the piece for neighbour k of the Cartesian topology, block k of `output` the piece from it, untouched
/// where there is no such neighbour; `input` and `output` are never the same memory, and there is no `scratch`.
/// neighbor_allgather: likewise, but the one block of `input` is for all neighbours.
struct Program {
    int blocks = 0;                           ///< of `input` and `output`
    int scratch_blocks = 0;                   ///< 0: no scratch
    std::vector<std::int32_t> scratch_order;  ///< empty: scratch block i is as large as vector block i % blocks
    std::vector<Lane> lanes;
    std::vector<Step> steps;
    std::vector<Action> actions;
    /// A rank that has combined much goes on with the first lane that can, rather than with the next one, so that the
    /// results of early lanes travel while late ones are combined. For lanes that give all ranks the same work.
    bool first_lanes_first = false;

    std::span<const Step> steps_of(const Lane& lane) const {
        return {steps.data() + lane.begin_step, steps.data() + lane.end_step};
    }
    std::span<const Action> actions_of(const Step& step) const {
        return {actions.data() + step.begin, actions.data() + step.end};
    }

    bool operator==(const Program&) const = default;
};

}  // namespace coll_topo
