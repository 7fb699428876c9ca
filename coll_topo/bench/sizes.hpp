// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace coll_topo::bench {

/// "64KiB,1MiB", or FROM:TO:xFACTOR such as "8:4MiB:x4", which ends at TO or below; in bytes, as written.
Expected<std::vector<std::int64_t>> parse_sizes(std::string_view text);

}  // namespace coll_topo::bench
