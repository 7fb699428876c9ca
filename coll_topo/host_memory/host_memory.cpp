// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/host_memory/host_memory.hpp"

#include "coll_topo/execute/transport.h"
#include "coll_topo/host_memory/other_process.hpp"

#include <unistd.h>

#include <algorithm>

using namespace coll_topo;

namespace {

/// Whether message `number` is not after the last one, `last`.
bool reached(std::uint32_t last, std::uint32_t number) {
    return static_cast<std::int32_t>(last - number) >= 0;
}

}  // namespace

coll_topo_host_memory::coll_topo_host_memory(int members, int lanes, int own)
    : members_(members),
      lanes_(lanes),
      own_(own),
      most_beside_(Slot::most_beside(members)),
      sent_(static_cast<std::size_t>(lanes) * members),
      awaited_(static_cast<std::size_t>(lanes) * members) {}

std::size_t coll_topo_host_memory::slots_begin() const {
    const std::size_t bytes = members_ * sizeof(Member);
    return (bytes + Slot::cache_line - 1) / Slot::cache_line * Slot::cache_line;
}

std::size_t coll_topo_host_memory::slots() const {
    return static_cast<std::size_t>(lanes_) * members_ * members_ * Slot::per_lane;
}

std::size_t coll_topo_host_memory::segment_bytes() const {
    return tagged_begin() + TaggedMessages::bytes(members_);
}

std::size_t coll_topo_host_memory::tagged_begin() const {
    return slots_begin() + slots() * (sizeof(Slot) + Slot::beside_stride(members_));
}

Slot* coll_topo_host_memory::slot(int sender, int receiver, int lane, std::uint32_t message) const {
    // Two messages that follow each other are not in neighbouring lines, which processors fetch together.
    const std::size_t group = static_cast<std::size_t>(lane) * Slot::per_lane + message % Slot::per_lane;
    return first_slot() + (group * members_ + receiver) * members_ + sender;
}

/// Where a message is that is not with its sender.
std::byte* coll_topo_host_memory::data_of(Slot& slot) const {
    if (slot.bytes <= Slot::most_inside) return slot.inside;
    return reinterpret_cast<std::byte*>(first_slot() + slots()) +
           (&slot - first_slot()) * Slot::beside_stride(members_);
}

bool coll_topo_host_memory::create(coll_topo_memory_offer& offer) {
    if (!segment_.create(segment_bytes())) return false;
    offer = {static_cast<std::int32_t>(getpid()), segment_.descriptor(), {}};
    std::ranges::copy(segment_.token(), offer.token);
    return introduce();
}

bool coll_topo_host_memory::join(const coll_topo_memory_offer& offer) {
    const Segment::Token token{offer.token[0], offer.token[1]};
    return segment_.join(offer.process, offer.descriptor, token, segment_bytes()) && introduce();
}

/// Others see it after the messages by which all agree that they have joined.
bool coll_topo_host_memory::introduce() {
    token_copy_ = segment_.token();
    auto* const members = reinterpret_cast<Member*>(segment_.data());
    members[own_] = {getpid(), reinterpret_cast<std::uintptr_t>(&token_copy_)};
    return true;
}

bool coll_topo_host_memory::can_access_next() const {
    const Member& next = reinterpret_cast<const Member*>(segment_.data())[(own_ + 1) % members_];
    const auto process = static_cast<pid_t>(next.process);
    Segment::Token theirs{};
    return read_process(process, next.address, &theirs, sizeof theirs) && theirs == segment_.token() &&
           write_process(process, next.address, &theirs, sizeof theirs);
}

void coll_topo_host_memory::begin(const int* member_ranks, int ranks, bool threads) {
    member_of_rank_.assign(ranks, -1);
    processes_.resize(members_);
    for (int member = 0; member < members_; ++member) {
        if (member != own_) member_of_rank_[member_ranks[member]] = member;
        processes_[member] = static_cast<pid_t>(reinterpret_cast<const Member*>(segment_.data())[member].process);
    }
    tagged_.begin(segment_.data() + tagged_begin(), processes_, own_, threads, copied_at_once());
    segment_.seal();
}

void* coll_topo_host_memory::send(const void* data, std::size_t bytes, int rank, int lane) {
    const int peer = member_of_rank_[rank];
    std::uint32_t& sent = sent_[lane * members_ + peer];
    const std::uint32_t number = sent + 1;
    Slot& to = *slot(own_, peer, lane, number);
    const auto* const source = static_cast<const std::byte*>(data);
    if (bytes <= most_beside_ && announce(to, number, source, bytes)) {
        sent = number;
        return nullptr;
    }
    Request* const message = take_request();
    sent = number;
    *message = {.slot = &to,
                .source = source,
                .bytes = bytes,
                .process = processes_[peer],
                .number = number,
                .kind = Kind::send};
    if (!announce(*message)) unsettled_.push_back(message);
    return message;
}

void* coll_topo_host_memory::receive(void* data, std::size_t bytes, int rank, int lane) {
    const int peer = member_of_rank_[rank];
    Request* const message = take_request();
    const std::uint32_t number = ++awaited_[lane * members_ + peer];
    *message = {.slot = slot(peer, own_, lane, number),
                .target = static_cast<std::byte*>(data),
                .bytes = bytes,
                .process = processes_[peer],
                .number = number,
                .kind = data != nullptr ? Kind::receive : Kind::read};
    return message;
}

