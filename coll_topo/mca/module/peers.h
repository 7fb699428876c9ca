/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What processes know of each other. Every process publishes its record while MPI is initialised, together with the
 * addresses of its network ports (the "modex"), and reads those of others when it needs them. Published records never
 * change, so all readers see the same; no message is sent; and a process that has not loaded the component cannot
 * leave others waiting: it simply has no record. That is why agreement is not reached by an exchange of messages.
 * With full modex, the default, a record is read from local memory; with pmix_base_collect_data=0 each one is fetched.
 */
#ifndef COLL_TOPO_MCA_PEERS_H
#define COLL_TOPO_MCA_PEERS_H

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/topology.h"

/* A peer as seen by this process, which is READY. */
enum coll_topo_peer_kind {
    COLL_TOPO_PEER_UNASKED,
    COLL_TOPO_PEER_EQUAL,      /* READY with the same digest */
    COLL_TOPO_PEER_DIFFERENT,  /* READY with another topology, parameters or data representation */
    COLL_TOPO_PEER_NOT_LISTED, /* the rest as enum coll_topo_readiness */
    COLL_TOPO_PEER_UNUSABLE,
    COLL_TOPO_PEER_NO_FILE,
    COLL_TOPO_PEER_ABSENT /* has no record */
};

struct coll_topo_peer {
    enum coll_topo_peer_kind kind;
    coll_topo_location location;
};

/* Publishes coll_topo_own_record; to be called before Open MPI exchanges addresses. An Open MPI error code. */
int coll_topo_peers_publish(void);

/* Looks up the members of a communicator in rank order, into peers[0..size), up to the first that is ABSENT; the number
 * of those before it. Waits for no other process, but an ABSENT one costs up to some seconds. Safe in several threads.
 */
int coll_topo_peers_look_up(struct ompi_communicator_t* communicator, struct coll_topo_peer* peers);

/* Whether this process is to report for all that share its readiness: the lowest one of the job. Where a process
 * without a record hides who that is, one on each host. To be called once addresses have been exchanged. */
bool coll_topo_peers_speaker(void);

/* The host name that a member of a communicator published; "?" if it has not. */
void coll_topo_peers_host_name(struct ompi_communicator_t* communicator, int rank, char* name, size_t size);

void coll_topo_peers_close(void);

#endif
