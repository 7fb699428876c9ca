/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/plans.h"

#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/slurm.h"

#include "ompi/communicator/communicator.h"
#include "ompi/mca/topo/topo.h"

#include <stdlib.h>

/* The topology of a communicator, and the hosts of its ranks in it: that of the job, or a tree from Slurm that its
 * members make alike. */
static int find_topology(struct ompi_communicator_t* communicator, coll_topo_location* locations,
                         coll_topo_topology** own, const coll_topo_topology** topology, char* message,
                         size_t message_size) {
    const int size = ompi_comm_size(communicator);
    *topology = coll_topo_topology_of_job;
    if (!coll_topo_slurm_wanted()) {
        return COLL_TOPO_OK;
    }
    int32_t* hosts = malloc((size_t)size * sizeof *hosts);
    if (hosts == NULL) {
        return COLL_TOPO_OUT_OF_MEMORY;
    }
    const int error = coll_topo_slurm_topology(communicator, own, hosts, message, message_size);
    for (int rank = 0; error == COLL_TOPO_OK && rank < size; ++rank) {
        locations[rank].host = hosts[rank];
    }
    free(hosts);
    *topology = *own;
    return error;
}

int coll_topo_plans_make(struct ompi_communicator_t* communicator, const struct coll_topo_peer* peers,
                         const coll_topo_settings* settings, coll_topo_topology** own,
                         const coll_topo_topology** topology, coll_topo_communicator** plans, char* message,
                         size_t message_size) {
    const int size = ompi_comm_size(communicator);
    coll_topo_location* locations = malloc((size_t)size * sizeof *locations);
    *plans = NULL;
    if (locations == NULL) {
        return COLL_TOPO_OUT_OF_MEMORY;
    }
    for (int rank = 0; rank < size; ++rank) {
        locations[rank] = peers[rank].location;
    }
    int error = find_topology(communicator, locations, own, topology, message, message_size);
    if (error == COLL_TOPO_OK) {
        error = coll_topo_communicator_create(*topology, locations, size, ompi_comm_rank(communicator), settings, plans,
                                              message, message_size);
    }
    free(locations);
    if (error == COLL_TOPO_OK && OMPI_COMM_IS_CART(communicator)) {
        const mca_topo_base_comm_cart_2_2_0_t* const cartesian = communicator->c_topo->mtc.cart;
        error = coll_topo_communicator_set_cartesian(*plans, cartesian->ndims, cartesian->dims, cartesian->periods);
    }
    return error;
}

void coll_topo_plans_report_failure(struct ompi_communicator_t* communicator, const char* message) {
    if (ompi_comm_rank(communicator) == 0) {
        coll_topo_report_cannot_plan(communicator, message);
    } else {
        coll_topo_report_is_elsewhere();
    }
}
