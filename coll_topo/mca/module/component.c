/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/component.h"

#include "coll_topo/mca/module/counters.h"
#include "coll_topo/mca/module/module.h"
#include "coll_topo/mca/module/nonblocking.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/peers.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/slurm.h"
#include "coll_topo/mca/module/topology.h"

static int register_variables(void) {
    const int error = coll_topo_parameters_register();
    return error == OMPI_SUCCESS ? coll_topo_counters_register() : error;
}

/* Open MPI opens components before processes exchange addresses and queries them afterwards. What others must know
 * about this process is therefore found and published here, even if it is that there is no topology file. */
static int open_component(void) {
    coll_topo_parameters.first_priority = coll_topo_parameters.priority;
    coll_topo_report_open();
    coll_topo_topology_open();
    const int error = coll_topo_slurm_publish();
    return error == OMPI_SUCCESS ? coll_topo_peers_publish() : error;
}

static int close_component(void) {
    coll_topo_progress_close();
    coll_topo_peers_close();
    coll_topo_topology_close();
    coll_topo_report_close();
    return OMPI_SUCCESS;
}

/* The component stays loaded where it cannot be used; it then offers no modules. If it is required, the job ends in its
 * first collective: mpirun of Open MPI 4.1 can hang in its own end when a process ends inside MPI_Init. */
static int init_query(bool enable_progress_threads, bool enable_mpi_threads) {
    const uint32_t readiness = coll_topo_own_record.readiness;
    const bool meant = readiness == COLL_TOPO_SWITCHED_OFF ||
                       (readiness == COLL_TOPO_NO_FILE && coll_topo_parameters_need_topology() == NULL);
    (void)enable_progress_threads;
    (void)enable_mpi_threads;
    const bool others_say = coll_topo_slurm_wanted() && coll_topo_peers_any_ready();
    if (readiness != COLL_TOPO_READY && !meant && !others_say && coll_topo_peers_speaker()) {
        coll_topo_topology_explain();
    }
    return OMPI_SUCCESS;
}

mca_coll_base_component_t mca_coll_topo_component = {
    .collm_version =
        {
            COLL_TOPO_INTERFACE_VERSION,
            .mca_component_name = "topo",
            MCA_BASE_MAKE_VERSION(component, 1, 0, 0),
            .mca_open_component = open_component,
            .mca_close_component = close_component,
            .mca_register_component_params = register_variables,
        },
    .collm_data = {MCA_BASE_METADATA_PARAM_NONE},
    .collm_init_query = init_query,
    .collm_comm_query = coll_topo_module_query,
};
