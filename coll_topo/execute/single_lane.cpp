// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/single_lane.hpp"

#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transfer.hpp"
#include "coll_topo/schedule/late_copies.hpp"

#include <algorithm>

namespace coll_topo {

bool is_single_lane(const Program& program) {
    if (program.lanes.size() != 1) return false;
    const auto has_messages = [&](const Step& step) { return is_transfer(program.actions_of(step).front()); };
    if (program.lanes[0].window > 1 && std::ranges::count_if(program.steps, has_messages) > 1) return false;
    return std::ranges::all_of(program.steps, [&](const Step& step) {
        const auto actions = program.actions_of(step);
        return std::ranges::count_if(actions, is_send) <= 1 && std::ranges::count_if(actions, is_receive) <= 1;
    });
}

int begin_single_lane(const Plan& plan, PlanTables& tables, Data& data, coll_topo_transport& transport,
                      const coll_topo_buffers& buffers, Workspace& workspace, std::byte*& staging) {
    const StagingSize size{operand_extent(transport), transport.scratch_tail, uncut};
    update_staging(tables.staging, plan.program, data, size, buffers);
    const std::size_t scratch_bytes =
        Workspace::aligned(element_memory(data.scratch_elements(), transport.extent, transport.scratch_tail));
    std::byte* const memory = workspace.reserve(scratch_bytes + tables.staging.begin.back());
    if (memory == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    staging = memory + scratch_bytes;
    const int failure = data.set_scratch(memory);
    return failure != 0 ? failure : data.begin();
}

bool SingleLaneRun::advance(int looks) {
    return go_on([this, &looks](void*& request) {
        while (!takes(request)) {
            if (copies_late() ? error_ != 0 : --looks < 0) return error_ != 0;
        }
        return true;
    });
}

void SingleLaneRun::restart() {
    late_ = data_.may_copy_late() ? data_.elements_copied_late() : 0;
    step_ = program_.steps.data();
    if (late_ > 0) step_ = std::min(step_ + first_step_with_messages(program_, program_.lanes[0]), end_step_);
    posted_ = false;
    error_ = 0;
}

int SingleLaneRun::run() {
    go_on([this](void*& request) {
        while (!takes(request)) {
            if (!copies_late())
                transport_.progress(&transport_);
            else if (error_ != 0)
                break;
        }
        return true;
    });
    return error_;
}

/// As far as it can without a request that `takes` does not take.
template <typename Takes>
bool SingleLaneRun::go_on(Takes&& takes) {
    for (; step_ != end_step_ && error_ == 0; ++step_) {
        if (!posted_) {
            if (sending_ > 0 && !sends_end(step_->passes_sends, takes)) return false;
            if (error_ == 0) post_messages();
        }
        if (error_ == 0 && receiving_ != nullptr && !takes(receiving_)) return false;
        if (sending_ > 0 && waits_for_send() && !sends_end(-1, takes)) return false;
        if (error_ == 0) use_received();
    }
    if (sending_ > 0 && !sends_end(0, takes)) return false;
    if (error_ == 0) copies_late();
    if (error_ != 0) cancel();
    return true;
}

/// Whether all sends have ended but those of so many steps before this one; -1: and that of this one.
template <typename Takes>
bool SingleLaneRun::sends_end(int but, Takes&& takes) {
    for (; sending_ > 0 && step_ - oldest_ > but && error_ == 0; ++oldest_) {
        void*& request = send_of(oldest_);
        if (request == nullptr) continue;
        if (!takes(request)) return false;
        if (request == nullptr) --sending_;
    }
    return true;
}

/// Whether what follows the messages of the step could change what its send reads.
bool SingleLaneRun::waits_for_send() const {
    return (step_->sends_overlap_receives && sends_blocks_) || local_ != local_end_;
}

/// Copies the own piece if that is still to be done. What is copied at once is no longer than a message.
bool SingleLaneRun::copies_late() {
    if (late_ == 0) return false;
    error_ = data_.copy_late(0, late_);
    late_ = 0;
    return true;
}

void SingleLaneRun::post_messages() {
    const auto actions = program_.actions_of(*step_);
    const Action* action = actions.data();
    local_end_ = action + actions.size();
    posted_ = true;
    incoming_ = nullptr;
    const Action* const receive = is_receive(*action) ? action++ : nullptr;
    const Action* const send = action != local_end_ && is_send(*action) ? action++ : nullptr;
    local_ = action;
    // What is at hand can be read as soon as it is announced.
    const bool send_first = transport_.at_hand_bytes > 0;
    for (const Action* const transfer : {send_first ? send : receive, send_first ? receive : send}) {
        if (transfer == nullptr || error_ != 0) continue;
        transfer == send ? post_send(*transfer) : post_receive(*transfer);
    }
}

void SingleLaneRun::post_receive(const Action& action) {
    received_ = locate(action, target_);
    if (received_ == 0) return;
    incoming_ = &action;
    std::byte* const into = action.kind == ActionKind::receive ? target_ : staging_;
    error_ = data_.receive(action, into, received_, 0, &receiving_);
    if (error_ != 0) receiving_ = nullptr;
}

/// Elements of a transfer, and where they are.
std::size_t SingleLaneRun::locate(const Action& action, std::byte*& address) const {
    const std::size_t begin = data_.offset(action.buffer, action.first);
    address = data_.address_of(action.buffer, begin);
    return data_.offset(action.buffer, action.first + action.count) - begin;
}

void SingleLaneRun::post_send(const Action& action) {
    std::byte* source = nullptr;
    const std::size_t elements = locate(action, source);
    if (elements == 0) return;
    std::byte* const operands = data_.operands_of(action);
    sends_blocks_ = operands == nullptr;
    void* request = nullptr;
    error_ = data_.send(action, sends_blocks_ ? source : operands, elements, 0, &request);
    if (error_ != 0 || request == nullptr) return;
    send_of(step_) = request;
    if (sending_++ == 0) oldest_ = step_;
}

/// True if the request is done, or has failed; it is gone then.
bool SingleLaneRun::takes(void*& request) {
    const int state = transport_.test(&transport_, &request);
    if (state == 0) return false;
    request = nullptr;
    if (state < 0) error_ = state;
    return true;
}

void SingleLaneRun::use_received() {
    posted_ = false;
    if (incoming_ != nullptr && incoming_->kind == ActionKind::receive_reduce) {
        error_ = data_.reduce(staging_, target_, data_.operands_of(*incoming_), received_, incoming_->operand);
    }
    for (; error_ == 0 && local_ != local_end_; ++local_) error_ = data_.run_local(*local_);
}

void SingleLaneRun::cancel() {
    const auto cancel_one = [this](void*& request) {
        if (request != nullptr) transport_.cancel(&transport_, &request);
        request = nullptr;
    };
    cancel_one(receiving_);
    for (void*& request : sends_) cancel_one(request);
    sending_ = 0;
}

}  // namespace coll_topo
