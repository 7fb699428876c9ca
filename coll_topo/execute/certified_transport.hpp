// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/certified_sums.hpp"
#include "coll_topo/execute/transport.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace coll_topo {

/// What certified sums need beside the executor's buffers; kept and reused.
class CertifiedMemory {
public:
    /// A message of partial sums under way, in memory of its own.
    struct Message {
        void* request = nullptr;
        std::byte* values = nullptr;  ///< received ones replace these; null: sent
        std::size_t count = 0;
        Workspace packed;
    };

    CertifiedSums::Region output, scratch;

    /// Null if there is no memory.
    Message* take_message(std::size_t packed_bytes);
    void give_back(Message* message) { idle_.push_back(message); }

private:
    std::vector<std::unique_ptr<Message>> messages_;
    std::vector<Message*> idle_;
};

/// Sums that are exact to the last bit or say that they may not be, over a transport of bytes. A sum that is a value
/// alone, such as an operand or a result, travels as that; others with their low parts and bounds. The length of a
/// message tells which it is.
class CertifiedTransport : public coll_topo_transport {
public:
    /// An element is `components` values. All that is given must outlive this.
    CertifiedTransport(coll_topo_transport& bytes, const CertifiedKernels& kernels, int components,
                       CertifiedMemory& memory);

    /// The buffer that the sums of the collective end in: COLL_TOPO_OUT_OF_MEMORY or 0.
    int use_output(void* output, std::size_t elements) {
        return sums_.lay_out(memory_.output, output, values_in(elements));
    }
    /// Turns all of it into results or sentinels.
    void finish() { sums_.complete({&memory_.output, 0}, memory_.output.count); }

private:
    using Message = CertifiedMemory::Message;
    using Place = CertifiedSums::Place;

    static CertifiedTransport& self(coll_topo_transport* transport) {
        return *static_cast<CertifiedTransport*>(transport);
    }

    std::size_t values_in(std::size_t elements) const { return elements * components_; }
    void mark_unpacked(std::byte* packed, std::size_t count) const;
    bool is_packed(const std::byte* packed, std::size_t count) const;
    void settle(Message& message);

    int send_results(const void* data, std::size_t elements, int peer, int lane, void** request);
    int receive_results(void* data, std::size_t elements, int peer, int lane, void** request);
    int send_partial(const void* data, std::size_t elements, int peer, int lane, void** request);
    int receive_partial(void* data, std::size_t elements, int peer, int lane, void** request);
    int receive_operands(void* operands, std::size_t elements, int peer, int lane, void** request);
    int post(Message* message, int posting_error, void** request);
    int test_request(void** request);
    void cancel_request(void** request);
    void add(const void* source, void* target, std::size_t elements);
    int copy_elements(void* target, const void* source, std::size_t elements);

    coll_topo_transport& bytes_;
    const CertifiedKernels& kernels_;
    const std::size_t components_;
    CertifiedMemory& memory_;
    const CertifiedSums sums_;
    coll_topo_partial_sums hooks_;
};

}  // namespace coll_topo
