/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that calls Open MPI's progress while nonblocking calls are under way, so that their schedules go on while
 * the program computes (coll_topo_progress_thread). */
#ifndef COLL_TOPO_MCA_PROGRESS_THREAD_H
#define COLL_TOPO_MCA_PROGRESS_THREAD_H

#include <stdbool.h>

/* Whether anything is under way from now on. */
void coll_topo_progress_thread_tell(bool under_way);

#endif
