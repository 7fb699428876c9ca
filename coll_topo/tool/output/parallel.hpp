// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <functional>

namespace coll_topo::tool {

/// As many threads as the machine runs at once, at least 1.
int default_workers();

/// Does the jobs 0 .. jobs-1 in ascending order, `workers` at a time. Starts no more once one has failed, and fails
/// with the error of the first such.
Expected<void> run_in_parallel(int jobs, int workers, const std::function<Expected<void>(int)>& job);

}  // namespace coll_topo::tool
