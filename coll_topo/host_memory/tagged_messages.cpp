// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/host_memory/tagged_messages.hpp"

#include "coll_topo/execute/transport.h"
#include "coll_topo/host_memory/host_memory.h"
#include "coll_topo/host_memory/other_process.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace coll_topo {

using State = TaggedRequest::State;

/// One thread alone needs no lock.
class TaggedMessages::Guard {
public:
    explicit Guard(TaggedMessages& messages) : lock_(messages.mutex_, std::defer_lock) {
        if (messages.threads_) lock_.lock();
    }

private:
    std::unique_lock<std::mutex> lock_;
};

std::size_t TaggedMessages::bytes(int members) {
    return static_cast<std::size_t>(members) * members * (sizeof(Channel) + Channel::beside_stride);
}

void TaggedMessages::begin(std::byte* memory, const std::vector<pid_t>& processes, int own, bool threads,
                           std::size_t at_once) {
    channels_ = reinterpret_cast<Channel*>(memory);
    own_ = own;
    processes_ = processes;
    peers_.resize(processes.size());
    threads_ = threads;
    at_once_ = at_once;
}

TaggedMessages::Peer& TaggedMessages::peer(int member) {
    std::unique_ptr<Peer>& place = peers_[member];
    if (place != nullptr) return *place;
    const std::size_t members = processes_.size();
    auto* const besides = reinterpret_cast<std::byte*>(channels_ + members * members);
    const std::size_t out = member * members + own_, in = own_ * members + member;  // those of a receiver together
    place = std::make_unique<Peer>(ChannelSender(channels_[out], besides + out * Channel::beside_stride));
    place->in = &channels_[in];
    place->beside = besides + in * Channel::beside_stride;
    place->process = processes_[member];
    return *place;
}

// ---- posting -------------------------------------------------------------------------------------------------------

void* TaggedMessages::send(const void* data, std::size_t bytes, int member, std::int32_t tag) {
    const Guard guard(*this);
    Peer& to = peer(member);
    const bool waits = to.unsent.first() != nullptr;
    if (bytes <= Channel::most_beside && !waits && to.out.send(tag, data, bytes, nullptr)) return nullptr;
    TaggedRequest* const message = take_request();
    message->source = static_cast<const std::byte*>(data);
    message->bytes = bytes;
    message->member = member;
    message->process = to.process;
    message->tag = tag;
    if (waits || !announce(to, *message)) {
        message->state = State::unsent;
        to.unsent.add(message);
        ++unsent_;
    }
    return message;
}

bool TaggedMessages::announce(Peer& to, TaggedRequest& message) {
    const auto& flag = reinterpret_cast<const std::uint32_t&>(message.has_been_read);
    if (!to.out.send(message.tag, message.source, message.bytes, &flag)) return false;
    message.state = message.bytes > Channel::most_beside ? State::unread : State::done;
    return true;
}

void* TaggedMessages::receive(void* data, std::size_t bytes, int member, std::int32_t tag) {
    const Guard guard(*this);
    Peer& from = peer(member);
    TaggedRequest* const message = take_request();
    message->target = static_cast<std::byte*>(data);
    message->bytes = bytes;
    message->member = member;
    message->process = from.process;
    message->tag = tag;
    message->state = State::awaited;
    if (TaggedRequest* const unexpected = from.unexpected.take(tag)) {
        give_to(*message, *unexpected);
    } else {
        from.awaited.add(message);
    }
    return message;
}

// ---- requests ------------------------------------------------------------------------------------------------------

/// Goes on with everything that the channels allow; 0, or what test() is to return.
int TaggedMessages::look_at(TaggedRequest& message) {
    if (unsent_ > 0) send_waiting();
    const bool waits =
        message.state == State::unsent || message.state == State::unread || message.state == State::awaited;
    if (waits) look_into(*peers_[message.member]);
    if (message.state == State::unread && message.has_been_read.load(std::memory_order_acquire) != 0) {
        message.state = State::done;
    }
    const bool has_data = message.state == State::arrived || message.state == State::put_aside;
    if (has_data && message.sent > message.bytes) {
        if (message.state == State::arrived) acknowledge(message);
        message.result = COLL_TOPO_TRUNCATED;
        message.state = State::done;
    }
    if (message.state == State::done) return message.result;
    return has_data && message.target == nullptr ? 1 : 0;
}

int TaggedMessages::test(void** request) {
    TaggedRequest& message = *static_cast<TaggedRequest*>(*request);
    {
        const Guard guard(*this);
        const int result = look_at(message);
        if (message.state == State::done) {
            *request = nullptr;
            give_back(&message);
            return result;
        }
        if (result != 0 || message.state != State::arrived) return result;
    }
    // Without the lock, as it may take long: nobody else touches the request.
    const std::size_t now = std::min(at_once_, message.sent - message.done);
    const bool read = read_process(message.process, message.address + message.done, message.target + message.done, now);
    message.done += now;
    if (read && message.done < message.sent) return 0;
    release(request);
    return read ? 1 : static_cast<int>(COLL_TOPO_FAILED);
}

int TaggedMessages::read(void* request, std::size_t at, void* into, std::size_t bytes) const {
    const TaggedRequest& message = *static_cast<const TaggedRequest*>(request);
    if (at >= message.sent) return COLL_TOPO_OK;
    bytes = std::min(bytes, message.sent - at);
    if (message.state == State::arrived) {
        return read_process(message.process, message.address + at, into, bytes) ? COLL_TOPO_OK : COLL_TOPO_FAILED;
    }
    std::memcpy(into, message.here() + at, bytes);
    return COLL_TOPO_OK;
}

void TaggedMessages::release(void** request) {
    const Guard guard(*this);
    TaggedRequest* const message = static_cast<TaggedRequest*>(std::exchange(*request, nullptr));
    if (message->state == State::arrived) acknowledge(*message);
    give_back(message);
}

void TaggedMessages::cancel(void** request) {
    const Guard guard(*this);
    TaggedRequest* const message = static_cast<TaggedRequest*>(std::exchange(*request, nullptr));
    switch (message->state) {
        case State::unsent:
            message->bytes = 0;
            [[fallthrough]];
        case State::awaited:
            message->lost = true;
            return;
        case State::unread:
            return;  // the receiver may still say that it has read it: there will be no other request in its place
        case State::arrived:
            acknowledge(*message);
            break;
        default:
            break;
    }
    give_back(message);
}

TaggedRequest* TaggedMessages::take_request() {
    constexpr std::size_t at_once = 32;
    if (idle_ == nullptr) {
        blocks_.push_back(std::make_unique<TaggedRequest[]>(at_once));
        for (std::size_t i = 0; i < at_once; ++i) give_back(&blocks_.back()[i]);
    }
    TaggedRequest* const request = std::exchange(idle_, idle_->next);
    request->has_been_read.store(0, std::memory_order_relaxed);
    request->result = 1;
    request->lost = false;
    request->source = nullptr;
    request->target = nullptr;
    request->done = 0;
    return request;
}

void TaggedMessages::give_back(TaggedRequest* request) {
    request->aside.reset();
    request->next = idle_;
    idle_ = request;
}

}  // namespace coll_topo
