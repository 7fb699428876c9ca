/* SPDX-License-Identifier: BSD-3-Clause */
/* The four collectives, once each, on whole numbers that every rank can check: for tests of anything but the data. */
#ifndef COLL_TOPO_TEST_MPI_QUARTET_H
#define COLL_TOPO_TEST_MPI_QUARTET_H

#include "test/mpi/counters.h"

#include <mpi.h>

/* Runs and checks them on an intracommunicator with vectors of `count` times its size; `salt` varies the data. */
void quartet(MPI_Comm communicator, int count, int salt, const char* what);

/* The same, and checks that each call was counted by the component, or by nobody if there is one rank only.
 * For one thread at a time. */
void quartet_counted(MPI_Comm communicator, int count, int salt, const char* what);

#endif
