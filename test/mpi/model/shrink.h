/* SPDX-License-Identifier: BSD-3-Clause */
/* From a call that goes wrong to the simplest one that does. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_SHRINK_H
#define COLL_TOPO_TEST_MPI_MODEL_SHRINK_H

#include "test/mpi/model/call.h"

/* Whether the call goes wrong alone, as the first of its communicator: then it has been made simpler. The same on all
 * ranks. */
bool shrink(struct call* call);

#endif
