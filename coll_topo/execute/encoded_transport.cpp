// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/encoded_transport.hpp"

#include <cstring>
#include <utility>

namespace coll_topo {

EncodedTransport::EncodedTransport(coll_topo_transport& bytes, std::size_t operand_bytes, int components,
                                   Combine combine)
    : coll_topo_transport{}, bytes_(bytes), components_(components), combine_(std::move(combine)) {
    element_bytes = operand_bytes * components;
    extent = static_cast<std::ptrdiff_t>(element_bytes);
    commutative = 1;
    send = [](coll_topo_transport* t, const void* data, std::size_t n, int peer, int lane, void** request) {
        coll_topo_transport& under = self(t).bytes_;
        return under.send(&under, data, n * t->element_bytes, peer, lane, request);
    };
    receive = [](coll_topo_transport* t, void* data, std::size_t n, int peer, int lane, void** request) {
        coll_topo_transport& under = self(t).bytes_;
        return under.receive(&under, data, n * t->element_bytes, peer, lane, request);
    };
    test = [](coll_topo_transport* t, void** request) { return self(t).bytes_.test(&self(t).bytes_, request); };
    progress = [](coll_topo_transport* t) { self(t).bytes_.progress(&self(t).bytes_); };
    cancel = [](coll_topo_transport* t, void** request) { self(t).bytes_.cancel(&self(t).bytes_, request); };
    reduce = [](coll_topo_transport* t, const void* source, void* target, std::size_t n) {
        self(t).combine_(static_cast<const std::byte*>(source), static_cast<std::byte*>(target),
                         n * self(t).components_);
    };
    copy = [](coll_topo_transport* t, void* target, const void* source, std::size_t n) {
        std::memmove(target, source, n * t->element_bytes);
        return 0;
    };
}

}  // namespace coll_topo
