// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace coll_topo {

/// Bytes that the one thread of a rank works on before it sees to messages of other lanes, which are to move meanwhile:
/// so many it combines,
inline constexpr std::size_t reduced_at_once = 64 * 1024;
/// and so many it copies of a long message from a rank of its host. To begin to look into another process takes as long
/// as to copy some KiB.
inline constexpr std::size_t copied_at_once = 256 * 1024;

}  // namespace coll_topo
