// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace coll_topo::bench {

/// Whether a request has ended; waits until the time that local_seconds() shows, lets others run meanwhile.
bool ends_before(MPI_Request& request, double deadline);

/// Gives up a receive that nobody may ever answer.
void give_up_receive(MPI_Request& request);

/// Gives up a send: its memory must stay.
void give_up_send(MPI_Request& request);

}  // namespace coll_topo::bench
