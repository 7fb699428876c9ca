/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be done when MPI_Finalize begins, while all of MPI still works. */
#ifndef COLL_TOPO_MCA_AT_FINALIZE_H
#define COLL_TOPO_MCA_AT_FINALIZE_H

/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF: that is when `action` is called. To be called once MPI
 * has this communicator; an Open MPI error code. */
int coll_topo_at_finalize(void (*action)(void));

#endif
