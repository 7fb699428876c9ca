// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <optional>

namespace coll_topo::bench {

/// The share of a machine's processors that others keep busy: 0 is a quiet machine, 1 a full one.
constexpr double quiet_load = 0.1;

/// Collective. All ranks sleep and see what else runs on their machines, until the busiest machine is quiet, or
/// `most_seconds` have passed. Returns the last load seen, equal on all ranks; nothing where no machine tells.
std::optional<double> wait_for_quiet(MPI_Comm communicator, double most_seconds);

}  // namespace coll_topo::bench
