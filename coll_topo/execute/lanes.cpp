// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/lanes.hpp"

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/segments.hpp"
#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transfer.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <utility>

namespace coll_topo {
namespace {

class Execution {
public:
    Execution(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers)
        : plan_(plan),
          program_(plan.program),
          transport_(transport),
          data_(plan, transport, buffers),
          segments_(transport, data_, plan.segment_bytes) {}

    int run(const coll_topo_buffers& buffers, Workspace& workspace) {
        if (!take_memory(buffers, workspace)) return COLL_TOPO_OUT_OF_MEMORY;
        const int lanes = static_cast<int>(program_.lanes.size());
        int unfinished = lanes;
        // All lanes copy what they begin with out of `input` before any of them posts a message, so that `output` may
        // be the same memory.
        for (int lane = 0; lane < lanes; ++lane) run_local_steps(lane);
        for (int lane = 0; lane < lanes && error() == 0; ++lane) {
            if (start_from_current(lane)) --unfinished;
        }
        while (unfinished > 0 && error() == 0) {
            bool moved = false;
            for (int lane = 0; lane < lanes && error() == 0; ++lane) {
                if (steps_[lane] == program_.lanes[lane].end_step || !advance(lane)) continue;
                moved = true;
                if (!current(lane).ended()) continue;
                ++steps_[lane];
                if (start_from_current(lane)) --unfinished;
            }
            // Progress may give the processor away, so only when there is nothing else to do.
            if (!moved) transport_.progress(&transport_);
        }
        if (error() != 0) cancel_everything();
        return error();
    }

private:
    StepState& state(int lane, int step) { return states_[lane * 2 + step % 2]; }
    StepState& current(int lane) { return state(lane, steps_[lane]); }

    bool take_memory(const coll_topo_buffers& buffers, Workspace& workspace) {
        const std::size_t lanes = program_.lanes.size();
        staging_size_ = {transport_.extent, transport_.scratch_tail, segments_.longest()};
        update_staging(plan_.staging, program_, data_, staging_size_, buffers);
        const std::size_t scratch_bytes = staging_size_.memory(data_.scratch_elements());
        const std::size_t transfers = lanes * 2 * plan_.largest_step;
        std::size_t total = 0;
        const auto room = [&](std::size_t bytes) { return std::exchange(total, total + Workspace::aligned(bytes)); };
        const std::size_t steps_at = room(lanes * sizeof(std::int32_t)),
                          states_at = room(lanes * 2 * sizeof(StepState));
        const std::size_t transfers_at = room(transfers * sizeof(Transfer)), scratch_at = room(scratch_bytes);
        const std::size_t staging_at = room(plan_.staging.begin.back());
        std::byte* memory = workspace.reserve(total);
        if (memory == nullptr) return false;
        steps_ = reinterpret_cast<std::int32_t*>(memory + steps_at);
        states_ = reinterpret_cast<StepState*>(memory + states_at);
        auto* transfer = reinterpret_cast<Transfer*>(memory + transfers_at);
        for (std::size_t i = 0; i < lanes * 2; ++i, transfer += plan_.largest_step) {
            new (&states_[i]) StepState(transfer, transfer + plan_.largest_step);
        }
        data_.set_scratch(memory + scratch_at);
        staging_ = memory + staging_at;
        return true;
    }

    /// Puts the lane at its first step with messages, with the local work before it done.
    void run_local_steps(int lane) {
        const Lane& whole = program_.lanes[lane];
        for (steps_[lane] = whole.begin_step; steps_[lane] < whole.end_step; ++steps_[lane]) {
            if (is_transfer(program_.actions_of(program_.steps[steps_[lane]]).front())) return;
            finish(lane, steps_[lane]);
        }
    }

    /// Starts the lane's current step, and the ones after it as long as they end at once. True if the lane is finished.
    bool start_from_current(int lane) {
        for (; steps_[lane] < program_.lanes[lane].end_step && error() == 0; ++steps_[lane]) {
            start(lane, steps_[lane]);
            if (!current(lane).ended()) return false;
        }
        return steps_[lane] == program_.lanes[lane].end_step;
    }

