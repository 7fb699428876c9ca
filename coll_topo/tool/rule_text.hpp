// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/rules.hpp"

#include <string>

namespace coll_topo::tool {

/// Ranges as a file of rules has them: "64KiB-1MiB", "-512", "8"; empty for any.
std::string bytes_range_text(const Range& range);
std::string range_text(const Range& range);

/// The rule as a line of a file, without its end.
std::string rule_text(const Rule& rule);

}  // namespace coll_topo::tool
