// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// Writes names with blanks between, after `title`, in as many lines as they need.
void write_names(std::ostream& out, const std::string& title, const std::vector<std::string>& names);

}  // namespace coll_topo::tool
