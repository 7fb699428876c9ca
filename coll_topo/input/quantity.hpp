// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/input/source_text.hpp"

#include <cstdint>
#include <string_view>

namespace coll_topo {

/// A bandwidth above 0 such as 25GB/s or 200Gbit/s, in bytes/s. The `/s` may be left out, the unit may not.
Expected<double> parse_bandwidth(const Located& text);

/// A latency of 0 or more such as 0.5us, in seconds.
Expected<double> parse_latency(const Located& text);

/// An amount of data in whole bytes, such as 8, 64KiB or 4MB; 0 up to 2^62.
Expected<std::int64_t> parse_bytes(const Located& text);

/// A whole number between two bounds; `what` names it in messages.
Expected<std::int64_t> parse_integer(const Located& text, std::int64_t least, std::int64_t most, std::string_view what);

}  // namespace coll_topo
