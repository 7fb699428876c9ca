// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/tool/accept/cable_faults.hpp"
#include "coll_topo/tool/accept/speed_stage.hpp"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace coll_topo::tool {

/// What an earlier run has measured: bytes/s of each direction of each cable, and seconds of coll_topo.
struct Baseline {
    std::string date;
    std::map<std::tuple<std::string, std::string, int>, double> links;    ///< by ends and number
    std::map<std::pair<std::string, std::int64_t>, ComponentTime> times;  ///< by collective and bytes
};

/// Reads results.json of an earlier run; fails if it is of another network. `name` stands for the text in messages.
Expected<Baseline> read_baseline(std::string_view text, const std::string& name, const Fabric& fabric);

/// What is worse than before by more than a share, for people: cables alone, and times by median and fastest call.
std::vector<std::string> worse_than(const Baseline& baseline, const CableReport* cables, const SpeedStage* speed,
                                    double share);

/// How many of its figures were measured again.
std::size_t compared_with(const Baseline& baseline, const CableReport* cables, const SpeedStage* speed);

}  // namespace coll_topo::tool
