/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonblocking calls under way, of all communicators, which Open MPI's progress drives. */
#ifndef COLL_TOPO_MCA_PROGRESS_H
#define COLL_TOPO_MCA_PROGRESS_H

#include "coll_topo/mca/nonblocking/request.h"

/* From now on its schedule is looked at whenever Open MPI makes progress, until it has ended; then the request is
 * complete. Open MPI calls nothing while there are none. */
void coll_topo_progress_add(struct coll_topo_request* call);

/* Lets a communicator's agreement go on whenever Open MPI makes progress; then begins the calls that wait for it. */
void coll_topo_progress_add_agreement(struct coll_topo_nonblocking* state);

/* Forgets what is under way in a communicator that ends with the program. */
void coll_topo_progress_abandon(struct coll_topo_nonblocking* state);

#endif
