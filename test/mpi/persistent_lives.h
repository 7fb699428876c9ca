/* SPDX-License-Identifier: BSD-3-Clause */
/* What may happen to a persistent request; parts of persistent_requests.c. */
#ifndef COLL_TOPO_TEST_MPI_PERSISTENT_LIVES_H
#define COLL_TOPO_TEST_MPI_PERSISTENT_LIVES_H

void among_many_roots(void);
void never_started(void);
void misused(void);
void with_all_freed(void);
/* Started by several threads. */
void in_threads(int rounds);

#endif
