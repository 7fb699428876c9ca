/* SPDX-License-Identifier: BSD-3-Clause */
/* Every collective once, on whole numbers that every rank can check: for tests of anything but the data. */
#ifndef COLL_TOPO_TEST_MPI_ALL_COLLECTIVES_H
#define COLL_TOPO_TEST_MPI_ALL_COLLECTIVES_H

#include "test/mpi/counters.h"

#include <mpi.h>

/* Runs and checks them on an intracommunicator with vectors of `count` times its size; `salt` varies the data and the
 * root. */
void all_collectives(MPI_Comm communicator, int count, int salt, const char* what);

/* The same, and checks that each call was counted by the component, or by nobody if there is one rank only.
 * For one thread at a time. */
void all_collectives_counted(MPI_Comm communicator, int count, int salt, const char* what);

#endif
