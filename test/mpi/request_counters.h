/* SPDX-License-Identifier: BSD-3-Clause */
/* Who did the calls with requests, and by which way. */
#ifndef COLL_TOPO_TEST_MPI_REQUEST_COUNTERS_H
#define COLL_TOPO_TEST_MPI_REQUEST_COUNTERS_H

/* Counters count from here on. */
void open_request_counters(void);
/* Checks that the component has run more schedules than `least` in this process, or none, as is expected, and whether
 * messages went through the memory of the host. */
void check_request_counters(unsigned long long least);

#endif
