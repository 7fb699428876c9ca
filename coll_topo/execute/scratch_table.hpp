// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/block_map.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstddef>
#include <span>

namespace coll_topo {

/// Whether scratch, of a program whose vector or pieces are cut into so many blocks, holds them in an order of its own
/// and not cut after cut: then its blocks may differ in size where those of the vector do not.
inline bool packs_blocks(const Program& program, int cuts, bool has_pieces) {
    if (has_pieces && program.lanes.size() > 1) return false;  // lane by lane
    for (std::size_t block = 0; block < program.scratch_order.size(); ++block) {
        if (program.scratch_order[block] % cuts != static_cast<std::int32_t>(block % cuts)) return true;
    }
    return false;
}

/// Where each block of scratch begins, and the end, from where those of the vector do.
inline void fill_scratch_table(std::span<const std::int32_t> order, const BlockMap& vector, std::size_t* begin) {
    *begin = 0;
    for (const std::int32_t same : order) {
        begin[1] = begin[0] + vector.offset(same + 1) - vector.offset(same);
        ++begin;
    }
}

}  // namespace coll_topo
