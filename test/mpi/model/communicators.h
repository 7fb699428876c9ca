/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of calls. What makes them runs without the component. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_COMMUNICATORS_H
#define COLL_TOPO_TEST_MPI_MODEL_COMMUNICATORS_H

#include "test/mpi/model/call.h"

#include <mpi.h>

void communicators_open(void);
void communicators_close(void);

/* A new one as the call has it; MPI_COMM_NULL on ranks that have no part in it. After a split, the other ranks have one
 * of their own. Ranks alone have none: the component has no part in their calls. Errors are returned. */
MPI_Comm communicator_new(const struct call* call);
void communicator_free(MPI_Comm communicator);
/* One like it that the component leaves alone. It is kept. */
MPI_Comm communicator_without_component(const struct call* call);

#endif
