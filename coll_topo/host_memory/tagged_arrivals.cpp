// SPDX-License-Identifier: BSD-3-Clause
// What a channel brings: to whom it belongs, or where it is put until somebody asks for it.
#include "coll_topo/host_memory/host_memory.h"
#include "coll_topo/host_memory/other_process.hpp"
#include "coll_topo/host_memory/tagged_messages.hpp"

#include <utility>

namespace coll_topo {

using State = TaggedRequest::State;

void TaggedMessages::look_into(Peer& from) {
    for (;;) {
        const std::uint32_t next = from.received + 1;
        const ChannelEntry& entry = from.in->entry[next % Channel::length];
        if (entry.number.load(std::memory_order_acquire) != next) return;
        accept(from, entry);  // without memory it stays where it is
        from.received = next;
        from.in->taken.store(next, std::memory_order_release);
    }
}

void TaggedMessages::accept(Peer& from, const ChannelEntry& entry) {
    if (entry.bytes == ChannelEntry::acknowledges) {
        auto* const flag = reinterpret_cast<std::atomic<std::uint32_t>*>(entry.with_sender.flag);
        flag->store(1, std::memory_order_relaxed);
        return;
    }
    const bool is_long = entry.bytes > Channel::most_beside;
    const bool is_inside = entry.bytes <= ChannelEntry::most_inside;
    TaggedRequest* receive = from.awaited.find(entry.tag);
    const bool expected = receive != nullptr;
    const bool kept = !is_long && (!expected || (receive->target == nullptr && !receive->lost));
    std::unique_ptr<std::byte[]> aside;
    if (kept && !is_inside) aside = std::make_unique_for_overwrite<std::byte[]>(entry.bytes);
    if (!expected) receive = take_request();
    // From here on nothing can fail.
    if (expected) {
        from.awaited.take(entry.tag);
    } else {
        receive->tag = entry.tag;
        from.unexpected.add(receive);
    }
    receive->sent = entry.bytes;
    if (is_long) {
        receive->state = State::arrived;
        receive->address = entry.with_sender.address;
        receive->flag = entry.with_sender.flag;
        if (receive->lost) acknowledge(*receive);
    } else {
        const std::byte* const data = is_inside ? entry.inside : from.beside + entry.beside;
        receive->aside = std::move(aside);
        if (kept) {
            copy_data(receive->here(), data, entry.bytes);
            receive->state = State::put_aside;
        } else if (!receive->lost) {
            fill(*receive, data);
        }
    }
    if (receive->lost) give_back(receive);
}

/// With data that are here.
void TaggedMessages::fill(TaggedRequest& receive, const std::byte* data) {
    receive.state = State::done;
    receive.result = receive.sent > receive.bytes ? static_cast<int>(COLL_TOPO_TRUNCATED) : 1;
    if (receive.result == 1) copy_data(receive.target, data, receive.sent);
}

void TaggedMessages::give_to(TaggedRequest& receive, TaggedRequest& unexpected) {
    receive.sent = unexpected.sent;
    receive.state = unexpected.state;
    receive.address = unexpected.address;
    receive.flag = unexpected.flag;
    if (unexpected.state == State::put_aside && receive.target != nullptr) {
        fill(receive, unexpected.here());
    } else if (unexpected.state == State::put_aside) {
        receive.aside = std::move(unexpected.aside);
        receive.inside = unexpected.inside;
    }
    give_back(&unexpected);
}

/// Who sent it may go on. Where there is no room for that, it is written where the sender looks.
void TaggedMessages::acknowledge(const TaggedRequest& receive) {
    Peer& to = *peers_[receive.member];
    constexpr std::uint32_t read = 1;
    if (!to.out.acknowledge(receive.flag)) write_process(to.process, receive.flag, &read, sizeof read);
}

void TaggedMessages::send_waiting() {
    for (const std::unique_ptr<Peer>& to : peers_) {
        while (TaggedRequest* const message = to != nullptr ? to->unsent.first() : nullptr) {
            if (!announce(*to, *message)) break;
            to->unsent.take_first();
            --unsent_;
            if (message->lost) give_back(message);
        }
    }
}

}  // namespace coll_topo
