/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/previous.h"

#include "ompi/communicator/communicator.h"
#include "ompi/mca/coll/base/coll_base_util.h"
#include "opal/mca/base/mca_base_var.h"

#include <string.h>

/* The framework keeps the modules of a communicator with the names of their components. */
static bool is_of_tuned(const mca_coll_base_module_t* module, struct ompi_communicator_t* communicator) {
    mca_coll_base_avail_coll_t* available = NULL;
    OPAL_LIST_FOREACH(available, communicator->c_coll->module_list, mca_coll_base_avail_coll_t) {
        if (available->ac_module == module) {
            return strcmp(available->ac_component_name, "tuned") == 0;
        }
    }
    return false;
}

/* With dynamic rules, its fixed decisions do not count. */
static bool tuned_has_rules(void) {
    const bool* set = NULL;
    const int index = mca_base_var_find("ompi", "coll", "tuned", "use_dynamic_rules");
    return index >= 0 && mca_base_var_get_value(index, &set, NULL, NULL) == OPAL_SUCCESS && set != NULL && *set;
}

unsigned coll_topo_served_by_tuned(const struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
    unsigned served = 0;
    if (communicator->c_coll->module_list == NULL || tuned_has_rules()) {
        return 0;
    }
#define ADD(function, collective)                                          \
    if (is_of_tuned(module->previous_##function##_module, communicator)) { \
        served |= 1U << (collective);                                      \
    }
    ADD(allreduce, COLL_TOPO_ALLREDUCE)
    ADD(reduce_scatter, COLL_TOPO_REDUCE_SCATTER)
    ADD(reduce_scatter_block, COLL_TOPO_REDUCE_SCATTER_BLOCK)
    ADD(allgather, COLL_TOPO_ALLGATHER)
    ADD(bcast, COLL_TOPO_BCAST)
    ADD(reduce, COLL_TOPO_REDUCE)
    ADD(alltoall, COLL_TOPO_ALLTOALL)
#undef ADD
    return served;
}
