/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/previous.h"

#include "coll_topo/engine/profile.h"

#include "ompi/communicator/communicator.h"
#include "ompi/mca/coll/base/coll_base_util.h"
#include "opal/mca/base/mca_base_var.h"

#include <string.h>

/* The framework keeps the modules of a communicator with the names of their components. */
static const char* component_of(const mca_coll_base_module_t* module, struct ompi_communicator_t* communicator) {
    mca_coll_base_avail_coll_t* available = NULL;
    if (communicator->c_coll->module_list == NULL) {
        return "";
    }
    OPAL_LIST_FOREACH(available, communicator->c_coll->module_list, mca_coll_base_avail_coll_t) {
        if (available->ac_module == module) {
            return available->ac_component_name;
        }
    }
    return "";
}

static bool is_of_tuned(const mca_coll_base_module_t* module, struct ompi_communicator_t* communicator) {
    return strcmp(component_of(module, communicator), "tuned") == 0;
}

/* The value of a parameter of tuned; null if there is none. */
static const mca_base_var_storage_t* tuned_parameter(const char* name) {
    const mca_base_var_storage_t* value = NULL;
    const int index = mca_base_var_find("ompi", "coll", "tuned", name);
    return index >= 0 && mca_base_var_get_value(index, &value, NULL, NULL) == OPAL_SUCCESS ? value : NULL;
}

/* Whether tuned heeds what the user says: algorithms that are forced, or a file for all collectives. */
static bool heeds_user(void) {
    const mca_base_var_storage_t* const heeds = tuned_parameter("use_dynamic_rules");
    return heeds != NULL && heeds->boolval;
}

static bool has_rules_file(void) {
    const mca_base_var_storage_t* const file = tuned_parameter("dynamic_rules_filename");
    return file != NULL && file->stringval != NULL && file->stringval[0] != '\0';
}

/* Whether the algorithm of a collective is forced, if tuned heeds that. */
static bool is_forced(const char* parameter) {
    const mca_base_var_storage_t* const algorithm = tuned_parameter(parameter);
    return algorithm == NULL || algorithm->intval != 0;
}

unsigned coll_topo_served_by_tuned(const struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
    unsigned served = 0;
    const bool told = heeds_user();
    if (communicator->c_coll->module_list == NULL || (told && has_rules_file())) {
        return 0;
    }
#define ADD(function, number, ...)                                                \
    if (is_of_tuned(COLL_TOPO_PREVIOUS_MODULE(module, function), communicator) && \
        !(told && is_forced(#function "_algorithm"))) {                           \
        served |= 1U << COLL_TOPO_##number;                                       \
    }
    COLL_TOPO_PLANNED_CALLS(ADD)
#undef ADD
    return served;
}

const char* coll_topo_previous_component(const struct coll_topo_module* module,
                                         struct ompi_communicator_t* communicator, int collective) {
    switch (collective) {
#define COMPONENT(function, number, ...) \
    case COLL_TOPO_##number:             \
        return component_of(COLL_TOPO_PREVIOUS_MODULE(module, function), communicator);
        COLL_TOPO_CALLS(COMPONENT)
#undef COMPONENT
        default:
            return "";
    }
}

const char* coll_topo_previous_component_of_requests(const struct coll_topo_module* module,
                                                     struct ompi_communicator_t* communicator, int form,
                                                     int collective) {
    const bool is_persistent = form == COLL_TOPO_PERSISTENT;
    switch (collective) {
#define COMPONENT(function, number, ...)                                                                       \
    case COLL_TOPO_##number:                                                                                   \
        return component_of(                                                                                   \
            is_persistent ? module->previous_##function##_init_module : module->previous_i##function##_module, \
            communicator);
        COLL_TOPO_CALLS(COMPONENT)
#undef COMPONENT
        default:
            return "";
    }
}
