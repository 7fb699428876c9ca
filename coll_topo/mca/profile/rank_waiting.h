/* SPDX-License-Identifier: BSD-3-Clause */
/* How long ranks waited in calls for those that came later. */
#ifndef COLL_TOPO_MCA_RANK_WAITING_H
#define COLL_TOPO_MCA_RANK_WAITING_H

#include "coll_topo/mca/profile/rank_tree.h"

/* Adds waiting and transfer of the calls that were looked at to the profile, which has the counts: a call of all ranks
 * of the tree. An Open MPI error code. */
int coll_topo_count_waiting(const struct coll_topo_rank_tree* tree);

#endif
