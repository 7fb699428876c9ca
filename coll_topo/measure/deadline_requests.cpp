// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/deadline_requests.hpp"

#include "coll_topo/mpi_run/clock.hpp"

#include <sched.h>

namespace coll_topo::bench {

bool ends_before(MPI_Request& request, double deadline) {
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return true;
        if (local_seconds() > deadline) return false;
        sched_yield();
    }
}

void give_up_receive(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return;
    MPI_Cancel(&request);
    MPI_Request_free(&request);
}

void give_up_send(MPI_Request& request) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

}  // namespace coll_topo::bench
