/* SPDX-License-Identifier: BSD-3-Clause */
/* What each process tells all others about itself while MPI is initialised, and what a process makes of it. */
#ifndef COLL_TOPO_ENGINE_PEER_RECORD_H
#define COLL_TOPO_ENGINE_PEER_RECORD_H

#include "coll_topo/engine/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far a process got with its topology file. Only a process that is READY installs modules. */
enum coll_topo_readiness {
    COLL_TOPO_NO_FILE,      /* no topology file is set */
    COLL_TOPO_UNUSABLE,     /* it or the rules cannot be read, or the trial placement has no host for this process */
    COLL_TOPO_NOT_LISTED,   /* the topology does not list this host */
    COLL_TOPO_SWITCHED_OFF, /* coll_topo_priority is negative */
    COLL_TOPO_READY
};

enum { COLL_TOPO_HOST_NAME_SIZE = 64 };

/* Published up to the 0 that ends the host name, in the byte order of the process. */
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
#define COLL_TOPO_RECORD_LAYOUT UINT32_C(0x43540004)

/* How many bytes of a record are published. */
size_t coll_topo_record_size(const struct coll_topo_record* record);

/* Reads the bytes that a process published, and nothing after them. Unless they are one whole record of this layout and
 * no more, all of `record` is 0, its layout too. Control characters in the host name become question marks. */
void coll_topo_record_read(struct coll_topo_record* record, const void* bytes, size_t size);

/* A peer as seen by a process that is READY. */
enum coll_topo_peer_kind {
    COLL_TOPO_PEER_UNASKED,
    COLL_TOPO_PEER_EQUAL,       /* READY with the same digest and build */
    COLL_TOPO_PEER_DIFFERENT,   /* READY with another topology, parameters or data representation */
    COLL_TOPO_PEER_OTHER_BUILD, /* READY with another build of the component */
    COLL_TOPO_PEER_NOT_LISTED,  /* the rest as enum coll_topo_readiness */
    COLL_TOPO_PEER_UNUSABLE,
    COLL_TOPO_PEER_NO_FILE,
    COLL_TOPO_PEER_SWITCHED_OFF,
    COLL_TOPO_PEER_OTHER_VERSION, /* its record cannot be read */
    COLL_TOPO_PEER_ABSENT         /* has no record */
};

struct coll_topo_peer {
    enum coll_topo_peer_kind kind;
    bool required; /* has coll_topo_require */
    bool profiled; /* has coll_topo_profile; of a peer that is READY with the same build */
    coll_topo_location location;
};

/* What a record that was read says of a process to one with the record `own`. */
struct coll_topo_peer coll_topo_peer_of(const struct coll_topo_record* record, const struct coll_topo_record* own);

#ifdef __cplusplus
}
#endif
#endif
