// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/single_lane.hpp"

#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transfer.hpp"

#include <algorithm>

namespace coll_topo {

bool is_single_lane(const Program& program) {
    if (program.lanes.size() != 1 || program.lanes[0].window > 1) return false;
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
            if (--looks < 0) return false;
        }
        return true;
    });
}

void SingleLaneRun::restart() {
    step_ = program_.steps.data();
    posted_ = false;
    error_ = 0;
}

int SingleLaneRun::run() {
    go_on([this](void*& request) {
        while (!takes(request)) transport_.progress(&transport_);
        return true;
    });
    return error_;
}

/// As far as it can without a request that `takes` does not take.
template <typename Takes>
bool SingleLaneRun::go_on(Takes&& takes) {
    for (; step_ != end_step_ && error_ == 0; ++step_) {
        if (!posted_) post_messages();
        if (error_ == 0 && receiving_ != nullptr && !takes(receiving_)) return false;
        if (error_ == 0 && sending_ != nullptr && !takes(sending_)) return false;
        if (error_ == 0) use_received();
    }
    if (error_ != 0) cancel();
    return true;
}

void SingleLaneRun::post_messages() {
    const auto actions = program_.actions_of(*step_);
    const Action* action = actions.data();
    local_end_ = action + actions.size();
    posted_ = true;
    incoming_ = nullptr;
    if (is_receive(*action)) {
        const std::size_t elements = locate(*action, target_);
        received_ = elements;
        if (elements > 0) {
            incoming_ = action;
            std::byte* const into = action->kind == ActionKind::receive ? target_ : staging_;
            error_ = data_.receive(*action, into, elements, 0, &receiving_);
            if (error_ != 0) receiving_ = nullptr;
        }
        ++action;
    }
    if (error_ == 0 && action != local_end_ && is_send(*action)) post_send(*action++);
    local_ = action;
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
    if (std::byte* const operands = data_.operands_of(action)) source = operands;
    error_ = data_.send(action, source, elements, 0, &sending_);
    if (error_ != 0) sending_ = nullptr;
}

/// True if the request is done, or has failed; it is gone then.
bool SingleLaneRun::takes(void*& request) {
    const int state = transport_.test(&transport_, &request);
    if (state == 0) return false;
    request = nullptr;
    error_ = std::min(state, 0);
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
    for (void** request : {&receiving_, &sending_}) {
        if (*request != nullptr) transport_.cancel(&transport_, request);
        *request = nullptr;
    }
}

}  // namespace coll_topo
