// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/operation.hpp"

namespace coll_topo::bench {

/// Begins a call that Operation::run makes and waits for. The buffers stay as they are until it has ended.
using NonblockingForm = int (*)(const Call&, Buffers&, MPI_Comm, MPI_Request*);

/// That of an operation; null if it has none here.
NonblockingForm nonblocking_form(const Operation& operation);

}  // namespace coll_topo::bench
