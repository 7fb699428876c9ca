/* SPDX-License-Identifier: BSD-3-Clause */
/* The topology and the rules as this process knows them, and where in the topology it is. */
#ifndef COLL_TOPO_MCA_TOPOLOGY_H
#define COLL_TOPO_MCA_TOPOLOGY_H

#include "coll_topo/engine/engine.h"
#include "coll_topo/engine/peer_record.h"

/* NULL unless this process is READY. Of a topology of Slurm, only the switches above this process. */
extern coll_topo_topology* coll_topo_topology_of_job;
extern struct coll_topo_record coll_topo_own_record;

/* Reads the topology file, if one is set, and the rules; fills coll_topo_own_record. Called once, when the component is
 * opened. */
void coll_topo_topology_open(void);
/* Says why this process is not READY. Of a topology file that is not set only if a parameter needs it. Of a topology of
 * Slurm that it lacks only if all others lack it too: else those say so in their first collective. */
void coll_topo_topology_explain(void);
void coll_topo_topology_close(void);

#endif
