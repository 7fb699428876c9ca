/* SPDX-License-Identifier: BSD-3-Clause */
/* The topology and the rules as this process knows them, and where in the topology it is. */
#ifndef COLL_TOPO_MCA_TOPOLOGY_H
#define COLL_TOPO_MCA_TOPOLOGY_H

#include "coll_topo/engine/engine.h"

#include <stdint.h>

/* How far a process got with its topology file. Only a process that is READY installs modules. */
enum coll_topo_readiness {
    COLL_TOPO_NO_FILE,      /* no topology file is set */
    COLL_TOPO_UNUSABLE,     /* it or the rules cannot be read, or the trial placement has no host for this process */
    COLL_TOPO_NOT_LISTED,   /* the topology does not list this host */
    COLL_TOPO_SWITCHED_OFF, /* coll_topo_priority is negative */
    COLL_TOPO_READY
};

enum { COLL_TOPO_HOST_NAME_SIZE = 64 };

/* What a process tells all others about itself. */
struct coll_topo_record {
    uint32_t layout;    /* COLL_TOPO_RECORD_LAYOUT; also tells byte orders apart */
    uint16_t readiness; /* enum coll_topo_readiness */
    uint16_t required;  /* coll_topo_require */
    uint64_t digest;    /* of topology, rules, parameters and data representation */
    uint64_t build;     /* coll_topo_build_fingerprint() */
    coll_topo_location location;
    uint32_t profiled;                        /* coll_topo_profile is set */
    char host_name[COLL_TOPO_HOST_NAME_SIZE]; /* for messages; ended by 0 */
};
#define COLL_TOPO_RECORD_LAYOUT UINT32_C(0x43540003)

/* NULL unless this process is READY. */
extern coll_topo_topology* coll_topo_topology_of_job;
extern struct coll_topo_record coll_topo_own_record;

/* Reads the topology file, if one is set, and the rules; fills coll_topo_own_record. Called once, when the component is
 * opened. */
void coll_topo_topology_open(void);
/* Says why this process is not READY. Of a topology file that is not set only if a parameter needs it. */
void coll_topo_topology_explain(void);
void coll_topo_topology_close(void);

#endif
