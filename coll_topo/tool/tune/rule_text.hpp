// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/rules.hpp"

#include <string>

namespace coll_topo::tool {

/// Ranges as a file of rules has them: "64KiB-1MiB", "-512", "8"; empty for any.
std::string bytes_range_text(const Range& range);
std::string range_text(const Range& range);

/// What a rule sets besides the algorithm, as it stands at the end of its line: " Lanes=2 Aggregators=1"; 0: not set.
std::string settings_text(int lanes, int segments, int aggregators);

/// The rule as a line of a file, without its end.
std::string rule_text(const Rule& rule);

}  // namespace coll_topo::tool
