/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What processes know of each other. Every process publishes its record while MPI is initialised, together with the
 * addresses of its network ports (the "modex"), and reads those of others when it needs them. Published records never
 * change, so all readers see the same; no message is sent; and a process that has not loaded the component cannot
 * leave others waiting: it simply has no record. That is why processes do not exchange messages to learn who has the
 * component. With full modex, the default, a record is read from local memory, and one that is not there does not
 * exist; with pmix_base_collect_data=0, in Open MPI 5.0 and between jobs each one is fetched, and one that does not
 * exist is waited for. That has an end after seconds, which one process may reach and another not.
 */
#ifndef COLL_TOPO_MCA_PEERS_H
#define COLL_TOPO_MCA_PEERS_H

#include "coll_topo/engine/peer_record.h"
#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/topology.h"

/* Publishes coll_topo_own_record; to be called before Open MPI exchanges addresses. An Open MPI error code. */
int coll_topo_peers_publish(void);

/* Looks up the members of a communicator in rank order, into peers[0..size), zeroed before. Waits for no other process.
 * Returns the rank of one that is taken for ABSENT after seconds, and those after it stay UNASKED; -1 if there is none.
 * Others may have got its record: coll_topo_settings_decline tells them. Safe in several threads. */
int coll_topo_peers_look_up(struct ompi_communicator_t* communicator, struct coll_topo_peer* peers);

/* Whether all that were looked up can use the component with this process. */
bool coll_topo_peers_all_equal(const struct coll_topo_peer* peers, int size);

/* Whether the process is READY, so that it has modules and looks up its peers. */
bool coll_topo_peer_is_ready(enum coll_topo_peer_kind kind);

/* Whether no READY member of the communicator on this host has a lower rank than this process. */
bool coll_topo_peers_first_on_host(struct ompi_communicator_t* communicator);

/* Whether this process is to report for all that share its readiness: the lowest one of the job. Where a process
 * without a record hides who that is, one on each host. To be called once addresses have been exchanged. */
bool coll_topo_peers_speaker(void);

/* Whether a process of the job is known to be READY. To be called once addresses have been exchanged; waits for none.
 */
bool coll_topo_peers_any_ready(void);

/* The host name that a member of a communicator published, else what Open MPI calls its host. */
void coll_topo_peers_host_name(struct ompi_communicator_t* communicator, int rank, char* name, size_t size);

void coll_topo_peers_close(void);

#endif
