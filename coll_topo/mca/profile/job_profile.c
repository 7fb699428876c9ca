/* SPDX-License-Identifier: BSD-3-Clause */
/* From the counts of communicators to the profile of the job, for which all ranks put theirs together at the end. */
#include "coll_topo/mca/module/at_finalize.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/module/slurm.h"
#include "coll_topo/mca/module/topology.h"
#include "coll_topo/mca/profile/profiled_communicators.h"
#include "coll_topo/mca/profile/rank_tree.h"
#include "coll_topo/mca/profile/rank_waiting.h"

#include "ompi/communicator/communicator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t began;

static int pack_profile(const void* data, void** bytes, size_t* size) {
    return coll_topo_profile_pack(data, bytes, size);
}

static int merge_profile(void* data, const void* bytes, size_t size) {
    return coll_topo_profile_merge(data, bytes, size);
}

/* Of a topology of Slurm, the tree of all ranks, made for this; NULL if it cannot be made. */
static coll_topo_topology* whole_tree(const struct coll_topo_rank_tree* tree) {
    coll_topo_topology* topology = NULL;
    char message[256];
    if (coll_topo_slurm_wanted() && coll_topo_slurm_topology(&ompi_mpi_comm_world.comm, &topology, tree->host_of_rank,
                                                             message, sizeof message) != COLL_TOPO_OK) {
        for (int rank = 0; rank < ompi_comm_size(&ompi_mpi_comm_world.comm); ++rank) {
            tree->host_of_rank[rank] = -1;
        }
    }
    return topology;
}

static void show(const struct coll_topo_rank_tree* tree, const coll_topo_topology* topology) {
    const struct coll_topo_parameters* parameters = &coll_topo_parameters;
    const coll_topo_profile_job job = {.topology = topology,
                                       .topology_file = parameters->topology_file,
                                       .mpi = "Open MPI " COLL_TOPO_OPEN_MPI_RELEASE,
                                       .ranks = ompi_comm_size(&ompi_mpi_comm_world.comm),
                                       .profiled_ranks = tree->size,
                                       .lanes = parameters->settings.lanes,
                                       .segments = parameters->settings.segments,
                                       .aggregators = parameters->settings.aggregators,
                                       .seconds = 1e-9 * (double)(coll_topo_now() - began),
                                       .host_of_rank = tree->host_of_rank};
    if (strcmp(parameters->profile, "1") == 0) {
        char* text = coll_topo_profile_text(coll_topo_profiled_job.profile, &job);
        if (text != NULL) {
            coll_topo_report_profile(text);
        }
        free(text);
        return;
    }
    char message[256] = "";
    char path[4096];
    const unsigned number = OPAL_PROC_MY_NAME.jobid & 0xffffU; /* of those that mpirun has started, from 1 */
    snprintf(path, sizeof path, number > 1 ? "%s.%u" : "%s", parameters->profile, number);
    if (coll_topo_profile_write(coll_topo_profiled_job.profile, &job, path, message, sizeof message) != COLL_TOPO_OK) {
        coll_topo_report_profile_not_written(path, message);
    }
}

static void finish(void) {
    struct coll_topo_rank_tree tree;
    if (coll_topo_profiled_job.profile == NULL || coll_topo_rank_tree_make(&tree) != OMPI_SUCCESS) {
        return;
    }
    coll_topo_profiled_add_all();
    int error = coll_topo_count_waiting(&tree);
    if (error == OMPI_SUCCESS) {
        const struct coll_topo_tree_data all = {coll_topo_profiled_job.profile, pack_profile, merge_profile};
        error = coll_topo_tree_collect(&tree, &all);
    }
    if (error == OMPI_SUCCESS && coll_topo_tree_parent(&tree) < 0) {
        coll_topo_topology* whole = whole_tree(&tree);
        show(&tree, whole != NULL ? whole : coll_topo_topology_of_job);
        coll_topo_topology_free(whole);
    }
    coll_topo_rank_tree_free(&tree);
    coll_topo_profiled_discard();
}

void coll_topo_profile_open(void) {
    coll_topo_measure_clock();
    began = coll_topo_now();
    coll_topo_profiled_job.profile = coll_topo_profile_new();
    coll_topo_at_finalize(finish);
}
