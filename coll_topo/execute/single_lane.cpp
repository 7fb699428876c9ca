// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/single_lane.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

class SingleLaneExecution {
public:
    SingleLaneExecution(const Program& program, coll_topo_transport& transport, const Data& data, std::byte* staging)
        : program_(program), transport_(transport), data_(data), staging_(staging + transport.scratch_lead) {}

    int run() {
        int error = 0;
        for (const Step& step : program_.steps) {
            error = run_step(program_.actions_of(step));
            if (error != 0) break;
        }
        return error;
    }

private:
    int run_step(std::span<const Action> actions) {
        auto action = actions.begin();
        const Action* incoming = is_receive(*action) ? &*action++ : nullptr;
        void *receiving = nullptr, *sending = nullptr;
        std::byte* target = nullptr;
        std::size_t received = 0;
        int error = 0;
        if (incoming != nullptr) {
            received = locate(*incoming, target);
            std::byte* into = incoming->kind == ActionKind::receive ? target : staging_;
            if (received > 0) error = data_.receive(*incoming, into, received, 0, &receiving);
            if (error != 0) return error;
        }
        if (action != actions.end() && is_send(*action)) {
            error = send(*action++, &sending);
        }
        if (error == 0 && received > 0) error = wait(&receiving);
        if (error == 0 && sending != nullptr) error = wait(&sending);
        if (error != 0) return cancel(receiving, sending, error);
        if (received > 0 && incoming->kind == ActionKind::receive_reduce) {
            error = data_.reduce(staging_, target, data_.operands_of(*incoming), received, incoming->operand);
        }
        for (; error == 0 && action != actions.end(); ++action) error = data_.run_local(*action);
        return error;
    }

    /// Elements of a transfer, and where they are.
    std::size_t locate(const Action& action, std::byte*& address) const {
        const std::size_t begin = data_.offset(action.buffer, action.first);
        address = data_.address_of(action.buffer, begin);
        return data_.offset(action.buffer, action.first + action.count) - begin;
    }

    int send(const Action& action, void** request) {
        std::byte* source = nullptr;
        const std::size_t elements = locate(action, source);
        if (elements == 0) return 0;
        if (std::byte* const operands = data_.operands_of(action)) source = operands;
        const int error = data_.send(action, source, elements, 0, request);
        if (error != 0) *request = nullptr;
        return error;
    }

    /// Leaves the request null, done or failed.
    int wait(void** request) {
        int state = 0;
        while ((state = transport_.test(&transport_, request)) == 0) transport_.progress(&transport_);
        *request = nullptr;
        return std::min(state, 0);
    }

    int cancel(void* receiving, void* sending, int error) {
        for (void* request : {receiving, sending}) {
            if (request != nullptr) transport_.cancel(&transport_, &request);
        }
        return error;
    }

    const Program& program_;
    coll_topo_transport& transport_;
    const Data& data_;
    std::byte* const staging_;
};

}  // namespace

bool is_single_lane(const Program& program) {
    if (program.lanes.size() != 1 || program.lanes[0].window > 1) return false;
    return std::ranges::all_of(program.steps, [&](const Step& step) {
        const auto actions = program.actions_of(step);
        return std::ranges::count_if(actions, is_send) <= 1 && std::ranges::count_if(actions, is_receive) <= 1;
    });
}

int execute_single_lane(const Program& program, coll_topo_transport& transport, const Data& data, std::byte* staging) {
    return SingleLaneExecution(program, transport, data, staging).run();
}

}  // namespace coll_topo
