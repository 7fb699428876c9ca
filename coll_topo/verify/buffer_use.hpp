// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/schedule/program.hpp"

namespace coll_topo::verify {

/// Finds uses of the caller's buffers that a caller may not allow. None in allreduce, bcast and reduce, which work in
/// `output`, nor in alltoall, whose buffers are never the same memory. Else:
/// - In place, `output` is the memory of `input`. So a lane reads `input` only before its first message, and writes
///   `output` only after.
/// - The elements of an allgather may have gaps, packed on the way to and from scratch. So `input` and `output` are
///   only copied to and from scratch.
/// Needs a program of sound form.
Expected<void> check_buffer_use(Collective collective, const Program& program, int rank, int ranks);

}  // namespace coll_topo::verify
