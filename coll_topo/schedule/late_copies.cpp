// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/late_copies.hpp"

#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/schedule/gathers_in_output.hpp"
#include "coll_topo/schedule/latency_bound.hpp"

namespace coll_topo {
namespace {

/// That an action neither needs the own piece in scratch nor changes it there.
bool leaves_alone(const Action& action, const BlockRange& own) {
    const std::int32_t end = action.first + action.count;
    if (is_receive(action)) return end <= own.begin || own.end <= action.first;
    if (!is_send(action)) return action.kind == ActionKind::copy && action.target == Buffer::output;
    const bool all = own.begin <= action.first && end <= own.end;
    return all || end <= own.begin || own.end <= action.first;
}

/// Of an alltoall: that an action neither reads nor changes the own piece in `output`.
bool leaves_output_alone(const Action& action, const BlockRange& own) {
    const auto touches = [&](Buffer buffer, std::int32_t first) {
        return buffer == Buffer::output && first < own.end && own.begin < first + action.count;
    };
    return !touches(action.buffer, action.first) && (is_transfer(action) || !touches(action.target, action.at));
}

/// The same of its program, but for the copies with which its lanes begin: these bring the own piece there, and nothing
/// else.
bool may_copy_late_in_alltoall(const Program& program, const BlockRange& own) {
    std::int32_t copied = 0;
    for (const Lane& lane : program.lanes) {
        const std::int32_t first = first_step_with_messages(program, lane);
        for (std::int32_t step = lane.begin_step; step < lane.end_step; ++step) {
            for (const Action& action : program.actions_of(program.steps[step])) {
                const bool of_own_piece = own.begin <= action.first && action.first + action.count <= own.end;
                const bool brings = action.kind == ActionKind::copy && action.buffer == Buffer::input &&
                                    action.target == Buffer::output && action.first == action.at && of_own_piece;
                if (step < first ? !brings : !leaves_output_alone(action, own)) return false;
                if (step < first) copied += action.count;
            }
        }
    }
    return copied == own.end - own.begin;
}

}  // namespace

std::int32_t first_step_with_messages(const Program& program, const Lane& lane) {
    std::int32_t step = lane.begin_step;
    while (step < lane.end_step && !is_transfer(program.actions_of(program.steps[step]).front())) ++step;
    return step;
}

std::uint64_t bytes_of_late_copies(const Program& program, const MessageSizes& sizes) {
    std::uint64_t bytes = 0;
    for (const Lane& lane : program.lanes) {
        for (std::int32_t step = lane.begin_step; step < first_step_with_messages(program, lane); ++step) {
            for (const Action& action : program.actions_of(program.steps[step])) bytes += sizes.bytes(action);
        }
    }
    return bytes;
}

bool copies_own_piece_late(const Program& program, Collective collective, int ranks, int rank,
                           const MessageSizes& sizes) {
    return may_copy_own_piece_late(program, collective, ranks, rank) &&
           bytes_of_late_copies(program, sizes) > latency_bound_bytes;
}

bool may_copy_own_piece_late(const Program& program, Collective collective, int ranks, int rank) {
    if (collective == Collective::alltoall) {
        return may_copy_late_in_alltoall(program, BlockLayout(collective, program, ranks).piece(rank));
    }
    if (!gathers_in_output(program, collective)) return false;
    const BlockRange own = BlockLayout(collective, program, ranks).existing(Buffer::input, rank);
    const auto is_first_copy = [](const Action& action) {
        return action.kind == ActionKind::copy && action.buffer == Buffer::input && action.target == Buffer::scratch;
    };
    return std::ranges::all_of(program.lanes, [&](const Lane& lane) {
        const std::int32_t first = first_step_with_messages(program, lane);
        for (std::int32_t step = lane.begin_step; step < lane.end_step; ++step) {
            for (const Action& action : program.actions_of(program.steps[step])) {
                if (!(step < first && is_first_copy(action)) && !leaves_alone(action, own)) return false;
            }
        }
        return true;
    });
}

}  // namespace coll_topo
