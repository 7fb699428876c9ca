// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/certified_transport.hpp"

#include "coll_topo/reduction/floating_environment.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace coll_topo {
namespace {

/// In a request: it is a Message of ours. Transports leave the bit clear.
constexpr std::uintptr_t message_mark = 2;

CertifiedMemory::Message* message_of(void* request) {
    const auto bits = reinterpret_cast<std::uintptr_t>(request);
    return (bits & message_mark) != 0 ? reinterpret_cast<CertifiedMemory::Message*>(bits & ~message_mark) : nullptr;
}

constexpr std::size_t mark_bytes = sizeof unpacked_mark;

}  // namespace

CertifiedMemory::Message* CertifiedMemory::take_message(std::size_t packed_bytes) {
    if (idle_.empty()) {
        messages_.push_back(std::make_unique<Message>());
        idle_.reserve(messages_.size());
        idle_.push_back(messages_.back().get());
    }
    Message* message = idle_.back();
    if (message->packed.reserve(packed_bytes) == nullptr) return nullptr;
    idle_.pop_back();
    return message;
}

CertifiedTransport::CertifiedTransport(coll_topo_transport& bytes, const CertifiedKernels& kernels, int components,
                                       CertifiedMemory& memory)
    : coll_topo_transport{}, bytes_(bytes), kernels_(kernels), components_(components), memory_(memory), hooks_{} {
    extent = static_cast<std::ptrdiff_t>(kernels.value_bytes * components);
    element_bytes = kernels.packed_bytes * components;  // the longest form: what messages are cut by
    commutative = 1;
    send = [](coll_topo_transport* t, const void* data, std::size_t n, int peer, int lane, void** request) {
        return self(t).send_results(data, n, peer, lane, request);
    };
    receive = [](coll_topo_transport* t, void* data, std::size_t n, int peer, int lane, void** request) {
        return self(t).receive_results(data, n, peer, lane, request);
    };
    test = [](coll_topo_transport* t, void** request) { return self(t).test_request(request); };
    progress = [](coll_topo_transport* t) { self(t).bytes_.progress(&self(t).bytes_); };
    cancel = [](coll_topo_transport* t, void** request) { self(t).cancel_request(request); };
    reduce = [](coll_topo_transport* t, const void* source, void* target, std::size_t n) {
        self(t).add(source, target, n);
    };
    copy = [](coll_topo_transport* t, void* target, const void* source, std::size_t n) {
        return self(t).copy_elements(target, source, n);
    };
    hooks_.operand_extent = static_cast<std::ptrdiff_t>(element_bytes);
    hooks_.send = [](coll_topo_transport* t, const void* data, std::size_t n, int peer, int lane, void** request) {
        return self(t).send_partial(data, n, peer, lane, request);
    };
    hooks_.receive = [](coll_topo_transport* t, void* data, std::size_t n, int peer, int lane, void** request) {
        return self(t).receive_partial(data, n, peer, lane, request);
    };
    hooks_.receive_operand = [](coll_topo_transport* t, void* data, std::size_t n, int peer, int lane, void** request) {
        return self(t).receive_operands(data, n, peer, lane, request);
    };
    hooks_.use_scratch = [](coll_topo_transport* t, void* scratch, std::size_t n) {
        return self(t).lay_out(self(t).memory_.scratch, scratch, n);
    };
    partial_sums = &hooks_;
    memory_.scratch.count = 0;
}

// ---- buffers ----------------------------------------------------------------------------------------------------