    void start(int lane, int step) {
        StepState& now = state(lane, step);
        if (!now.receives_posted) prepare(lane, step);
        now.for_each([&](Transfer& transfer) {
            if (transfer.action->kind == ActionKind::send) segments_.post(transfer, lane);
        });
        const int next = step + 1;
        if (next < program_.lanes[lane].end_step && program_.steps[next].receives_may_be_early) prepare(lane, next);
        if (now.ended()) finish(lane, step);
    }

    /// Lists the transfers of a step and posts its receives.
    void prepare(int lane, int step) {
        StepState& prepared = state(lane, step);
        prepared.receives_posted = true;
        const bool reductions_wait = program_.steps[step].sends_overlap_receives;
        const Transfer* before = nullptr;
        std::byte* staging = staging_ + plan_.staging.begin[lane * 2 + step % 2];
        for (const Action& action : program_.actions_of(program_.steps[step])) {
            if (!is_transfer(action)) break;
            const std::size_t begin = data_.offset(action.buffer, action.first);
            const std::size_t elements = data_.offset(action.buffer, action.first + action.count) - begin;
            if (elements == 0) continue;
            const bool reduces = action.kind == ActionKind::receive_reduce;
            const bool held_up_for = action.kind == ActionKind::send && reductions_wait;
            Transfer& transfer = prepared.add(reduces || held_up_for || elements > segments_.longest());
            transfer = {&action, data_.address_of(action.buffer, begin), nullptr, nullptr, elements, 0, 0, {}, {}, 0,
                        0};
            if (reduces) {
                transfer.staging = staging + transport_.scratch_lead;
                staging += staging_size_.bytes(elements);
                transfer.before = std::exchange(before, &transfer);
            }
            if (action.kind != ActionKind::send) segments_.post(transfer, lane);
        }
    }

    /// Looks at the requests of the lane's step. True if anything happened; all transfers are gone once it has ended.
    bool advance(int lane) {
        StepState& now = current(lane);
        const bool reductions_wait = program_.steps[steps_[lane]].sends_overlap_receives;
        bool moved = wait_in_turn(now);
        for (Transfer& transfer : now.attended()) {
            if (error() != 0) return true;
            if (!transfer.finished()) moved |= segments_.advance(transfer, now, reductions_wait, lane);
        }
        if (error() != 0) return true;
        if (now.ended()) finish(lane, steps_[lane]);
        return moved;
    }

    /// Lets go of the transfers that only had to end and have. True if there were any.
    bool wait_in_turn(StepState& now) {
        bool moved = false;
        for (Transfer* transfer = now.waiting(); transfer != nullptr && error() == 0; transfer = now.waiting()) {
            if (!segments_.take(transfer->requests[0])) return moved;
            moved = true;
            now.next_waiting();
        }
        return moved;
    }

    /// Local work after the messages of a step; leaves its state empty.
    void finish(int lane, int step) {
        for (const Action& action : program_.actions_of(program_.steps[step])) {
            if (is_transfer(action)) continue;
            if (error() == 0) segments_.fail(data_.run_local(action));
        }
        state(lane, step).clear();
    }

    void cancel_everything() {
        for (StepState& step : std::span(states_, program_.lanes.size() * 2)) {
            step.for_each([&](Transfer& transfer) { segments_.cancel(transfer); });
        }
    }

    int error() const { return segments_.error(); }

    Plan& plan_;
    const Program& program_;
    coll_topo_transport& transport_;
    Data data_;
    Segments segments_;
    StagingSize staging_size_{};
    std::int32_t* steps_ = nullptr;  // by lane, the step in progress
    StepState* states_ = nullptr;    // by lane and parity of the step
    std::byte* staging_ = nullptr;
};

}  // namespace

int execute_lanes(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers, Workspace& workspace) {
    return Execution(plan, transport, buffers).run(buffers, workspace);
}

}  // namespace coll_topo
