// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace coll_topo {

/// Messages of up to so many bytes are bound by latency: cutting them, or having more of them under way, gains nothing,
/// and each message costs its ranks time.
inline constexpr std::size_t latency_bound_bytes = 4096;

}  // namespace coll_topo
