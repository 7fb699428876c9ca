/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/parameters.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/component.h"

#include "opal/mca/base/mca_base_var.h"
#include "opal/mca/base/mca_base_var_enum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOSEN_BY_TIME (-1) /* of an algorithm parameter */
#define NO_MINIMUM (-1)

struct coll_topo_parameters coll_topo_parameters;

struct parameter {
    const char* name;
    const char* description;
    mca_base_var_type_t type;
    mca_base_var_flag_t flags;
    mca_base_var_info_lvl_t level;
    void* value;
    int minimum; /* of an int, which is also its default then */
};

static const struct parameter table[] = {
    {"topology_file",
     "The file that describes the network. The component is absent as long as none is set. Must be set, and mean the "
     "same, on all ranks, else none of them uses the component",
     MCA_BASE_VAR_TYPE_STRING, 0, OPAL_INFO_LVL_1, &coll_topo_parameters.topology_file, NO_MINIMUM},
    {"rules_file",
     "A file of rules that name algorithms for collectives, sizes and communicators, see coll-topo-rules.conf(5). "
     "coll_topo_<collective>_algorithm goes before it. Must mean the same on all ranks, else none of them uses the "
     "component",
     MCA_BASE_VAR_TYPE_STRING, 0, OPAL_INFO_LVL_2, &coll_topo_parameters.rules_file, NO_MINIMUM},
    /* A tool may set it on all ranks: communicators made while it is negative are without the component. */
    {"priority", "Priority of the component; negative: never used", MCA_BASE_VAR_TYPE_INT, MCA_BASE_VAR_FLAG_SETTABLE,
     OPAL_INFO_LVL_6, &coll_topo_parameters.priority, NO_MINIMUM},
    {"verbose", "0: silent, 1: say which schedule is used for which sizes, and why", MCA_BASE_VAR_TYPE_INT, 0,
     OPAL_INFO_LVL_2, &coll_topo_parameters.verbose, 0},
    {"require",
     "Abort the job where the component would otherwise step aside: no topology file, one or rules that cannot be "
     "read, ranks that disagree, a network without algorithms",
     MCA_BASE_VAR_TYPE_BOOL, 0, OPAL_INFO_LVL_2, &coll_topo_parameters.require, NO_MINIMUM},
    {"compare_with_tuned",
     "Leave a call to the module that was there before, where that is tuned, decides by itself, and is predicted to be "
     "faster. An algorithm that is set, and reproducible results, go before this",
     MCA_BASE_VAR_TYPE_BOOL, 0, OPAL_INFO_LVL_4, &coll_topo_parameters.compare_with_tuned, NO_MINIMUM},
    {"place",
     "Where ranks are taken to be in the topology: host (where they run), or for trials: rank (consecutive ranks on "
     "each host), roundrobin, or host names separated by commas, filled in their order",
     MCA_BASE_VAR_TYPE_STRING, 0, OPAL_INFO_LVL_4, &coll_topo_parameters.place, NO_MINIMUM},
    {"ranks_per_host", "How many ranks share a host where coll_topo_place is not host", MCA_BASE_VAR_TYPE_INT, 0,
     OPAL_INFO_LVL_4, &coll_topo_parameters.ranks_per_host, 1},
    {"aggregators",
     "Ranks of each host that exchange data with other hosts; 0: one for each of the memory domains (NUMA nodes) that "
     "the ranks of a host are bound to, all ranks if that is one or they are not bound",
     MCA_BASE_VAR_TYPE_INT, 0, OPAL_INFO_LVL_5, &coll_topo_parameters.settings.aggregators, 0},
    {"lanes", "Parts of a vector that travel at the same time on different paths; 0: chosen by predicted time",
     MCA_BASE_VAR_TYPE_INT, 0, OPAL_INFO_LVL_5, &coll_topo_parameters.settings.lanes, 0},
    {"segments", "Parts of a vector that follow each other in a pipeline, up to 65536; 0: chosen by predicted time",
     MCA_BASE_VAR_TYPE_INT, 0, OPAL_INFO_LVL_5, &coll_topo_parameters.settings.segments, 0},
    {"segment_size", "Longest message in bytes, to overlap transfer and reduction; 0: messages are not cut",
     MCA_BASE_VAR_TYPE_SIZE_T, 0, OPAL_INFO_LVL_5, &coll_topo_parameters.settings.segment_bytes, NO_MINIMUM},
};
enum { TABLE_LENGTH = sizeof table / sizeof table[0] };

