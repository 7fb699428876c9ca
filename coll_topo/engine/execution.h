/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of plans that their caller drives, as C sees them: those of nonblocking and persistent calls. Codes as in
 * engine.h. */
#ifndef COLL_TOPO_ENGINE_EXECUTION_H
#define COLL_TOPO_ENGINE_EXECUTION_H

#include "coll_topo/engine/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A run that its caller drives, while others, also of the same plan, may be under way. Made once for any number of runs
 * one after the other. NULL: no memory. */
typedef struct coll_topo_execution coll_topo_execution;
coll_topo_execution* coll_topo_execution_create(void);
void coll_topo_execution_free(coll_topo_execution* execution);
/* Memory for the caller of one run, to be taken before it begins; NULL if there is none to be had. */
void* coll_topo_execution_temporary(coll_topo_execution* execution, size_t bytes);

/* Posts the first messages of a run; the transport must live until it has ended, the buffers are copied. As
 * coll_topo_run; on a failure nothing is under way. `as_before`: the transport is what it was in the run before, which
 * spares much if the rest is too. */
int coll_topo_execution_begin(coll_topo_execution* execution, coll_topo_plan* plan, coll_topo_transport* transport,
                              const coll_topo_buffers* buffers, int as_before);
/* The same for coll_topo_exchange_sizes: cells and `sizes` must live until the run has ended. */
int coll_topo_execution_begin_sizes(coll_topo_execution* execution, coll_topo_plan* plan, coll_topo_transport* bytes,
                                    int root, const coll_topo_cells* cells, size_t* sizes);
/* Begins the last run of coll_topo_execution_begin once more, of a plan that is kept: see below. */
int coll_topo_execution_repeat(coll_topo_execution* execution);
/* Goes on as far as the messages that have arrived allow, without waiting; looks for others so many times before it
 * gives up. Nonzero once the run has ended; *error is then as of coll_topo_run. In any thread, but one at a time. */
int coll_topo_execution_advance(coll_topo_execution* execution, int looks, int* error);
/* For runs that repeat: the plan stays, even between them, and so does the memory, until it is let go. */
void coll_topo_execution_keep(coll_topo_execution* execution, coll_topo_plan* plan);
void coll_topo_execution_let_go(coll_topo_execution* execution);

#ifdef __cplusplus
}
#endif
#endif
