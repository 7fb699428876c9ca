/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The topology of a job without a file: coll_topo_topology_file is "slurm". Slurm tells each task which switches are
 * above its node (SLURM_TOPOLOGY_ADDR). Every process publishes that beside its record; from the addresses of the
 * members of a communicator all of them make the same tree.
 */
#ifndef COLL_TOPO_MCA_SLURM_H
#define COLL_TOPO_MCA_SLURM_H

#include "coll_topo/engine/engine.h"
#include "coll_topo/mca/compatibility.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the topology is to come from Slurm. */
bool coll_topo_slurm_wanted(void);

/* Reads the address of this process. On success *topology is the switches above it, else `message` says what is wrong.
 */
int coll_topo_slurm_open(coll_topo_topology** topology, char* message, size_t size);

/* What must be equal on all processes: the pattern of addresses. */
uint64_t coll_topo_slurm_digest(void);

/* Publishes the address, if there is one; to be called before Open MPI exchanges addresses. An Open MPI error code. */
int coll_topo_slurm_publish(void);

/* The tree of the members of a communicator, whose records are all equal; hosts[rank] is the host of each. Waits for no
 * other process. COLL_TOPO_OK, or a failure that all members have alike, and a message. */
int coll_topo_slurm_topology(struct ompi_communicator_t* communicator, coll_topo_topology** topology, int32_t* hosts,
                             char* message, size_t size);

#endif
