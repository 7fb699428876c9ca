// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/simulate/simulation_report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// "12.5 %" for 0.125.
std::string percent_text(double share);

/// In the order in which they come up.
std::vector<double> sizes_of(const std::vector<SimulatedCase>& cases);
std::vector<std::string_view> algorithms_of(const std::vector<SimulatedCase>& cases);

}  // namespace coll_topo::tool
