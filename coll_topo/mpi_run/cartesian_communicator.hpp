// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/cartesian.hpp"

#include <mpi.h>
#include <optional>

namespace coll_topo::bench {

/// Collective: the topology that rank 0 has, or, if it has none, a periodic rectangle as MPI_Dims_create makes it.
Cartesian agreed_cartesian(const std::optional<Cartesian>& of_first, MPI_Comm communicator);

/// Collective: a communicator of the same ranks in their order, with this topology; to be freed.
MPI_Comm make_cartesian(const Cartesian& cartesian, MPI_Comm communicator);

}  // namespace coll_topo::bench
