// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/tool/output/table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// What the test of all cables of a fabric takes: a row for latency, bandwidth alone, and bandwidth together.
struct CableEffort {
    Table rounds;
    std::optional<double> seconds;  ///< of all; nothing if the file leaves bandwidths open
};
CableEffort cable_effort(const acceptance::CablePlan& plan, const Fabric& fabric, const LinkGraph& graph);

/// "n00 -> n01" of the first few links, and how many more there are; the ends of parallel cables appear once for each.
std::string link_list(const LinkGraph& graph, const std::vector<int>& links);

}  // namespace coll_topo::tool
