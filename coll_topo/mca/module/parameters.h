/* SPDX-License-Identifier: BSD-3-Clause */
/* The MCA parameters of the component, coll_topo_... */
#ifndef COLL_TOPO_MCA_PARAMETERS_H
#define COLL_TOPO_MCA_PARAMETERS_H

#include "coll_topo/engine/engine.h"

#include <stdbool.h>
#include <stdint.h>

/* Values as the user set them; see parameter_rows.c for what they mean. Fixed once MPI is initialised. */
struct coll_topo_parameters {
    char* topology_file; /* NULL or empty: not set */
    char* rules_file;    /* likewise */
    char* place;
    char* profile;               /* "0" or empty: none; "1": a table; else a file */
    coll_topo_settings settings; /* with the rules of coll_topo_topology_open() */
    int priority;
    int first_priority; /* of the start, that of all modules; tools may set the other */
    int ranks_per_host;
    int verbose;
    bool require;
    bool compare_with_tuned;
    bool host_memory;
    bool nonblocking;
    bool progress_thread;
};
extern struct coll_topo_parameters coll_topo_parameters;

/* Registers all parameters; an Open MPI error code. */
int coll_topo_parameters_register(void);

/* Puts a parameter that is out of its range back to its default; the name of the first such one, or NULL. */
const char* coll_topo_parameters_check(void);

/* A parameter that is set and means nothing without a topology file; NULL if there is none. */
const char* coll_topo_parameters_need_topology(void);

/* The names of the values of coll_topo_reproducible, by number. */
extern const char* const coll_topo_reproducible_names[COLL_TOPO_REPRODUCIBLE_END];

/* The digest continued by all parameters whose values must be the same on all ranks. */
uint64_t coll_topo_parameters_digest(uint64_t digest);

#endif