static void set_defaults(void) {
    memset(&coll_topo_parameters, 0, sizeof coll_topo_parameters);
    coll_topo_parameters.place = "host"; /* the variable system copies defaults of strings */
    coll_topo_parameters.priority = 50;  /* above tuned and han, below components for accelerator memory */
    coll_topo_parameters.ranks_per_host = 1;
    coll_topo_parameters.compare_with_tuned = true;
    coll_topo_parameters.settings.max_lanes = COLL_TOPO_MAX_LANES;
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        coll_topo_parameters.settings.algorithm[collective] = CHOSEN_BY_TIME;
    }
}

static int register_one(const char* name, const char* description, mca_base_var_type_t type,
                        mca_base_var_enum_t* enumerator, mca_base_var_flag_t flags, mca_base_var_info_lvl_t level,
                        void* value) {
    const int index = mca_base_component_var_register(&mca_coll_topo_component.collm_version, name, description, type,
                                                      enumerator, 0, flags, level, MCA_BASE_VAR_SCOPE_ALL_EQ, value);
    return index < 0 ? index : OMPI_SUCCESS;
}

/* The names of the algorithms for a collective, with "auto" first; `values` is ended by a NULL name. */
static void list_algorithms(int collective, mca_base_var_enum_value_t* values, char* description, size_t size) {
    size_t used = (size_t)snprintf(description, size,
                                   "The algorithm for %s. auto: by rule, else the fastest by predicted time, but no "
                                   "reference, which ignores the network",
                                   coll_topo_collective_name(collective));
    *values++ = (mca_base_var_enum_value_t){CHOSEN_BY_TIME, "auto"};
    for (int row = 0; row < coll_topo_algorithms(); ++row) {
        if (coll_topo_algorithm_serves(row, collective)) {
            *values++ = (mca_base_var_enum_value_t){row, coll_topo_algorithm_name(row)};
            if (used < size) {
                used += (size_t)snprintf(description + used, size - used, "; %s: %s", coll_topo_algorithm_name(row),
                                         coll_topo_algorithm_summary(row));
            }
        }
    }
    *values = (mca_base_var_enum_value_t){0, NULL};
}

