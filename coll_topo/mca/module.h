/* SPDX-License-Identifier: BSD-3-Clause */
/* The module: what the component holds for one communicator. */
#ifndef COLL_TOPO_MCA_MODULE_H
#define COLL_TOPO_MCA_MODULE_H

#include "coll_topo/engine/engine.h"
#include "coll_topo/mca/compatibility.h"

/* Decided in the first collective, alike on all ranks. */
enum coll_topo_decision { COLL_TOPO_UNDECIDED, COLL_TOPO_OURS, COLL_TOPO_ASIDE };

struct coll_topo_module {
    mca_coll_base_module_t super;
    enum coll_topo_decision decision;
    coll_topo_communicator* plans; /* NULL unless the decision is OURS */

    /* The functions that were there before and the modules they belong to, which are retained. */
    mca_coll_base_module_allreduce_fn_t previous_allreduce;
    mca_coll_base_module_t* previous_allreduce_module;
    mca_coll_base_module_reduce_scatter_fn_t previous_reduce_scatter;
    mca_coll_base_module_t* previous_reduce_scatter_module;
    mca_coll_base_module_reduce_scatter_block_fn_t previous_reduce_scatter_block;
    mca_coll_base_module_t* previous_reduce_scatter_block_module;
    mca_coll_base_module_allgather_fn_t previous_allgather;
    mca_coll_base_module_t* previous_allgather_module;
};

/* The component's comm_query: a module for communicators that can be served, else NULL. Does not communicate. */
mca_coll_base_module_t* coll_topo_module_query(struct ompi_communicator_t* communicator, int* priority);

#endif