/// False while the one before it in the slot has not been taken.
bool coll_topo_host_memory::announce(Slot& slot, std::uint32_t number, const std::byte* source,
                                     std::size_t bytes) const {
    if (!reached(slot.taken.load(std::memory_order_acquire), number - Slot::per_lane)) return false;
    slot.bytes = bytes;
    if (bytes <= most_beside_) {
        copy_data(data_of(slot), source, bytes);
    } else {
        slot.address = reinterpret_cast<std::uintptr_t>(source);
    }
    slot.announced.store(number, std::memory_order_release);
    return true;
}

bool coll_topo_host_memory::announce(Request& message) const {
    message.announced = announce(*message.slot, message.number, message.source, message.bytes);
    return message.announced;
}

bool coll_topo_host_memory::progress() {
    constexpr unsigned per_turn_of_others = 8;
    if (!unsettled_.empty()) {
        std::erase_if(unsettled_, [this](Request* message) { return settle(message); });
    }
    if (!copies_.empty() && copy_some(*copies_.front())) copies_.erase(copies_.begin());
    return !has_all() || ++waits_ % per_turn_of_others == 0;
}

/// Whether it need not be looked at again.
bool coll_topo_host_memory::settle(Request* message) {
    void* request = message;
    switch (message->kind) {
        case Kind::send:
            return announce(*message);
        case Kind::lost_send:
            if (!announce(*message)) return false;
            give_back(&request);
            return true;
        default:
            if (!reached(message->slot->announced.load(std::memory_order_acquire), message->number)) return false;
            release(&request);
            return true;
    }
}

int coll_topo_host_memory::test(void** request) {
    Request& message = *static_cast<Request*>(*request);
    return message.kind == Kind::send ? test_send(message, request) : test_receive(message, request);
}

int coll_topo_host_memory::test_send(Request& message, void** request) {
    if (!message.announced) return 0;
    if (message.bytes > most_beside_ && !reached(message.slot->taken.load(std::memory_order_acquire), message.number)) {
        return 0;
    }
    give_back(request);
    return 1;
}

int coll_topo_host_memory::test_receive(Request& message, void** request) {
    const Slot& slot = *message.slot;
    if (!reached(slot.announced.load(std::memory_order_acquire), message.number)) return 0;
    if (slot.bytes > message.bytes) {
        release(request);
        return COLL_TOPO_TRUNCATED;
    }
    if (message.kind == Kind::read) return 1;
    if (slot.bytes <= most_beside_ || has_all()) {
        copy_some(message);
    } else if (!message.in_copies) {
        message.in_copies = true;
        copies_.push_back(&message);
    }
    if (message.done < slot.bytes) return 0;
    const int state = message.failed ? COLL_TOPO_FAILED : 1;
    release(request);
    return state;
}

/// Whether all is copied, or cannot be.
bool coll_topo_host_memory::copy_some(Request& message) const {
    const std::size_t now = std::min(copied_at_once(), message.slot->bytes - message.done);
    message.failed = read(&message, message.done, message.target + message.done, now) != COLL_TOPO_OK;
    message.done = message.failed ? message.slot->bytes : message.done + now;
    return message.done == message.slot->bytes;
}

int coll_topo_host_memory::read(void* request, std::size_t at, void* into, std::size_t bytes) const {
    const Request& message = *static_cast<const Request*>(request);
    Slot& slot = *message.slot;
    if (at >= slot.bytes) return COLL_TOPO_OK;
    bytes = std::min(bytes, slot.bytes - at);
    if (slot.bytes > most_beside_) {
        return read_process(message.process, slot.address + at, into, bytes) ? COLL_TOPO_OK : COLL_TOPO_FAILED;
    }
    copy_data(static_cast<std::byte*>(into), data_of(slot) + at, bytes);
    return COLL_TOPO_OK;
}

void coll_topo_host_memory::release(void** request) {
    const Request& message = *static_cast<Request*>(*request);
    message.slot->taken.store(message.number, std::memory_order_release);
    give_back(request);
}

void coll_topo_host_memory::cancel(void** request) {
    Request* const message = static_cast<Request*>(*request);
    *request = nullptr;
    std::erase(copies_, message);
    if (message->kind != Kind::send) {
        message->kind = Kind::lost_receive;
        unsettled_.push_back(message);
    } else if (message->announced) {
        idle_.push_back(message);
    } else {
        message->kind = Kind::lost_send;  // and is among the unsettled
        message->bytes = 0;
    }
}

coll_topo_host_memory::Request* coll_topo_host_memory::take_request() {
    constexpr std::size_t at_once = 32;
    if (idle_.empty()) {
        idle_.reserve((blocks_.size() + 1) * at_once);  // so that giving back needs no memory
        unsettled_.reserve(idle_.capacity());
        copies_.reserve(idle_.capacity());
        blocks_.push_back(std::make_unique<Request[]>(at_once));
        for (std::size_t i = 0; i < at_once; ++i) idle_.push_back(&blocks_.back()[i]);
    }
    Request* const request = idle_.back();
    idle_.pop_back();
    return request;
}

void coll_topo_host_memory::give_back(void** request) {
    idle_.push_back(static_cast<Request*>(*request));
    *request = nullptr;
}
