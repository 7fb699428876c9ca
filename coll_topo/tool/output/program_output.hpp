// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <string>
#include <vector>

namespace coll_topo::tool {

/// Runs a program, found in PATH, with its arguments, and returns what it writes to standard output. Its standard error
/// is that of this process. Fails if it cannot be started, or does not end with status 0.
Expected<std::string> output_of(const std::vector<std::string>& command);

/// What a program has written to standard output, and how it ended.
struct ProgramOutput {
    std::string text;
    Expected<void> end;  ///< an error if not with status 0
};

/// The same for a program whose output counts even if it ends otherwise. Fails if it cannot be started.
Expected<ProgramOutput> output_and_end_of(const std::vector<std::string>& command);

}  // namespace coll_topo::tool
