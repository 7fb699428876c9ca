/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/counters.h"

#include "coll_topo/engine/engine.h"
#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/component.h"

#include "opal/mca/base/mca_base_pvar.h"

#include <stdio.h>

/* Threads in different communicators count at the same time; nothing is ordered by these counts. Plain objects with
 * atomic accesses, because the variable system reads them as unsigned long long. Where there is one thread, the
 * shortest calls notice that an atomic addition waits for all stores before it. */
static unsigned long long runs[COLL_TOPO_SERVED];
static unsigned long long fallbacks;
static unsigned long long nonblocking_runs[COLL_TOPO_SERVED];
static unsigned long long nonblocking_fallbacks;
static unsigned long long memory_messages;

static void add(unsigned long long* counter, unsigned long long number) {
    if (OPAL_UNLIKELY(opal_using_threads())) {
        __atomic_fetch_add(counter, number, __ATOMIC_RELAXED);
    } else {
        *counter += number;
    }
}

static int register_counter(const char* name, const char* description, unsigned long long* counter) {
    const int index = mca_base_component_pvar_register(
        &mca_coll_topo_component.collm_version, name, description, OPAL_INFO_LVL_4, MCA_BASE_PVAR_CLASS_COUNTER,
        MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG, NULL, MCA_BASE_VAR_BIND_NO_OBJECT,
        MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS, NULL, NULL, NULL, counter);
    return index < 0 ? index : OMPI_SUCCESS;
}

int coll_topo_counters_register(void) {
    int error = register_counter("fallbacks", "Collective calls passed on to the previous module", &fallbacks);
    if (error == OMPI_SUCCESS) {
        error = register_counter("nonblocking_fallbacks",
                                 "Nonblocking and persistent collective calls passed on to the previous module",
                                 &nonblocking_fallbacks);
    }
    if (error == OMPI_SUCCESS) {
        error = register_counter("nonblocking_memory_messages",
                                 "Messages of nonblocking and persistent collective calls sent through the memory of "
                                 "the host",
                                 &memory_messages);
    }
    for (int collective = 0; error == OMPI_SUCCESS && collective < COLL_TOPO_SERVED; ++collective) {
        char name[64];
        char description[128];
        snprintf(name, sizeof name, "%s_runs", coll_topo_collective_name(collective));
        snprintf(description, sizeof description, "Schedules for %s that ran to their end",
                 coll_topo_collective_name(collective));
        error = register_counter(name, description, &runs[collective]);
        if (error != OMPI_SUCCESS) {
            break;
        }
        snprintf(name, sizeof name, "i%s_runs", coll_topo_collective_name(collective));
        snprintf(description, sizeof description,
                 "Schedules for nonblocking and persistent calls of %s that ran to their end",
                 coll_topo_collective_name(collective));
        error = register_counter(name, description, &nonblocking_runs[collective]);
    }
    return error;
}

void coll_topo_count_run(int collective) {
    add(&runs[collective], 1);
}

void coll_topo_count_fallback(void) {
    add(&fallbacks, 1);
}

void coll_topo_uncount_fallback(void) {
    add(&fallbacks, -1ULL);
}

void coll_topo_count_nonblocking_run(int collective) {
    add(&nonblocking_runs[collective], 1);
}

void coll_topo_count_nonblocking_fallback(void) {
    add(&nonblocking_fallbacks, 1);
}

void coll_topo_count_memory_messages(unsigned messages) {
    add(&memory_messages, messages);
}