int CertifiedTransport::lay_out(Region& region, void* values, std::size_t elements) {
    const std::size_t count = values_in(elements), low = Workspace::aligned(count * kernels_.low_bytes);
    std::byte* memory = region.memory.reserve(low + count * sizeof(std::uint16_t));
    if (memory == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    region.values = static_cast<std::byte*>(values);
    region.count = count;
    region.shadow = {memory, reinterpret_cast<std::uint16_t*>(memory + low)};
    region.shadowed.clear();
    return 0;
}

CertifiedTransport::Place CertifiedTransport::find(const void* address) const {
    for (Region* region : {&memory_.output, &memory_.scratch}) {
        // As integers: the address may be in neither, and pointers into different arrays have no difference. Of one
        // below the region it is huge.
        const auto offset =
            reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(region->values);
        if (offset < region->count * kernels_.value_bytes) return {region, offset / kernels_.value_bytes};
    }
    return {nullptr, 0};
}

Shadow CertifiedTransport::shadow_at(const Region& region, std::size_t index) const {
    return {region.shadow.low + index * kernels_.low_bytes, region.shadow.bound + index};
}

void CertifiedTransport::complete(Region& region, std::size_t begin, std::size_t end) {
    if (region.shadowed.none_in(begin, end)) return;
    const FloatingEnvironment environment;
    region.shadowed.visit(begin, end, [&](std::size_t from, std::size_t to, bool shadowed) {
        if (shadowed) kernels_.round(value_at(region, from), shadow_at(region, from), to - from);
    });
    region.shadowed.remove(begin, end);
}

/// Also finds out what has become plain: sums of integers and the like cost nothing more than their values.
bool CertifiedTransport::are_plain(Region& region, std::size_t begin, std::size_t end) {
    bool plain = true;
    region.shadowed.visit(begin, end, [&](std::size_t from, std::size_t to, bool shadowed) {
        if (plain && shadowed) plain = kernels_.settles(value_at(region, from), shadow_at(region, from), to - from);
    });
    if (plain) region.shadowed.remove(begin, end);
    return plain;
}

void CertifiedTransport::expand(Region& region, std::size_t begin, std::size_t end) {
    region.shadowed.visit(begin, end, [&](std::size_t from, std::size_t to, bool shadowed) {
        if (!shadowed) kernels_.expand(value_at(region, from), shadow_at(region, from), to - from);
    });
    region.shadowed.add(begin, end);
}

// ---- messages ---------------------------------------------------------------------------------------------------

void CertifiedTransport::mark_unpacked(std::byte* packed, std::size_t count) const {
    std::memcpy(packed + count * kernels_.packed_bytes - mark_bytes, &unpacked_mark, mark_bytes);
}

bool CertifiedTransport::is_packed(const std::byte* packed, std::size_t count) const {
    return std::memcmp(packed + count * kernels_.packed_bytes - mark_bytes, &unpacked_mark, mark_bytes) != 0;
}

int CertifiedTransport::send_results(const void* data, std::size_t elements, int peer, int lane, void** request) {
    const std::size_t count = values_in(elements);
    if (const Place at = find(data); at.region != nullptr) complete(*at.region, at.begin, at.begin + count);
    return bytes_.send(&bytes_, data, count * kernels_.value_bytes, peer, lane, request);
}

int CertifiedTransport::receive_results(void* data, std::size_t elements, int peer, int lane, void** request) {
    const std::size_t count = values_in(elements);
    if (const Place at = find(data); at.region != nullptr) at.region->shadowed.remove(at.begin, at.begin + count);
    return bytes_.receive(&bytes_, data, count * kernels_.value_bytes, peer, lane, request);
}

int CertifiedTransport::send_partial(const void* data, std::size_t elements, int peer, int lane, void** request) {
    const std::size_t count = values_in(elements);
    const Place at = find(data);
    if (at.region == nullptr || are_plain(*at.region, at.begin, at.begin + count)) {
        return bytes_.send(&bytes_, data, count * kernels_.value_bytes, peer, lane, request);
    }
    const std::size_t size = count * kernels_.packed_bytes;
    Message* message = memory_.take_message(size);
    if (message == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    std::byte* packed = message->packed.reserve(size);
    expand(*at.region, at.begin, at.begin + count);
    kernels_.pack(value_at(*at.region, at.begin), shadow_at(*at.region, at.begin), packed, count);
    message->values = nullptr;
    return post(message, bytes_.send(&bytes_, packed, size, peer, lane, &message->request), request);
}

int CertifiedTransport::receive_partial(void* data, std::size_t elements, int peer, int lane, void** request) {
    const std::size_t count = values_in(elements), size = count * kernels_.packed_bytes;
    Message* message = memory_.take_message(size);
    if (message == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    std::byte* packed = message->packed.reserve(size);
    mark_unpacked(packed, count);
    message->values = static_cast<std::byte*>(data);
    message->count = count;
    return post(message, bytes_.receive(&bytes_, packed, size, peer, lane, &message->request), request);
}

int CertifiedTransport::receive_operands(void* operands, std::size_t elements, int peer, int lane, void** request) {
    const std::size_t count = values_in(elements);
    mark_unpacked(static_cast<std::byte*>(operands), count);
    return bytes_.receive(&bytes_, operands, count * kernels_.packed_bytes, peer, lane, request);
}

int CertifiedTransport::post(Message* message, int posting_error, void** request) {
    if (posting_error != 0) {
        memory_.give_back(message);
        return posting_error;
    }
    *request = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(message) | message_mark);
    return 0;
}

int CertifiedTransport::test_request(void** request) {
    Message* message = message_of(*request);
    if (message == nullptr) return bytes_.test(&bytes_, request);
    const int state = bytes_.test(&bytes_, &message->request);
    if (state == 0) return 0;
    if (state > 0 && message->values != nullptr) settle(*message);
    memory_.give_back(message);
    *request = nullptr;
    return state;
}

void CertifiedTransport::cancel_request(void** request) {
    Message* message = message_of(*request);
    if (message == nullptr) return bytes_.cancel(&bytes_, request);
    bytes_.cancel(&bytes_, &message->request);
    memory_.give_back(message);
    *request = nullptr;
}

void CertifiedTransport::settle(Message& message) {
    const Place at = find(message.values);
    const std::byte* packed = message.packed.reserve(0);
    if (is_packed(packed, message.count)) {
        kernels_.unpack(packed, message.values, shadow_at(*at.region, at.begin), message.count);
        at.region->shadowed.add(at.begin, at.begin + message.count);
    } else {
        std::memcpy(message.values, packed, message.count * kernels_.value_bytes);
        at.region->shadowed.remove(at.begin, at.begin + message.count);
    }
}

// ---- sums -------------------------------------------------------------------------------------------------------

void CertifiedTransport::add(const void* source, void* target, std::size_t elements) {
    const std::size_t count = values_in(elements);
    const Place to = find(target), from = find(source);
    const auto* operands = static_cast<const std::byte*>(source);
    const FloatingEnvironment environment;
    if (from.region != nullptr) {
        add_region(from, *to.region, to.begin, count);
    } else if (is_packed(operands, count)) {
        add_packed(operands, *to.region, to.begin, count);
    } else {
        add_plain(operands, *to.region, to.begin, count);
    }
}

void CertifiedTransport::add_packed(const std::byte* source, Region& region, std::size_t begin, std::size_t count) {
    expand(region, begin, begin + count);
    kernels_.add_packed(source, value_at(region, begin), shadow_at(region, begin), count);
}

void CertifiedTransport::add_plain(const std::byte* source, Region& region, std::size_t begin, std::size_t count) {
    region.shadowed.visit(begin, begin + count, [&](std::size_t from, std::size_t to, bool shadowed) {
        const auto add = shadowed ? kernels_.add_plain : kernels_.add_plain_to_plain;
        add(source + (from - begin) * kernels_.value_bytes, value_at(region, from), shadow_at(region, from), to - from);
    });
    region.shadowed.add(begin, begin + count);
}

/// From buffer to buffer, packed bit by bit where the source has a shadow.
void CertifiedTransport::add_region(Place source, Region& region, std::size_t begin, std::size_t count) {
    alignas(16) std::array<std::byte, 8192> packed;
    const std::size_t longest = packed.size() / kernels_.packed_bytes;
    source.region->shadowed.visit(
        source.begin, source.begin + count, [&](std::size_t from, std::size_t end, bool shadowed) {
            while (from < end) {
                const std::size_t now = shadowed ? std::min(longest, end - from) : end - from;
                const std::size_t target = begin + (from - source.begin);
                const std::byte* values = value_at(*source.region, from);
                if (shadowed) {
                    kernels_.pack(values, shadow_at(*source.region, from), packed.data(), now);
                    add_packed(packed.data(), region, target, now);
                } else {
                    add_plain(values, region, target, now);
                }
                from += now;
            }
        });
}

int CertifiedTransport::copy_elements(void* target, const void* source, std::size_t elements) {
    const std::size_t count = values_in(elements);
    const Place to = find(target), from = find(source);
    if (to.region == nullptr) return COLL_TOPO_FAILED;
    std::memmove(target, source, count * kernels_.value_bytes);
    to.region->shadowed.remove(to.begin, to.begin + count);
    if (from.region == nullptr) return 0;
    from.region->shadowed.visit(from.begin, from.begin + count, [&](std::size_t at, std::size_t end, bool shadowed) {
        if (!shadowed) return;
        const Shadow old = shadow_at(*from.region, at);
        const std::size_t copied = to.begin + (at - from.begin);
        const Shadow made = shadow_at(*to.region, copied);
        std::memcpy(made.low, old.low, (end - at) * kernels_.low_bytes);
        std::memcpy(made.bound, old.bound, (end - at) * sizeof *old.bound);
        to.region->shadowed.add(copied, copied + (end - at));
    });
    return 0;
}

}  // namespace coll_topo
