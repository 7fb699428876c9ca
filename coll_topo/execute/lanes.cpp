// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/lanes.hpp"

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transfer.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace coll_topo {
namespace {

class Execution {
public:
    Execution(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers)
        : plan_(plan), program_(plan.program), transport_(transport), data_(plan, transport, buffers) {
        if (plan.segment_bytes > 0) {
            segment_ = std::max<std::size_t>(1, plan.segment_bytes / transport.element_bytes);
            most_under_way_ = segment_ * Transfer::depth;
        }
    }

    int run(const coll_topo_buffers& buffers, Workspace& workspace) {
        if (!take_memory(buffers, workspace)) return COLL_TOPO_OUT_OF_MEMORY;
        const int lanes = static_cast<int>(program_.lanes.size());
        int unfinished = lanes;
        // All lanes copy what they begin with out of `input` before any of them posts a message, so that `output` may
        // be the same memory.
        for (int lane = 0; lane < lanes; ++lane) run_local_steps(lane);
        for (int lane = 0; lane < lanes && error_ == 0; ++lane) {
            if (start_from_current(lane)) --unfinished;
        }
        while (unfinished > 0 && error_ == 0) {
            bool moved = false;
            for (int lane = 0; lane < lanes && error_ == 0; ++lane) {
                if (steps_[lane] == program_.lanes[lane].end_step || !advance(lane)) continue;
                moved = true;
                if (current(lane).count != 0) continue;
                ++steps_[lane];
                if (start_from_current(lane)) --unfinished;
            }
            // Progress may give the processor away, so only when there is nothing else to do.
            if (!moved) transport_.progress(&transport_);
        }
        if (error_ != 0) cancel_everything();
        return error_;
    }

private:
    StepState& state(int lane, int step) { return states_[lane * 2 + step % 2]; }
    StepState& current(int lane) { return state(lane, steps_[lane]); }

    bool take_memory(const coll_topo_buffers& buffers, Workspace& workspace) {
        const std::size_t lanes = program_.lanes.size();
        staging_size_ = {transport_.extent, transport_.scratch_tail, segment_};
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
        for (std::size_t i = 0; i < lanes * 2; ++i) states_[i] = {transfer + i * plan_.largest_step, 0, false};
        data_.set_scratch(memory + scratch_at);
        staging_ = memory + staging_at;
        return true;
    }

    /// Puts the lane at its first step with messages, with the local work before it done.
    void run_local_steps(int lane) {
        const Lane& whole = program_.lanes[lane];
        for (steps_[lane] = whole.begin_step; steps_[lane] < whole.end_step; ++steps_[lane]) {
            if (is_transfer(program_.actions_of(program_.steps[steps_[lane]]).front().kind)) return;
            finish(lane, steps_[lane]);
        }
    }

    /// Starts the lane's current step, and the ones after it as long as they end at once. True if the lane is finished.
    bool start_from_current(int lane) {
        for (; steps_[lane] < program_.lanes[lane].end_step && error_ == 0; ++steps_[lane]) {
            start(lane, steps_[lane]);
            if (current(lane).count != 0) return false;
        }
        return steps_[lane] == program_.lanes[lane].end_step;
    }

    void start(int lane, int step) {
        StepState& now = state(lane, step);
        if (!now.receives_posted) prepare(lane, step);
        for (int i = 0; i < now.count; ++i) {
            if (now.transfers[i].action->kind == ActionKind::send) post(now.transfers[i], lane);
        }
        const int next = step + 1;
        if (next < program_.lanes[lane].end_step && program_.steps[next].receives_may_be_early) prepare(lane, next);
        if (now.count == 0) finish(lane, step);
    }

    /// Lists the transfers of a step and posts its receives.
    void prepare(int lane, int step) {
        StepState& prepared = state(lane, step);
        prepared.count = 0;
        prepared.receives_posted = true;
        std::byte* staging = staging_ + plan_.staging.begin[lane * 2 + step % 2];
        for (const Action& action : program_.actions_of(program_.steps[step])) {
            if (!is_transfer(action.kind)) break;
            const std::size_t begin = data_.offset(action.buffer, action.first);
            const std::size_t elements = data_.offset(action.buffer, action.first + action.count) - begin;
            if (elements == 0) continue;
            Transfer& transfer = prepared.transfers[prepared.count++];
            transfer = {&action, data_.address_of(action.buffer, begin), nullptr, elements, 0, 0, {}, {}, 0, 0};
            if (action.kind == ActionKind::receive_reduce) {
                transfer.staging = staging + transport_.scratch_lead;
                staging += staging_size_.bytes(elements);
            }
            if (action.kind != ActionKind::send) post(transfer, lane);
        }
    }

    /// Posts as many segments as may be under way.
    void post(Transfer& transfer, int lane) {
        while (error_ == 0 && transfer.posted < transfer.elements &&
               transfer.posted - transfer.done < most_under_way_) {
            const std::size_t count = std::min(segment_, transfer.elements - transfer.posted);
            const int slot = transfer.post_slot;
            std::byte* data = transfer.data + offset(transfer.posted);
            if (transfer.staging != nullptr) data = staging_slot(transfer, slot);
            const int peer = transfer.action->peer;
            void** request = &transfer.requests[slot];
            error_ = transfer.action->kind == ActionKind::send
                         ? transport_.send(&transport_, data, count, peer, lane, request)
                         : transport_.receive(&transport_, data, count, peer, lane, request);
            if (error_ != 0) {
                *request = nullptr;
                return;
            }
            transfer.arrived[slot] = false;
            transfer.post_slot ^= 1;
            transfer.posted += count;
        }
    }

    std::ptrdiff_t offset(std::size_t elements) const {
        return static_cast<std::ptrdiff_t>(elements) * transport_.extent;
    }
    std::byte* staging_slot(const Transfer& transfer, int slot) const {
        return transfer.staging + (slot == 0 ? 0 : offset(segment_));
    }

    /// Looks at the requests of the lane's step. True if anything happened; the step's count is 0 once it has ended.
    bool advance(int lane) {
        StepState& now = current(lane);
        bool moved = false, all_finished = true;
        for (int i = 0; i < now.count; ++i) {
            Transfer& transfer = now.transfers[i];
            if (!transfer.finished()) moved |= advance(transfer, lane);
            if (error_ != 0) return true;
            all_finished = all_finished && transfer.finished();
        }
        if (all_finished) finish(lane, steps_[lane]);
        return moved;
    }

    /// Takes the transfer's segments in order as they arrive. True if anything happened.
    bool advance(Transfer& transfer, int lane) {
        bool moved = false;
        while (transfer.done < transfer.posted) {
            const int slot = transfer.done_slot;
            if (!transfer.arrived[slot]) {
                const int state = transport_.test(&transport_, &transfer.requests[slot]);
                if (state == 0) return moved;
                transfer.requests[slot] = nullptr;
                transfer.arrived[slot] = true;
                moved = true;
                if (state < 0) error_ = state;
                if (error_ != 0) return true;
            }
            const std::size_t count = std::min(segment_, transfer.elements - transfer.done);
            if (transfer.staging != nullptr) {
                if (transfer.done + count > reducible(transfer, lane)) return moved;
                error_ = data_.reduce(staging_slot(transfer, slot), transfer.data + offset(transfer.done), count,
                                      transfer.action->operand);
                if (error_ != 0) return true;
            }
            moved = true;
            transfer.done += count;
            transfer.done_slot ^= 1;
            post(transfer, lane);
            if (error_ != 0) return true;
        }
        return moved;
    }

    /// Up to which element operands may be combined now: in the order in which the step lists them, so that results do
    /// not depend on the order of arrival, and not before the values they replace have been sent.
    std::size_t reducible(const Transfer& transfer, int lane) {
        const StepState& step = current(lane);
        const bool overlap = program_.steps[steps_[lane]].sends_overlap_receives;
        std::size_t limit = transfer.elements;
        for (const Transfer& other : std::span(step.transfers, step.count)) {
            if (other.action->kind == ActionKind::send) {
                if (overlap && same_blocks(other, transfer)) limit = std::min(limit, progress_of(other, transfer));
            } else if (other.staging != nullptr && &other < &transfer) {
                limit = std::min(limit, progress_of(other, transfer));
            }
        }
        return limit;
    }

    static bool same_blocks(const Transfer& transfer, const Transfer& other) {
        const Action &a = *transfer.action, &b = *other.action;
        return a.buffer == b.buffer && a.first < b.first + b.count && b.first < a.first + a.count;
    }

    /// How many elements of `transfer` another one is done with: as many as its own if both are of the same blocks.
    static std::size_t progress_of(const Transfer& other, const Transfer& transfer) {
        if (other.data == transfer.data && other.elements == transfer.elements) return other.done;
        return other.finished() ? transfer.elements : 0;
    }

    /// Local work after the messages of a step; leaves its state empty.
    void finish(int lane, int step) {
        for (const Action& action : program_.actions_of(program_.steps[step])) {
            if (is_transfer(action.kind)) continue;
            if (error_ == 0) error_ = data_.run_local(action);
        }
        state(lane, step).count = 0;
        state(lane, step).receives_posted = false;
    }

    void cancel_everything() {
        for (std::size_t i = 0; i < program_.lanes.size() * 2; ++i) {
            for (int t = 0; t < states_[i].count; ++t) {
                for (void*& request : states_[i].transfers[t].requests) {
                    if (request != nullptr) transport_.cancel(&transport_, &request);
                    request = nullptr;
                }
            }
        }
    }

    Plan& plan_;
    const Program& program_;
    coll_topo_transport& transport_;
    Data data_;
    std::size_t segment_ = uncut;         // elements
    std::size_t most_under_way_ = uncut;  // elements of a transfer that may be posted and not done
    StagingSize staging_size_{};
    std::int32_t* steps_ = nullptr;  // by lane, the step in progress
    StepState* states_ = nullptr;    // by lane and parity of the step
    std::byte* staging_ = nullptr;
    int error_ = 0;
};

}  // namespace

int execute_lanes(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers, Workspace& workspace) {
    return Execution(plan, transport, buffers).run(buffers, workspace);
}

}  // namespace coll_topo
