/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking collectives as the module sees them: what it holds for them ends with it, and blocking calls wait for
 * their agreement. */
#ifndef COLL_TOPO_MCA_MODULE_NONBLOCKING_H
#define COLL_TOPO_MCA_MODULE_NONBLOCKING_H

struct coll_topo_nonblocking;

/* Waits until ranks have agreed on nonblocking calls, if they have begun to: the agreement's messages have the tags of
 * blocking collectives. Puts back what the module had decided before. */
void coll_topo_nonblocking_settle(struct coll_topo_nonblocking* state);

/* With the module. */
void coll_topo_nonblocking_free(struct coll_topo_nonblocking* state);

/* With coll_topo_progress_thread, when MPI_COMM_WORLD gets its module: starts a thread that lets calls go on. */
void coll_topo_progress_thread_open(void);

/* With the component. */
void coll_topo_progress_close(void);

#endif
