// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/profile/profile_report.hpp"
#include "coll_topo/tool/tune/bench_results.hpp"

#include <string>
#include <vector>

namespace coll_topo::tool {

/// The rows of a profile as measurements, a run for each kind of communicator and all that was fixed: the choice by
/// predicted time as component "topo", what a rule or a parameter named as "topo:NAME" or as the component that calls
/// were passed on to. Each stands for its whole size class.
std::vector<BenchRun> results_of(const ProfileReport& profile, const std::string& file);

/// Comments on what is worth measuring, as the profile does not tell what would be faster: calls that took longer than
/// predicted, or of which nothing is predicted, those with the longest total first. Ends with a newline, or is empty.
std::string worth_measuring(const ProfileReport& profile, const std::string& file);

}  // namespace coll_topo::tool
