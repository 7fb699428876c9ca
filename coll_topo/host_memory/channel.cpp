// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/host_memory/channel.hpp"

namespace coll_topo {

bool ChannelSender::send(std::int32_t tag, const void* data, std::size_t bytes, const std::uint32_t* flag) {
    ChannelEntry* const entry = next_entry();
    if (entry == nullptr) return false;
    if (bytes <= ChannelEntry::most_inside) {
        copy_data(entry->inside, static_cast<const std::byte*>(data), bytes);
    } else if (bytes <= Channel::most_beside) {
        std::uint32_t begin = 0;
        if (!find_room(static_cast<std::uint32_t>(bytes), begin)) return false;
        entry->beside = begin;
        copy_data(beside_ + begin, static_cast<const std::byte*>(data), bytes);
    } else {
        entry->with_sender = {reinterpret_cast<std::uintptr_t>(data), reinterpret_cast<std::uintptr_t>(flag)};
    }
    entry->tag = tag;
    entry->bytes = bytes;
    announce(*entry);
    return true;
}

bool ChannelSender::acknowledge(std::uint64_t flag) {
    ChannelEntry* const entry = next_entry();
    if (entry == nullptr) return false;
    entry->bytes = ChannelEntry::acknowledges;
    entry->with_sender = {0, flag};
    announce(*entry);
    return true;
}

/// Null while all are taken.
ChannelEntry* ChannelSender::next_entry() {
    if (sent_ - taken_ == Channel::length) look_what_is_taken();
    return sent_ - taken_ == Channel::length ? nullptr : &channel_->entry[(sent_ + 1) % Channel::length];
}

void ChannelSender::look_what_is_taken() {
    const std::uint32_t taken = channel_->taken.load(std::memory_order_acquire);
    if (taken == taken_) return;
    taken_ = taken;
    freed_ = used_by_[taken % Channel::length];
}

/// In one piece.
bool ChannelSender::find_room(std::uint32_t bytes, std::uint32_t& begin) {
    const std::uint32_t size = (bytes + Slot::cache_line - 1) / Slot::cache_line * Slot::cache_line;
    std::uint32_t first = used_;
    const std::uint32_t to_end = Channel::beside_bytes - first % Channel::beside_bytes;
    if (size > to_end) first += to_end;
    if (first + size - freed_ > Channel::beside_bytes) look_what_is_taken();
    if (first + size - freed_ > Channel::beside_bytes) return false;
    used_ = first + size;
    begin = first % Channel::beside_bytes;
    return true;
}

void ChannelSender::announce(ChannelEntry& entry) {
    ++sent_;
    used_by_[sent_ % Channel::length] = used_;
    entry.number.store(sent_, std::memory_order_release);
}

}  // namespace coll_topo
