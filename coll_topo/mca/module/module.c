/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/module.h"

#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/module/nonblocking.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/reproducible.h"
#include "coll_topo/mca/module/topology.h"

#include "ompi/communicator/communicator.h"
#include "ompi/mca/coll/base/coll_base_util.h"

#include <stdint.h>
#include <string.h>

/* ONE(form) of the nonblocking and the persistent form of each collective. */
#define BOTH_FORMS(function, ...) ONE(i##function) ONE(function##_init)
#define FOR_NONBLOCKING_AND_PERSISTENT COLL_TOPO_CALLS(BOTH_FORMS)

/* Where the framework leaves to the module what stands in the table of functions. */
static void install(struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
#define INSTALL(function, ...)                                                                           \
    if (module->super.coll_##function != NULL) {                                                         \
        COLL_TOPO_REPLACE(communicator, coll_##function, module->super.coll_##function, &module->super); \
    }
    COLL_TOPO_CALLS(INSTALL)
#undef INSTALL
#define ONE(form)                                                                                \
    if (module->super.coll_##form != NULL) {                                                     \
        COLL_TOPO_REPLACE(communicator, coll_##form, module->super.coll_##form, &module->super); \
    }
    FOR_NONBLOCKING_AND_PERSISTENT
#undef ONE
}

#define PUT_BACK(form)                                                                                           \
    if (communicator->c_coll->coll_##form##_module == &module->super) {                                          \
        COLL_TOPO_REPLACE(communicator, coll_##form, module->previous_##form, module->previous_##form##_module); \
    }

static void uninstall(struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
#define ONE PUT_BACK
#define UNINSTALL(function, ...) PUT_BACK(function)
    COLL_TOPO_CALLS(UNINSTALL)
    FOR_NONBLOCKING_AND_PERSISTENT
#undef UNINSTALL
#undef ONE
}

static void enable_nonblocking(struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
#define ONE(form)                                                                      \
    if (communicator->c_coll->coll_##form != NULL) {                                   \
        module->previous_##form = communicator->c_coll->coll_##form;                   \
        module->previous_##form##_module = communicator->c_coll->coll_##form##_module; \
        module->super.coll_##form = coll_topo_##form;                                  \
    }
    FOR_NONBLOCKING_AND_PERSISTENT
#undef ONE
}

/* Takes over every function that there is one to fall back to for. */
static int enable(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
#define TAKE_OVER(function, ...)                                                               \
    if (communicator->c_coll->coll_##function != NULL) {                                       \
        module->previous_##function = communicator->c_coll->coll_##function;                   \
        module->previous_##function##_module = communicator->c_coll->coll_##function##_module; \
        OBJ_RETAIN(module->previous_##function##_module);                                      \
        module->super.coll_##function = coll_topo_##function;                                  \
    }
    COLL_TOPO_CALLS(TAKE_OVER)
#undef TAKE_OVER
    if (coll_topo_parameters.nonblocking) {
        enable_nonblocking(module, communicator);
    }
    if (coll_topo_profile_wanted()) {
        coll_topo_profile_install(module);
    }
    if (COLL_TOPO_MODULES_INSTALL) {
        install(module, communicator);
    }
    coll_topo_reproducible_listen(communicator);
    return OMPI_SUCCESS;
}

static void find_least_bytes(struct coll_topo_module* module) {
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        module->least_bytes[collective] =
            module->decision == COLL_TOPO_OURS ? coll_topo_least_bytes(module->plans, collective) : SIZE_MAX;
    }
}

/* A module above may put those below it into the table for a moment without counting the reference, as HAN does while
 * it makes its communicators: nothing in the table is this one's then. */
static bool is_on_top(const struct coll_topo_module* module, const struct ompi_communicator_t* communicator) {
    const opal_list_item_t* top = opal_list_get_last(communicator->c_coll->module_list);
    return ((const mca_coll_base_avail_coll_t*)top)->ac_module == &module->super;
}

void coll_topo_module_give_back(struct coll_topo_module* module, struct ompi_communicator_t* communicator) {
    find_least_bytes(module);
    if (module->profile != NULL) {
        return; /* calls that are passed on are counted too */
    }
    coll_topo_profile_withdraw(module);
    if (!is_on_top(module, communicator)) {
        return;
    }
#define GIVE_BACK(function, number, ...)                       \
    if (module->least_bytes[COLL_TOPO_##number] == SIZE_MAX) { \
        PUT_BACK(function)                                     \
    }
    COLL_TOPO_CALLS(GIVE_BACK)
#undef GIVE_BACK
}

bool coll_topo_module_give_back_nonblocking(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                                            const size_t least_bytes[COLL_TOPO_SERVED]) {
    if (!is_on_top(module, communicator)) {
        return false;
    }
#define GIVE_BACK(function, number, ...)               \
    if (least_bytes[COLL_TOPO_##number] == SIZE_MAX) { \
        PUT_BACK(i##function)                          \
        PUT_BACK(function##_init)                      \
    }
    COLL_TOPO_CALLS(GIVE_BACK)
#undef GIVE_BACK
    return true;
}

static void release(struct coll_topo_module* module) {
    if (module->released) {
        return;
    }
    module->released = true;
    if (module->nonblocking != NULL) {
        coll_topo_nonblocking_free(module->nonblocking);
        module->nonblocking = NULL;
    }
    coll_topo_profile_end(module);
    coll_topo_profile_withdraw(module);
#define GIVE_UP(function, ...)                             \
    if (module->previous_##function##_module != NULL) {    \
        OBJ_RELEASE(module->previous_##function##_module); \
        module->previous_##function##_module = NULL;       \
    }                                                      \
    module->previous_##function = NULL;
    COLL_TOPO_CALLS(GIVE_UP)
#undef GIVE_UP
    coll_topo_communicator_free(module->plans);
    module->plans = NULL;
    coll_topo_topology_free(module->topology);
    module->topology = NULL;
    free(module->kept_transport);
    module->kept_transport = NULL;
    coll_topo_host_memory_free(module->memory);
    module->memory = NULL;
    module->decision = COLL_TOPO_ASIDE;
}

/* Until 5.0 called once for each function of ours that is still installed, so all but the first call find nothing to
 * do. */
static int disable(mca_coll_base_module_t* base, struct ompi_communicator_t* communicator) {
    struct coll_topo_module* const module = (struct coll_topo_module*)base;
    if (module->released) {
        return OMPI_SUCCESS;
    }
    coll_topo_profile_end(module);
    coll_topo_profile_withdraw(module); /* until then it passes calls on to itself */
    if (COLL_TOPO_MODULES_INSTALL) {
        uninstall(module, communicator);
    }
    release(module);
    return OMPI_SUCCESS;
}

static void construct(struct coll_topo_module* module) {
    module->decision = COLL_TOPO_UNDECIDED;
    module->plans = NULL;
    module->topology = NULL;
    module->memory = NULL;
    module->memory_decided = false;
    module->withdrawn = false;
    module->reproducible = COLL_TOPO_ANY_ORDER;
    module->choose = coll_topo_choose;
    module->passing = NULL;
    module->profile = NULL;
    module->in_profile = false;
    module->nonblocking = NULL;
    module->kept_transport = NULL;
    module->calls_for_new_communicators = 0;
    module->released = false;
    memset(module->least_bytes, 0, sizeof module->least_bytes);
#define NOTHING_BEFORE(function, ...)   \
    module->previous_##function = NULL; \
    module->previous_##function##_module = NULL;
    COLL_TOPO_CALLS(NOTHING_BEFORE)
#undef NOTHING_BEFORE
}

static void destruct(struct coll_topo_module* module) {
    release(module);
}

typedef struct coll_topo_module coll_topo_module;
static OBJ_CLASS_INSTANCE(coll_topo_module, mca_coll_base_module_t, construct, destruct);

mca_coll_base_module_t* coll_topo_module_query(struct ompi_communicator_t* communicator, int* priority) {
    struct coll_topo_module* module = NULL;
    const uint32_t readiness = coll_topo_own_record.readiness;
    const bool ready = readiness == COLL_TOPO_READY;
    if (ready && communicator == &ompi_mpi_comm_world.comm && coll_topo_profile_wanted()) {
        coll_topo_profile_open();
    }
    if (ready && communicator == &ompi_mpi_comm_world.comm && coll_topo_parameters.nonblocking &&
        coll_topo_parameters.progress_thread) {
        coll_topo_progress_thread_open();
    }
    const bool wanted = ready || (coll_topo_parameters.require && readiness != COLL_TOPO_SWITCHED_OFF);
    if (!wanted || OMPI_COMM_IS_INTER(communicator) || ompi_comm_size(communicator) < 2) {
        return NULL;
    }
    module = OBJ_NEW(coll_topo_module);
    if (module == NULL) {
        return NULL;
    }
    module->super.coll_module_enable = enable;
    module->super.coll_module_disable = disable;
    module->withdrawn = ready && coll_topo_parameters.priority < 0;
    *priority = coll_topo_parameters.first_priority;
    return &module->super;
}
