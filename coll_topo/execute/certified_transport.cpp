// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/certified_transport.hpp"

#include "coll_topo/reduction/floating_environment.hpp"

#include <cstdint>
#include <cstring>

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
    : coll_topo_transport{},
      bytes_(bytes),
      kernels_(kernels),
      components_(components),
      memory_(memory),
      sums_(kernels, memory.output, memory.scratch),
      hooks_{} {
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
        return self(t).sums_.lay_out(self(t).memory_.scratch, scratch, self(t).values_in(n));
    };
    partial_sums = &hooks_;
    memory_.scratch.count = 0;
}

void CertifiedTransport::mark_unpacked(std::byte* packed, std::size_t count) const {
    std::memcpy(packed + count * kernels_.packed_bytes - mark_bytes, &unpacked_mark, mark_bytes);
}

bool CertifiedTransport::is_packed(const std::byte* packed, std::size_t count) const {
    return std::memcmp(packed + count * kernels_.packed_bytes - mark_bytes, &unpacked_mark, mark_bytes) != 0;
}

int CertifiedTransport::send_results(const void* data, std::size_t elements, int peer, int lane, void** request) {
    const std::size_t count = values_in(elements);
    if (const Place at = sums_.find(data); at.region != nullptr) sums_.complete(at, count);
    return bytes_.send(&bytes_, data, count * kernels_.value_bytes, peer, lane, request);
}

int CertifiedTransport::receive_results(void* data, std::size_t elements, int peer, int lane, void** request) {
    const std::size_t count = values_in(elements);
    if (const Place at = sums_.find(data); at.region != nullptr) CertifiedSums::set_plain(at, count);
    return bytes_.receive(&bytes_, data, count * kernels_.value_bytes, peer, lane, request);
}

int CertifiedTransport::send_partial(const void* data, std::size_t elements, int peer, int lane, void** request) {
    const std::size_t count = values_in(elements);
    const Place at = sums_.find(data);
    if (at.region == nullptr || sums_.are_plain(at, count)) {
        return bytes_.send(&bytes_, data, count * kernels_.value_bytes, peer, lane, request);
    }
    const std::size_t size = count * kernels_.packed_bytes;
    Message* message = memory_.take_message(size);
    if (message == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    std::byte* packed = message->packed.reserve(size);
    sums_.pack(at, packed, count);
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
    const Place at = sums_.find(message.values);
    const std::byte* packed = message.packed.reserve(0);
    if (is_packed(packed, message.count)) return sums_.unpack(packed, at, message.count);
    std::memcpy(message.values, packed, message.count * kernels_.value_bytes);
    CertifiedSums::set_plain(at, message.count);
}

void CertifiedTransport::add(const void* source, void* target, std::size_t elements) {
    const std::size_t count = values_in(elements);
    const Place to = sums_.find(target), from = sums_.find(source);
    const auto* operands = static_cast<const std::byte*>(source);
    const FloatingEnvironment environment;
    if (from.region != nullptr) {
        sums_.add_sums(from, to, count);
    } else if (is_packed(operands, count)) {
        sums_.add_packed(operands, to, count);
    } else {
        sums_.add_plain(operands, to, count);
    }
}

int CertifiedTransport::copy_elements(void* target, const void* source, std::size_t elements) {
    const std::size_t count = values_in(elements);
    const Place to = sums_.find(target), from = sums_.find(source);
    if (to.region == nullptr) return COLL_TOPO_FAILED;
    std::memmove(target, source, count * kernels_.value_bytes);
    CertifiedSums::set_plain(to, count);
    if (from.region != nullptr) sums_.copy_shadows(from, to, count);
    return 0;
}

}  // namespace coll_topo
