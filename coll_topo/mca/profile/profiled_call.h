/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions that count calls are made of; for profiled_calls.c alone. */
#ifndef COLL_TOPO_MCA_PROFILED_CALL_H
#define COLL_TOPO_MCA_PROFILED_CALL_H

#include "coll_topo/mca/module/counters.h"
#include "coll_topo/mca/profile/communicator_profile.h"
#include "coll_topo/mca/profile/sized_calls.h"
#include "coll_topo/mca/transport/packed_view.h"
#include "coll_topo/mca/transport/piece_sizes.h"

#include "ompi/communicator/communicator.h"

/* PROFILED(function, NUMBER, parameters, arguments, bytes, role): what the calls of MPI have in common. In arguments,
 * the module is left out. In a streak the module has its plain function, and what comes to coll_topo_passed_... outside
 * of a call that is counted is the call that ends it. */
#define PROFILED(function, number, parameters, arguments, bytes_of_call, role_of_call)                     \
    static int coll_topo_profiled_##function(UNPACK parameters, struct ompi_communicator_t* communicator,  \
                                             mca_coll_base_module_t* base) {                               \
        struct coll_topo_module* module = (struct coll_topo_module*)base;                                  \
        const size_t bytes = (bytes_of_call);                                                              \
        if (has_size_##function && OPAL_UNLIKELY(bytes == 0)) {                                            \
            return coll_topo_##function(UNPACK arguments, communicator, base); /* does nothing */          \
        }                                                                                                  \
        const struct coll_topo_call_begin begin =                                                          \
            coll_topo_enter(module, COLL_TOPO_##number, has_size_##function ? bytes : 0);                  \
        const int error = coll_topo_##function(UNPACK arguments, communicator, base);                      \
        const bool may_streak =                                                                            \
            has_size_##function && communicator->c_coll->coll_##function == coll_topo_profiled_##function; \
        if (coll_topo_leave(module, COLL_TOPO_##number, bytes, (role_of_call), &begin, may_streak)) {      \
            communicator->c_coll->coll_##function = coll_topo_##function;                                  \
        }                                                                                                  \
        return error;                                                                                      \
    }                                                                                                      \
    static int coll_topo_passed_##function(UNPACK parameters, struct ompi_communicator_t* communicator,    \
                                           mca_coll_base_module_t* base) {                                 \
        struct coll_topo_module* module = (struct coll_topo_module*)base;                                  \
        if (ends_streak(module, COLL_TOPO_##number)) {                                                     \
            communicator->c_coll->coll_##function = coll_topo_profiled_##function;                         \
            return coll_topo_profiled_##function(UNPACK arguments, communicator, base);                    \
        }                                                                                                  \
        const bool timed = pass_on(module->profile);                                                       \
        const int error =                                                                                  \
            module->passing->function(UNPACK arguments, communicator, module->passing->function##_module); \
        if (OPAL_UNLIKELY(timed)) {                                                                        \
            module->profile->returned = coll_topo_now();                                                   \
        }                                                                                                  \
        return error;                                                                                      \
    }
#define UNPACK(...) __VA_ARGS__

/* Whether the call has come from the plain function in a streak; then it has been counted as passed on. */
static inline bool ends_streak(struct coll_topo_module* module, int collective) {
    const struct coll_topo_communicator_profile* profile = module->profile;
    if (profile == NULL || profile->state != COLL_TOPO_NO_CALL || profile->streak[collective].kind == NULL) {
        return false;
    }
    coll_topo_uncount_fallback();
    return true;
}

/* Whether the call is timed. */
static inline bool pass_on(struct coll_topo_communicator_profile* profile) {
    if (profile == NULL || profile->state != COLL_TOPO_IN_CALL) {
        return false;
    }
    profile->state = COLL_TOPO_CALL_PASSED_ON;
    if (OPAL_UNLIKELY(profile->times_call)) {
        profile->passed = coll_topo_now();
        return true;
    }
    return false;
}

/* Neighbours wait for each other alone. */
enum { NOBODY = 0, EVERYONE = COLL_TOPO_AWAITED | COLL_TOPO_WAITS };
enum {
#define HAS_SIZE(function, number, schedule, rooted, combines, data) has_size_##function = COLL_TOPO_SIZE_OF_##data,
    COLL_TOPO_CALLS(HAS_SIZE)
#undef HAS_SIZE
};

static inline size_t bytes_of(size_t count, struct ompi_datatype_t* datatype) {
    return count * coll_topo_datatype_bytes(datatype);
}
#define RANKS ((size_t)ompi_comm_size(communicator))
#define IS_ROOT (ompi_comm_rank(communicator) == root)
#define IS_LAST (ompi_comm_rank(communicator) + 1 == ompi_comm_size(communicator))

#endif
