/* SPDX-License-Identifier: BSD-3-Clause */
/* The module: what the component holds for one communicator. */
#ifndef COLL_TOPO_MCA_MODULE_H
#define COLL_TOPO_MCA_MODULE_H

#include "coll_topo/engine/engine.h"
#include "coll_topo/host_memory/host_memory.h"
#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/module/profile.h"

/* Decided in the first collective, alike on all ranks. */
enum coll_topo_decision { COLL_TOPO_UNDECIDED, COLL_TOPO_OURS, COLL_TOPO_ASIDE };

typedef int coll_topo_chooser(coll_topo_communicator*, int, size_t, int, int, const char**, coll_topo_plan**);

struct coll_topo_module {
    mca_coll_base_module_t super;
    enum coll_topo_decision decision;
    coll_topo_communicator* plans; /* NULL unless the decision is OURS */
    coll_topo_topology* topology;  /* of this communicator alone, which plans need; NULL: that of the job */
    coll_topo_host_memory* memory; /* NULL: ranks of one host send messages too */
    bool memory_decided;           /* it has been tried, by whichever kind of call came first */
    int reproducible;              /* COLL_TOPO_ANY_ORDER ..., known when decided */
    /* coll_topo_priority was set negative after MPI_Init: it serves nothing. It is there to be compared in the first
     * collective, which would wait for ever for a rank without a module. */
    bool withdrawn;
    /* Shorter vectors are the previous module's: see coll_topo_least_bytes. 0 until decided. */
    size_t least_bytes[COLL_TOPO_SERVED];

    /* For each function the previous module's, and that module, which is retained. */
#define COLL_TOPO_PREVIOUS(function, ...)                       \
    mca_coll_base_module_##function##_fn_t previous_##function; \
    mca_coll_base_module_t* previous_##function##_module;
    COLL_TOPO_CALLS(COLL_TOPO_PREVIOUS)
#undef COLL_TOPO_PREVIOUS

    /* The same of nonblocking and persistent collectives, if coll_topo_nonblocking is set. These modules are not
     * retained: the list of the communicator's modules holds them as long as this one is called. */
#define COLL_TOPO_PREVIOUS(function, ...)                                   \
    mca_coll_base_module_i##function##_fn_t previous_i##function;           \
    mca_coll_base_module_t* previous_i##function##_module;                  \
    mca_coll_base_module_##function##_init_fn_t previous_##function##_init; \
    mca_coll_base_module_t* previous_##function##_init_module;
    COLL_TOPO_CALLS(COLL_TOPO_PREVIOUS)
#undef COLL_TOPO_PREVIOUS
    struct coll_topo_nonblocking* nonblocking; /* NULL until the first such call */
    int calls_for_new_communicators;           /* before that one: see calls.c */
    bool released;                             /* nothing is left to be given up */

    struct coll_topo_pml_transport* kept_transport; /* see reduction_transport.h; NULL: none. Ends with free. */

    /* coll_topo_choose, with coll_topo_profile coll_topo_choose_in_streak. */
    coll_topo_chooser* choose;
    /* With coll_topo_profile, else NULL. Where calls that are passed on go: the functions above then count them. */
    struct coll_topo_passing* passing;
    struct coll_topo_communicator_profile* profile; /* NULL until decided, and if the decision is not OURS */
    bool in_profile;                                /* the communicator has been counted in that of the job */
};

/* The module that calls of a function are passed on to. */
#define COLL_TOPO_PREVIOUS_MODULE(module, function) \
    ((module)->passing != NULL ? (module)->passing->function##_module : (module)->previous_##function##_module)

/* Puts back, for good, the previous module's functions where calls need not come to this module any more: all of them
 * if it has stepped aside, else those of collectives that it never serves in this communicator. What stands above this
 * module goes on calling it. The module lives on with the communicator. With a profile nothing is put back unless it
 * has stepped aside. */
void coll_topo_module_give_back(struct coll_topo_module* module, struct ompi_communicator_t* communicator);

/* The same for nonblocking and persistent calls, of the collectives whose `least_bytes` are SIZE_MAX. False if it is
 * not possible at the moment. */
bool coll_topo_module_give_back_nonblocking(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                                            const size_t least_bytes[COLL_TOPO_SERVED]);

/* The component's comm_query: a module for communicators that can be served, else NULL. Does not communicate. */
mca_coll_base_module_t* coll_topo_module_query(struct ompi_communicator_t* communicator, int* priority);

#endif
