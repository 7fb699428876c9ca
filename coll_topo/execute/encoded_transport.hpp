// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/transport.h"

#include <cstddef>
#include <functional>

namespace coll_topo {

/// Carries operands of a fixed size that a plain function combines, over a transport of bytes.
class EncodedTransport : public coll_topo_transport {
public:
    using Combine = std::function<void(const std::byte* source, std::byte* target, std::size_t count)>;

    /// An element is `components` operands of `operand_bytes`. `bytes`: elements are bytes; it must outlive this.
    EncodedTransport(coll_topo_transport& bytes, std::size_t operand_bytes, int components, Combine combine);

private:
    coll_topo_transport& bytes_;
    const std::size_t components_;
    const Combine combine_;

    static EncodedTransport& self(coll_topo_transport* transport) { return *static_cast<EncodedTransport*>(transport); }
};

}  // namespace coll_topo
