// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

namespace coll_topo {

/// Whether the plan runs on these buffers without cutting messages, and each message is short: then SingleLaneRun does
/// it. Other ranks may take the other way: no message between them may be one that is cut there.
bool runs_in_single_lane(const Plan& plan, const coll_topo_transport& transport, const coll_topo_buffers& buffers);

/// Runs the plan on this rank until all its lanes are done. Returns 0, COLL_TOPO_OUT_OF_MEMORY before anything is sent,
/// or the transport's error code after every posted request is gone.
int execute(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers, Workspace& workspace);

}  // namespace coll_topo
