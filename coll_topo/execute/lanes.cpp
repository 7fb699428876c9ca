// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/lanes.hpp"

#include "coll_topo/schedule/late_copies.hpp"
#include "coll_topo/schedule/work_at_once.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <utility>

namespace coll_topo {

int LanesRun::begin(Workspace& workspace) {
    if (const int failure = take_memory(workspace); failure != 0) return failure;
    if (const int failure = data_.begin(); failure != 0) return failure;
    late_ = data_.elements_copied_late();
    if (late_ > 0) ++unfinished_;
    // All lanes copy what they begin with out of `input` before any of them posts a message, so that `output` may be
    // the same memory.
    for (int lane = 0; lane < static_cast<int>(program_.lanes.size()); ++lane) {
        if (late_ > 0)
            begin_at(lane, first_step_with_messages(program_, program_.lanes[lane]));
        else
            run_local_steps(lane);
        if (!lane_ended(lane)) ++unfinished_;
    }
    return error();
}

bool LanesRun::look_around() {
    bool moved = false;
    for (int lane = 0; lane < static_cast<int>(program_.lanes.size()) && error() == 0; ++lane) {
        if (lane_ended(lane) || !advance(lane)) continue;
        moved = true;
        if (lane_ended(lane)) --unfinished_;
        if (unfinished_ == 0 || !reduced_long()) continue;
        transport_.progress(&transport_);
        if (program_.first_lanes_first) break;
    }
    if (moved || copied_late_ == late_ || error() != 0) return moved;
    transport_.progress(&transport_);  // may copy what others wait for
    copy_late();
    return true;
}

/// The next share of the own piece.
void LanesRun::copy_late() {
    const std::size_t share = late_copy_share(late_ * transport_.element_bytes) / transport_.element_bytes + 1;
    const std::size_t elements = std::min(share, late_ - copied_late_);
    segments_.fail(data_.copy_late(copied_late_, elements));
    copied_late_ += elements;
    if (copied_late_ == late_) --unfinished_;
}

int LanesRun::end() {
    if (error() == 0) return 0;
    for (StepState& step : std::span(states_, program_.lanes.size() * steps_at_once_)) {
        step.for_each([&](Transfer& transfer) { segments_.cancel(transfer); });
    }
    return error();
}

int LanesRun::take_memory(Workspace& workspace) {
    const std::size_t lanes = program_.lanes.size();
    staging_size_ = {operand_extent(transport_), transport_.scratch_tail, segments_.longest()};
    update_staging(tables_.staging, program_, data_, staging_size_, buffers_);
    const std::size_t scratch_bytes =
        element_memory(data_.scratch_elements(), transport_.extent, transport_.scratch_tail);
    const std::size_t states = lanes * steps_at_once_;
    std::size_t total = 0;
    const auto room = [&](std::size_t bytes) { return std::exchange(total, total + Workspace::aligned(bytes)); };
    const std::size_t progress_at = room(lanes * sizeof(Progress)), states_at = room(states * sizeof(StepState));
    const std::size_t transfers_at = room(states * plan_.largest_step * sizeof(Transfer));
    const std::size_t scratch_at = room(scratch_bytes), staging_at = room(tables_.staging.begin.back());
    std::byte* memory = workspace.reserve(total);
    if (memory == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    progress_ = reinterpret_cast<Progress*>(memory + progress_at);
    states_ = reinterpret_cast<StepState*>(memory + states_at);
    auto* transfer = reinterpret_cast<Transfer*>(memory + transfers_at);
    for (std::size_t i = 0; i < states; ++i, transfer += plan_.largest_step) {
        new (&states_[i]) StepState(transfer, transfer + plan_.largest_step);
    }
    staging_ = memory + staging_at;
    return data_.set_scratch(memory + scratch_at);
}

/// Whether so much has been reduced since the last time that messages may have had to wait: those of one lane are
/// to move while the next lane reduces.
bool LanesRun::reduced_long() {
    if (reduced_bytes() - reduced_before_ < reduced_at_once) return false;
    reduced_before_ = reduced_bytes();
    return true;
}

/// Puts the lane at its first step with messages, with the local work before it done.
void LanesRun::run_local_steps(int lane) {
    const std::int32_t first = first_step_with_messages(program_, program_.lanes[lane]);
    for (std::int32_t step = program_.lanes[lane].begin_step; step < first; ++step) run_local(step);
    begin_at(lane, first);
}

/// Looks at what the lane has under way and starts what may begin. True if anything happened.
bool LanesRun::advance(int lane) {
    Progress& at = progress_[lane];
    bool moved = false;
    for (std::int32_t step = at.oldest; step < at.started && error() == 0; ++step) moved |= look_at(lane, step);
    for (close_steps(lane); error() == 0 && may_start(lane); close_steps(lane)) {
        start(lane);
        moved = true;
    }
    while (error() == 0 && may_prepare(lane)) prepare(lane, at.prepared++);
    return moved || error() != 0;
}

/// Passes over steps that are done; where only sends are left, over what need not wait for them.
void LanesRun::close_steps(int lane) {
    Progress& at = progress_[lane];
    for (; at.current < at.started && error() == 0; ++at.current) {
        const bool works = !is_transfer(program_.actions_of(program_.steps[at.current]).back());
        StepState& now = state(lane, at.current);
        if (works ? !now.ended() : !now.only_sends_left()) break;
        if (works) run_local(at.current);
    }
    for (; at.oldest < at.current && state(lane, at.oldest).ended(); ++at.oldest) state(lane, at.oldest).clear();
}

bool LanesRun::may_start(int lane) {
    const Progress& at = progress_[lane];
    const Lane& whole = program_.lanes[lane];
    if (at.started == whole.end_step || at.started - at.oldest == steps_at_once_) return false;
    if (at.started - at.oldest > program_.steps[at.started].passes_sends) return false;
    if (at.started == at.current) return true;
    // Messages to and from a peer match in the order posted.
    return at.started - at.current < whole.window && state(lane, at.started - 1).posted();
}

void LanesRun::start(int lane) {
    Progress& at = progress_[lane];
    if (at.prepared == at.started) prepare(lane, at.prepared++);
    StepState& now = state(lane, at.started++);
    if (program_.lanes[lane].sends_at_once > 0) {
        post_sends_in_turn(now, lane);
        return;
    }
    now.for_each([&](Transfer& transfer) {
        if (is_send(*transfer.action)) segments_.post(transfer, lane);
    });
}

/// Posts the sends that the limit of the lane no longer keeps back. True if there were any.
bool LanesRun::post_sends_in_turn(StepState& now, int lane) {
    const std::span<Transfer> transfers = now.attended();
    const auto limit = static_cast<std::size_t>(program_.lanes[lane].sends_at_once);
    bool moved = false;
    for (std::size_t i = 0; i < transfers.size() && error() == 0; ++i) {
        if (!is_send(*transfers[i].action) || transfers[i].posted > 0) continue;
        if (i >= limit && is_send(*transfers[i - limit].action) && !transfers[i - limit].finished()) continue;
        segments_.post(transfers[i], lane);
        moved = true;
    }
    return moved;
}

/// Whether the receives of a step still to be started may be posted.
bool LanesRun::may_prepare(int lane) {
    const Progress& at = progress_[lane];
    if (at.prepared == program_.lanes[lane].end_step || at.prepared - at.oldest == steps_at_once_) return false;
    const Step& step = program_.steps[at.prepared];
    return at.prepared - at.current <= step.receives_ahead &&
           at.prepared - at.oldest <= std::max(step.receives_ahead, step.passes_sends) &&
           (at.prepared == at.oldest || state(lane, at.prepared - 1).receives_posted());
}

/// Lists the transfers of a step and posts its receives.
void LanesRun::prepare(int lane, int step) {
    StepState& prepared = state(lane, step);
    const bool reductions_wait = program_.steps[step].sends_overlap_receives;
    const bool sends_wait = program_.lanes[lane].sends_at_once > 0;
    const Transfer* before = nullptr;
    std::byte* staging = staging_ + tables_.staging.begin[lane * 2 + step % 2];
    for (const Action& action : program_.actions_of(program_.steps[step])) {
        if (!is_transfer(action)) break;
        const std::size_t begin = data_.offset(action.buffer, action.first);
        const std::size_t elements = data_.offset(action.buffer, action.first + action.count) - begin;
        if (elements == 0) continue;
        const bool reduces = action.kind == ActionKind::receive_reduce;
        const bool attended_send = is_send(action) && (reductions_wait || sends_wait);
        Transfer& transfer = prepared.add(reduces || attended_send || elements > segments_.longest());
        std::byte* const operands = data_.operands_of(action);
        std::byte* const blocks =
            is_send(action) && operands != nullptr ? operands : data_.address_of(action.buffer, begin);
        transfer = {&action, blocks, operands, nullptr, nullptr, elements, 0, 0, {}, {}, {}, 0, 0};
        if (reduces) {
            transfer.staging = staging + transport_.scratch_lead;
            staging += staging_size_.bytes(elements);
            transfer.before = std::exchange(before, &transfer);
        }
        if (!is_send(action)) segments_.post(transfer, lane);
    }
}

/// Looks at the requests of a step. True if anything happened.
bool LanesRun::look_at(int lane, int step) {
    StepState& now = state(lane, step);
    const bool reductions_wait = program_.steps[step].sends_overlap_receives;
    bool moved = wait_in_turn(now);
    for (Transfer& transfer : now.attended()) {
        if (error() != 0) return true;
        if (!transfer.finished()) moved |= segments_.advance(transfer, now, reductions_wait, lane);
    }
    if (program_.lanes[lane].sends_at_once > 0) moved |= post_sends_in_turn(now, lane);
    return moved;
}

/// Lets go of the transfers that only had to end and have. True if there were any.
bool LanesRun::wait_in_turn(StepState& now) {
    bool moved = false;
    for (Transfer* transfer = now.waiting(); transfer != nullptr && error() == 0; transfer = now.waiting()) {
        if (!segments_.take(transfer->requests[0])) return moved;
        moved = true;
        now.next_waiting();
    }
    return moved;
}

void LanesRun::run_local(int step) {
    for (const Action& action : program_.actions_of(program_.steps[step])) {
        if (!is_transfer(action) && error() == 0) segments_.fail(data_.run_local(action));
    }
}

int LanesRun::run(Workspace& workspace) {
    if (const int failure = begin(workspace); failure != 0) return failure;
    while (!ended()) {
        // Progress may yield the processor, so only when there is nothing else to do.
        if (!look_around()) transport_.progress(&transport_);
    }
    return end();
}

int execute_lanes(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers, Workspace& workspace) {
    return LanesRun(plan, plan.tables, transport, buffers).run(workspace);
}

}  // namespace coll_topo
