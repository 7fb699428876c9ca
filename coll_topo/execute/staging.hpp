// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/plan.hpp"

#include <cstddef>

namespace coll_topo {

/// What decides how much memory received operands need until they are reduced.
struct StagingSize {
    std::ptrdiff_t extent;
    std::ptrdiff_t tail;
    std::size_t segment;  ///< elements

    /// Memory of so many elements, bytes.
    std::size_t memory(std::size_t elements) const { return elements == 0 ? 0 : elements * extent + tail; }
    /// Staging memory of a receive_reduce of so many elements: all of them, or the segments that may be under way.
    std::size_t bytes(std::size_t elements) const;
};

/// Makes room in `staging` for the largest even and the largest odd step of every lane, unless that was done for data
/// of the same size before.
void update_staging(Plan::Staging& staging, const Program& program, const Data& data, const StagingSize& size,
                    const coll_topo_buffers& buffers);

}  // namespace coll_topo
