// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"
#include "coll_topo/simulate/injection.hpp"

namespace coll_topo::simulate {

/// Whether a rank, or the root, copies its own piece.
bool keeps_own(Collective collective);

/// Bytes that all ranks together must combine. Of an exscan, the first two combine nothing.
double combined_bytes(Collective collective, double bytes, double ranks);

/// Seconds of what all ranks must combine, copy and receive from ranks of their hosts, one after the other: what does
/// not pass over the cables, if these are as busy. See bound().
double work_bound(Collective collective, double bytes, int root, const Placement& placement, const Occupancy& occupancy,
                  const Injection& injection, const MachineCosts& costs);

}  // namespace coll_topo::simulate
