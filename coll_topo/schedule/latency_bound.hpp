// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace coll_topo {

/// Up to so many bytes, any network takes a message at once: there is nothing to gain from cutting it, or from more of
/// them under way, and each costs its ranks time.
inline constexpr std::size_t latency_bound_bytes = 4096;

}  // namespace coll_topo
