// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/single_lane.hpp"

#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transfer.hpp"
#include "coll_topo/schedule/late_copies.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {

bool is_single_lane(const Program& program) {
    if (program.lanes.size() != 1) return false;
    const auto has_messages = [&](const Step& step) { return is_transfer(program.actions_of(step).front()); };
    return program.lanes[0].window == 1 || std::ranges::count_if(program.steps, has_messages) <= 1;
}

bool has_one_message_each_way(const Program& program) {
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
        if (!receives_end(takes)) return false;
        if (local_ != local_end_ && !sends_end(-1, takes)) return false;
        run_local();
    }
    if (sending_ > 0 && !sends_end(0, takes)) return false;
    if (error_ == 0) copies_late();
    if (error_ != 0) cancel();
    return true;
}

/// Whether all sends have ended but those of so many steps before this one; -1: and those of this one.
template <typename Takes>
bool SingleLaneRun::sends_end(int but, Takes&& takes) {
    for (; sending_ > 0 && step_ - oldest_ > but && error_ == 0; ++oldest_) {
        for (const Action& action : program_.actions_of(*oldest_)) {
            void*& request = request_of(action);
            if (!is_send(action) || request == nullptr || error_ != 0) continue;
            if (!takes(request)) return false;
            if (request == nullptr) --sending_;
        }
    }
    return true;
}

/// Whether all has come that the step receives; it is reduced then, in the order listed.
template <typename Takes>
bool SingleLaneRun::receives_end(Takes&& takes) {
    for (; receive_ != receives_end_ && error_ == 0; ++receive_) {
        void*& request = request_of(*receive_);
        if (request != nullptr && !takes(request)) return false;
        if (receive_->kind != ActionKind::receive_reduce || error_ != 0) continue;
        if (step_->sends_overlap_receives && sends_blocks_ && !sends_end(-1, takes)) return false;
        if (error_ == 0) reduce(*receive_);
    }
    return true;
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
    receive_ = actions.data();
    local_end_ = receive_ + actions.size();
    receives_end_ = std::find_if_not(receive_, local_end_, is_receive);
    local_ = std::find_if_not(receives_end_, local_end_, is_send);
    posted_ = true;
    sends_blocks_ = false;
    operand_ = staging_;
    const bool send_first = transport_.at_hand_bytes > 0;
    // What is at hand can be read as soon as it is announced.
    if (send_first) post_sends();
    std::byte* operand = staging_;
    for (const Action* action = receive_; action != receives_end_ && error_ == 0; ++action) {
        post_receive(*action, operand);
    }
    if (!send_first) post_sends();
}

void SingleLaneRun::post_sends() {
    for (const Action* action = receives_end_; action != local_ && error_ == 0; ++action) post_send(*action);
}

/// What is to be reduced goes to `operand`, which moves on past it.
void SingleLaneRun::post_receive(const Action& action, std::byte*& operand) {
    std::byte* into = nullptr;
    const std::size_t elements = locate(action, into);
    if (elements == 0) return;
    if (action.kind == ActionKind::receive_reduce) into = take_operand(operand, elements);
    void*& request = request_of(action);
    error_ = data_.receive(action, into, elements, 0, &request);
    if (error_ != 0) request = nullptr;
}

/// Memory of an operand that is received in this step, which stand one after the other.
std::byte* SingleLaneRun::take_operand(std::byte*& operand, std::size_t elements) const {
    return std::exchange(operand, operand + operand_size_.bytes(elements));
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
    if (operands == nullptr) sends_blocks_ = true;
    void*& request = request_of(action);
    error_ = data_.send(action, operands == nullptr ? source : operands, elements, 0, &request);
    if (error_ != 0) request = nullptr;
    if (request == nullptr) return;
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

void SingleLaneRun::reduce(const Action& action) {
    std::byte* target = nullptr;
    const std::size_t elements = locate(action, target);
    if (elements == 0) return;
    std::byte* const operand = take_operand(operand_, elements);
    error_ = data_.reduce(operand, target, data_.operands_of(action), elements, action.operand);
}

void SingleLaneRun::run_local() {
    posted_ = false;
    for (; error_ == 0 && local_ != local_end_; ++local_) error_ = data_.run_local(*local_);
}

void SingleLaneRun::cancel() {
    for (void*& request : requests_) {
        if (request != nullptr) transport_.cancel(&transport_, &request);
        request = nullptr;
    }
    sending_ = 0;
}

}  // namespace coll_topo
