/* SPDX-License-Identifier: BSD-3-Clause */
/* Says, once and on one rank, why ranks of a communicator do not use the component; ends the job if one of them
 * requires it. To be called by all its ranks. */
#ifndef COLL_TOPO_MCA_DISAGREEMENT_H
#define COLL_TOPO_MCA_DISAGREEMENT_H

#include "coll_topo/mca/module/differences.h"
#include "coll_topo/mca/module/peers.h"

/* What was published differs: see coll_topo_peers_all_equal. */
void coll_topo_report_peers(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers);
/* A rank that has all records has learnt from others that one has not come to them. */
void coll_topo_report_missed(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers, int missed);
/* What belongs to the communicator differs; the list is that of rank 0, NULL: there is none. */
void coll_topo_report_settings(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers,
                               const struct coll_topo_differences* list);

#endif
