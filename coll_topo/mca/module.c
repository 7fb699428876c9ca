/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module.h"

#include "coll_topo/mca/collectives.h"
#include "coll_topo/mca/parameters.h"
#include "coll_topo/mca/topology.h"

#include "ompi/communicator/communicator.h"

/* Takes over one function, if there is one to fall back to. The framework installs what the module offers. */
#define TAKE_OVER(module, communicator, function)                                                      \
    do {                                                                                               \
        if ((communicator)->c_coll->coll_##function != NULL) {                                         \
            (module)->previous_##function = (communicator)->c_coll->coll_##function;                   \
            (module)->previous_##function##_module = (communicator)->c_coll->coll_##function##_module; \
            OBJ_RETAIN((module)->previous_##function##_module);                                        \
            (module)->super.coll_##function = coll_topo_##function;                                    \
        }                                                                                              \
    } while (0)

#define GIVE_UP(module, function)                                \
    do {                                                         \
        if ((module)->previous_##function##_module != NULL) {    \
            OBJ_RELEASE((module)->previous_##function##_module); \
            (module)->previous_##function##_module = NULL;       \
        }                                                        \
        (module)->previous_##function = NULL;                    \
    } while (0)

static int enable(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    TAKE_OVER(module, communicator, allreduce);
    TAKE_OVER(module, communicator, reduce_scatter);
    TAKE_OVER(module, communicator, reduce_scatter_block);
    TAKE_OVER(module, communicator, allgather);
    return OMPI_SUCCESS;
}

static void release(struct coll_topo_module* module) {
    GIVE_UP(module, allreduce);
    GIVE_UP(module, reduce_scatter);
    GIVE_UP(module, reduce_scatter_block);
    GIVE_UP(module, allgather);
    coll_topo_communicator_free(module->plans);
    module->plans = NULL;
    module->decision = COLL_TOPO_ASIDE;
}

/* Called once for each function of ours that is still installed, so all but the first call find nothing to do. */
static int disable(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator) {
    (void)communicator;
    release((struct coll_topo_module*)base);
    return OMPI_SUCCESS;
}

static void construct(struct coll_topo_module* module) {
    module->decision = COLL_TOPO_UNDECIDED;
    module->plans = NULL;
    module->previous_allreduce = NULL;
    module->previous_allreduce_module = NULL;
    module->previous_reduce_scatter = NULL;
    module->previous_reduce_scatter_module = NULL;
    module->previous_reduce_scatter_block = NULL;
    module->previous_reduce_scatter_block_module = NULL;
    module->previous_allgather = NULL;
    module->previous_allgather_module = NULL;
}

static void destruct(struct coll_topo_module* module) {
    release(module);
}

typedef struct coll_topo_module coll_topo_module;
static OBJ_CLASS_INSTANCE(coll_topo_module, mca_coll_base_module_t, construct, destruct);

mca_coll_base_module_t* coll_topo_module_query(struct ompi_communicator_t* communicator, int* priority) {
    struct coll_topo_module* module = NULL;
    const bool wanted = coll_topo_own_record.readiness == COLL_TOPO_READY || coll_topo_parameters.require;
    if (!wanted || coll_topo_parameters.priority < 0 || OMPI_COMM_IS_INTER(communicator) ||
        ompi_comm_size(communicator) < 2) {
        return NULL;
    }
    module = OBJ_NEW(coll_topo_module);
    if (module == NULL) {
        return NULL;
    }
    module->super.coll_module_enable = enable;
    module->super.coll_module_disable = disable;
    *priority = coll_topo_parameters.priority;
    return &module->super;
}
