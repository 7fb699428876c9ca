/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process did, as MPI_T performance variables. */
#ifndef COLL_TOPO_MCA_COUNTERS_H
#define COLL_TOPO_MCA_COUNTERS_H

/* Registers coll_topo_<collective>_runs, coll_topo_i<collective>_runs, coll_topo_fallbacks,
 * coll_topo_nonblocking_fallbacks and coll_topo_nonblocking_memory_messages; an Open MPI error code. */
int coll_topo_counters_register(void);

/* A schedule for the collective (COLL_TOPO_ALLREDUCE ...) ran to its end. */
void coll_topo_count_run(int collective);

/* A call was passed on to the previous module. */
void coll_topo_count_fallback(void);
/* It was not, after all. */
void coll_topo_uncount_fallback(void);

/* The same of nonblocking calls, which Open MPI makes itself too, when it makes communicators, and of persistent ones:
 * runs are counted for each start, those passed on when they are made. */
void coll_topo_count_nonblocking_run(int collective);
void coll_topo_count_nonblocking_fallback(void);
/* They have sent messages through the memory of the host. */
void coll_topo_count_memory_messages(unsigned messages);

#endif
