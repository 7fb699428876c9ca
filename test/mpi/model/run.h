/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs calls on communicators and says which went wrong, alike on all ranks. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_RUN_H
#define COLL_TOPO_TEST_MPI_MODEL_RUN_H

#include "test/mpi/model/call.h"

/* A bit for each call of a group. */
struct verdict {
    uint64_t wrong;          /* wrong results of the component */
    uint64_t previous_wrong; /* of the previous module, on a communicator with the component */
    uint64_t stock_wrong;    /* on a communicator without the component */
};

/* What was run on this rank. */
struct totals {
    unsigned long long calls, by_component, passed_on, without_data;
};
extern struct totals totals;

void run_open(void);
void run_close(void);
/* All calls, one after the other, on one communicator of the component; and, if `stock`, on one without it. Prints what
 * is wrong if `loud`. `origin` says where the calls come from, should one hang or crash. */
struct verdict run_group(const struct call* calls, int number, bool stock, bool loud, const char* origin);

#endif
