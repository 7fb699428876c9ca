// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <functional>
#include <vector>

namespace coll_topo::simulate {

/// Called from time to time with the share of the work that is done, 0 .. 1.
using Progress = std::function<void(double share)>;

/// Does `work` in a process of its own and returns what it returned, so that it may use a library that works only once
/// in a process, may end in abort(), and gives all its memory back. Fails, naming `what`, if the process ends
/// otherwise. `progress`, which may be empty, is called in this process for every call of the work's argument. Threads
/// may each have a child at the same time.
Expected<std::vector<double>> compute_in_child(const char* what,
                                               const std::function<std::vector<double>(const Progress&)>& work,
                                               const Progress& progress);

}  // namespace coll_topo::simulate
