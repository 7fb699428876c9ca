/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans for a communicator whose ranks have agreed. */
#ifndef COLL_TOPO_MCA_PLANS_H
#define COLL_TOPO_MCA_PLANS_H

#include "coll_topo/mca/module/peers.h"

/* Waits for no other process. *own is the topology of this communicator alone, if it needs one, *topology that or the
 * job's. COLL_TOPO_OK, COLL_TOPO_OUT_OF_MEMORY, or a failure that all ranks have alike, and a message. */
int coll_topo_plans_make(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers,
                         const coll_topo_settings* settings, coll_topo_topology** own,
                         const coll_topo_topology** topology, coll_topo_communicator** plans, char* message,
                         size_t message_size);

/* On every rank: says, once for all, that there are no plans. */
void coll_topo_plans_report_failure(struct ompi_communicator_t* communicator, const char* message);

#endif
