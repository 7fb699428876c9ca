// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

#include <cstddef>

namespace coll_topo {

/// Runs the plan of a gather or scatter, of a program that does not cut pieces, with a cell in place of each piece: its
/// size, and the piece itself if it is short. Before, the caller has filled this rank's own cell (gather), or at the
/// root those of all ranks (scatter); afterwards the root has all, or each rank its own. `sizes`, one for each rank,
/// then has those of all pieces that pass through this rank in the plan, which is what it needs to know to run it with
/// these pieces. The transport is of bytes. As execute().
int exchange_piece_sizes(Plan& plan, coll_topo_transport& transport, int root, const coll_topo_cells& cells,
                         std::size_t* sizes, Workspace& workspace);

/// What it is made of. The buffers of such a run.
coll_topo_buffers buffers_of_cells(const Plan& plan, int root, const coll_topo_cells& cells);
/// Once it has ended: the sizes that it has brought.
void read_sizes(const Plan& plan, const Data& data, std::size_t* sizes);

}  // namespace coll_topo
