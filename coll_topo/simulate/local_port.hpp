// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <simgrid/s4u.hpp>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::simulate {

class LocalPort;

/// A message between ranks of a host. It takes no time on its way: its receiver moves the bytes, once both ends have
/// come to it.
struct LocalMessage {
    const Action* receive = nullptr;  ///< null until the receiver has come
    LocalPort* sender = nullptr;      ///< null until the sender has come, or if it does not wait
    double moved = -1;                ///< when the bytes were there
};

/// Where the actor of a lane sends and receives messages within its host. They are not messages of SimGrid, each of
/// which takes time that grows with the number of others of the same actor.
class LocalPort {
public:
    LocalPort(int rank, std::string name) : rank_(rank), name_(std::move(name)) {}

    /// Announces a message; `waits` if the sender wants to be woken when it was moved.
    std::shared_ptr<LocalMessage> send_to(LocalPort& receiver, bool waits) {
        in_use_ = true;
        auto& unmatched = receiver.unmatched_[rank_];
        std::shared_ptr<LocalMessage> message;
        if (!unmatched.empty() && unmatched.front()->receive != nullptr) {
            message = take_first(unmatched);
            receiver.arrived_.push_back(message);
            receiver.wake();
        } else {
            message = unmatched.emplace_back(std::make_shared<LocalMessage>());
        }
        if (waits) message->sender = this;
        return message;
    }

    std::shared_ptr<LocalMessage> receive(const Action& action) {
        in_use_ = true;
        auto& unmatched = unmatched_[action.peer];
        const bool announced = !unmatched.empty() && unmatched.front()->receive == nullptr;
        const auto message =
            announced ? take_first(unmatched) : unmatched.emplace_back(std::make_shared<LocalMessage>());
        message->receive = &action;
        if (announced) arrived_.push_back(message);
        return message;
    }

    /// The oldest message that can be moved; null if there is none.
    std::shared_ptr<LocalMessage> take_arrived() {
        if (arrived_.empty()) return nullptr;
        const auto message = arrived_.front();
        arrived_.pop_front();
        return message;
    }

    static void moved(LocalMessage& message) {
        message.moved = simgrid::s4u::Engine::get_clock();
        if (message.sender != nullptr) message.sender->wake();
    }

    /// Blocks until one of the messages of SimGrid ends, or something happens at this port.
    void block(std::vector<simgrid::s4u::CommPtr> awaited) {
        if (!in_use_) {
            simgrid::s4u::Comm::wait_any(awaited);
            return;
        }
        if (call_ == nullptr) call_ = mailbox()->get_async<void>(&received_);
        awaited.push_back(call_);
        // Whatever SimGrid is asked for lets other actors run, so something may have happened since the caller looked.
        if (!called_) {
            blocked_ = true;
            simgrid::s4u::Comm::wait_any(awaited);
            blocked_ = false;
        }
        called_ = false;
        if (call_->get_finish_time() >= 0) call_ = nullptr;
    }

private:
    using Messages = std::vector<std::shared_ptr<LocalMessage>>;

    static std::shared_ptr<LocalMessage> take_first(Messages& messages) {
        const auto first = messages.front();
        messages.erase(messages.begin());
        return first;
    }

    simgrid::s4u::Mailbox* mailbox() const { return simgrid::s4u::Mailbox::by_name(name_); }

    void wake() {
        called_ = true;
        if (!blocked_) return;
        blocked_ = false;
        mailbox()->put_init(this, 0)->detach();
    }

    int rank_;
    std::string name_;
    std::map<int, Messages> unmatched_;  // by sender, all of them announced or all of them awaited
    std::deque<std::shared_ptr<LocalMessage>> arrived_;
    simgrid::s4u::CommPtr call_;  // that wakes this actor
    bool in_use_ = false;
    bool blocked_ = false;
    bool called_ = false;  // something has happened since it was last blocked
    void* received_ = nullptr;
};

}  // namespace coll_topo::simulate
