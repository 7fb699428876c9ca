// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/commands/accept_stages.hpp"

namespace coll_topo::tool {

/// Measures coll_topo beside tuned, HAN and basic, a job for each collective; what it loses is measured again, with all
/// of its algorithms, and rules are written that mend it. `hosts` says where ranks are, for predictions. A failure of
/// one collective is added to `errors`.
SpeedStage measure_speed(const AcceptOptions& options, const StageRunner& runner, const AcceptanceLimits& limits,
                         const HostStage* hosts, std::vector<std::string>& errors);

}  // namespace coll_topo::tool
