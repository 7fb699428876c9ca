// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/block_layout.hpp"

#include <optional>

namespace coll_topo {

/// The buffer of the caller that `scratch` may be, so that nothing is copied from one to the other, if the caller's
/// memory can be sent and received as it is. Of a gather or a scatter: scratch has the blocks of that buffer in their
/// order, as that of the root and of ranks that pass nothing on, and what is in it is never another block's.
/// Of an allgather: see gathers_in_output(). Else nothing.
std::optional<Buffer> scratch_in_buffer(const Program& program, Collective collective, int ranks, int rank);

/// The blocks of scratch that may be the rank's own piece in the caller's memory, in the same sense, where not all of
/// scratch may be that: no message has them together with others. Of a gather or scatter; else empty.
BlockRange own_piece_in_buffer(const Program& program, Collective collective, int ranks, int rank);

}  // namespace coll_topo
