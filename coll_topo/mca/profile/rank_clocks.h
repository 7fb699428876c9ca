/* SPDX-License-Identifier: BSD-3-Clause */
/* What clocks of other ranks show when this one's shows a time. */
#ifndef COLL_TOPO_MCA_RANK_CLOCKS_H
#define COLL_TOPO_MCA_RANK_CLOCKS_H

#include "coll_topo/mca/profile/rank_tree.h"

#include <stdint.h>

/* Nanoseconds of coll_topo_now(). */
struct coll_topo_clock_reading {
    int64_t at;     /* 0: there is none */
    int64_t offset; /* to be added to get the time of the tree's first rank */
    int64_t error;  /* at most */
};

/* Compares the clock of each rank with that of its parent, by some messages to and fro: a call of all ranks of the
 * tree. Clocks that show the same within what can be seen are taken to be the same one: ranks of a host. */
int coll_topo_compare_clocks(const struct coll_topo_rank_tree* tree, struct coll_topo_clock_reading* reading);

/* The time of the first rank when this one's clock shows `time`: clocks drift evenly between two readings; the first
 * may be none. */
int64_t coll_topo_common_time(int64_t time, const struct coll_topo_clock_reading* first,
                              const struct coll_topo_clock_reading* last);

#endif
