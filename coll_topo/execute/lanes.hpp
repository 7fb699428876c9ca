// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

namespace coll_topo {

/// Runs any plan: all lanes progress together; where the program allows it, receives are posted some steps ahead and
/// the next step begins while sends are under way; long messages are cut into segments that are reduced while the next
/// ones arrive.
int execute_lanes(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers, Workspace& workspace);

}  // namespace coll_topo
