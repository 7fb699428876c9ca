// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <optional>
#include <string>

namespace coll_topo::bench {

enum Status { success = 0, wrong = 1, command_line_error = 2 };  // of coll-topo-measure

/// Writes results to a file, or to standard output if the path is empty.
std::optional<Error> write_results(const std::string& json, const std::string& path);

}  // namespace coll_topo::bench
