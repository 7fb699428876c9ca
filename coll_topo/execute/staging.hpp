// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/plan.hpp"

#include <cstddef>

namespace coll_topo {

/// Bytes from one received operand to the next.
inline std::ptrdiff_t operand_extent(const coll_topo_transport& transport) {
    return transport.partial_sums != nullptr ? transport.partial_sums->operand_extent : transport.extent;
}

/// What decides how much memory received operands need until they are reduced.
struct StagingSize {
    std::ptrdiff_t extent;
    std::ptrdiff_t tail;
    std::size_t segment;  ///< elements

    /// Staging memory of a receive_reduce of so many elements: all of them, or the segments that may be under way.
    std::size_t bytes(std::size_t elements) const;
};

/// Memory for so many elements `extent` bytes apart, bytes.
inline std::size_t element_memory(std::size_t elements, std::ptrdiff_t extent, std::ptrdiff_t tail) {
    return elements == 0 ? 0 : elements * extent + tail;
}

/// Makes room in `staging` for the largest even and the largest odd step of every lane, unless that was done for data
/// of the same size before.
void update_staging(PlanTables::Staging& staging, const Program& program, const Data& data, const StagingSize& size,
                    const coll_topo_buffers& buffers);

}  // namespace coll_topo