static int register_algorithm(int collective) {
    mca_base_var_enum_value_t* values = calloc((size_t)coll_topo_algorithms() + 2, sizeof *values);
    mca_base_var_enum_t* enumerator = NULL;
    char description[4096];
    char name[64];
    if (values == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    list_algorithms(collective, values, description, sizeof description);
    snprintf(name, sizeof name, "%s_algorithm", coll_topo_collective_name(collective));
    int error = mca_base_var_enum_create(name, values, &enumerator);
    if (error == OMPI_SUCCESS) {
        /* A tool may set it on all ranks, as tuned's; a communicator keeps what it finds in its first collective. */
        error = register_one(name, description, MCA_BASE_VAR_TYPE_INT, enumerator, MCA_BASE_VAR_FLAG_SETTABLE,
                             OPAL_INFO_LVL_4, &coll_topo_parameters.settings.algorithm[collective]);
        OBJ_RELEASE(enumerator);
    }
    free(values);
    return error;
}

const char* const coll_topo_reproducible_names[COLL_TOPO_REPRODUCIBLE_END] = {"off", "fixed_order", "fixed_point",
                                                                              "exact"};

static int register_reproducible(void) {
    mca_base_var_enum_value_t values[COLL_TOPO_REPRODUCIBLE_END + 1];
    mca_base_var_enum_t* enumerator = NULL;
    for (int mode = 0; mode < COLL_TOPO_REPRODUCIBLE_END; ++mode) {
        values[mode] = (mca_base_var_enum_value_t){mode, coll_topo_reproducible_names[mode]};
    }
    values[COLL_TOPO_REPRODUCIBLE_END] = (mca_base_var_enum_value_t){0, NULL};
    int error = mca_base_var_enum_create("reproducible", values, &enumerator);
    if (error == OMPI_SUCCESS) {
        error =
            register_one("reproducible",
                         "What results of reductions of floating-point numbers may depend on. off: the order in "
                         "which operands are combined, which is the schedule's; fixed_order: ranks and their "
                         "coordinates, not time; fixed_point: sums depend on the operands alone; exact: sums are "
                         "the exact sum, rounded once. The communicator's info key coll_topo_reproducible, the same "
                         "on all ranks, goes before this. See coll-topo(7)",
                         MCA_BASE_VAR_TYPE_INT, enumerator, 0, OPAL_INFO_LVL_2, &coll_topo_parameters.reproducible);
        OBJ_RELEASE(enumerator);
    }
    return error;
}

int coll_topo_parameters_register(void) {
    int error = OMPI_SUCCESS;
    set_defaults();
    for (int i = 0; error == OMPI_SUCCESS && i < TABLE_LENGTH; ++i) {
        error = register_one(table[i].name, table[i].description, table[i].type, NULL, table[i].flags, table[i].level,
                             table[i].value);
    }
    for (int collective = 0; error == OMPI_SUCCESS && collective < COLL_TOPO_SERVED; ++collective) {
        error = register_algorithm(collective);
    }
    return error == OMPI_SUCCESS ? register_reproducible() : error;
}

const char* coll_topo_parameters_check(void) {
    const char* wrong = NULL;
    for (int i = 0; i < TABLE_LENGTH; ++i) {
        if (table[i].minimum != NO_MINIMUM && *(int*)table[i].value < table[i].minimum) {
            *(int*)table[i].value = table[i].minimum;
            wrong = wrong != NULL ? wrong : table[i].name;
        }
    }
    return wrong;
}

const char* coll_topo_parameters_need_topology(void) {
    const char* rules = coll_topo_parameters.rules_file;
    if (coll_topo_parameters.require) {
        return "coll_topo_require";
    }
    if (coll_topo_parameters.reproducible != COLL_TOPO_ANY_ORDER) {
        return "coll_topo_reproducible";
    }
    return rules != NULL && rules[0] != '\0' ? "coll_topo_rules_file" : NULL;
}

static uint64_t hash_bytes(uint64_t hash, const void* data, size_t size) {
    for (const unsigned char* byte = data; size > 0; --size, ++byte) {
        hash = (hash ^ *byte) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t coll_topo_parameters_hash(uint64_t hash) {
    const coll_topo_settings* settings = &coll_topo_parameters.settings;
    const char* place = coll_topo_parameters.place != NULL ? coll_topo_parameters.place : "";
    hash = hash_bytes(hash, settings->algorithm, sizeof settings->algorithm);
    hash = hash_bytes(hash, &settings->aggregators, sizeof settings->aggregators);
    hash = hash_bytes(hash, &settings->lanes, sizeof settings->lanes);
    hash = hash_bytes(hash, &settings->segments, sizeof settings->segments);
    hash = hash_bytes(hash, &settings->max_lanes, sizeof settings->max_lanes);
    hash = hash_bytes(hash, &settings->segment_bytes, sizeof settings->segment_bytes);
    /* With another priority, another component may stand above this one on that rank and never call it. */
    hash = hash_bytes(hash, &coll_topo_parameters.priority, sizeof coll_topo_parameters.priority);
    hash = hash_bytes(hash, &coll_topo_parameters.ranks_per_host, sizeof coll_topo_parameters.ranks_per_host);
    hash = hash_bytes(hash, &coll_topo_parameters.compare_with_tuned, sizeof coll_topo_parameters.compare_with_tuned);
    hash = hash_bytes(hash, &coll_topo_parameters.reproducible, sizeof coll_topo_parameters.reproducible);
    return hash_bytes(hash, place, strlen(place) + 1);
}
