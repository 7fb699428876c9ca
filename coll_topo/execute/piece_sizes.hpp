// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

#include <cstddef>

namespace coll_topo {

/// Runs the plan of a gather or scatter, of a program that does not cut pieces, with a number in place of each piece:
/// its size. Before, `sizes` has this rank's own (gather), or at the root those of all ranks (scatter); afterwards also
/// those of all pieces that pass through this rank in the plan, which is what it needs to know to run it with these
/// pieces. One of them for each rank. The transport is of bytes. As execute().
int exchange_piece_sizes(Plan& plan, coll_topo_transport& transport, int root, std::size_t* sizes,
                         Workspace& workspace);

}  // namespace coll_topo
