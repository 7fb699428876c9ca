/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/parameter_rows.h"

#include "coll_topo/mca/module/parameters.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CHOSEN_BY_TIME (-1) /* of an algorithm parameter */

static void list_algorithms(int call, mca_base_var_enum_value_t* values, char* help, size_t size) {
    size_t used = strlen(help);
    *values++ = (mca_base_var_enum_value_t){CHOSEN_BY_TIME, "auto"};
    for (int row = 0; row < coll_topo_algorithms(); ++row) {
        if (coll_topo_algorithm_serves(row, call)) {
            *values++ = (mca_base_var_enum_value_t){row, coll_topo_algorithm_name(row)};
            if (used < size) {
                used += (size_t)snprintf(help + used, size - used, "; %s: %s", coll_topo_algorithm_name(row),
                                         coll_topo_algorithm_summary(row));
            }
        }
    }
    *values = (mca_base_var_enum_value_t){0, NULL};
}

const char* const coll_topo_reproducible_names[COLL_TOPO_REPRODUCIBLE_END] = {"off", "fixed_order", "fixed_point",
                                                                              "exact"};

static void list_reproducible(int call, mca_base_var_enum_value_t* values, char* help, size_t size) {
    (void)call, (void)help, (void)size;
    for (int mode = 0; mode < COLL_TOPO_REPRODUCIBLE_END; ++mode) {
        *values++ = (mca_base_var_enum_value_t){mode, coll_topo_reproducible_names[mode]};
    }
    *values = (mca_base_var_enum_value_t){0, NULL};
}

#define STORED(field) .storage = &coll_topo_parameters.field
#define TEXT(field, value) .type = MCA_BASE_VAR_TYPE_STRING, STORED(field), .initial.text = (value)
#define TRUTH(field, value) .type = MCA_BASE_VAR_TYPE_BOOL, STORED(field), .initial.truth = (value)
#define SIZE(field, value) .type = MCA_BASE_VAR_TYPE_SIZE_T, STORED(field), .initial.size = (value)
#define INTEGER(field, value, least) \
    .type = MCA_BASE_VAR_TYPE_INT, STORED(field), .initial.integer = (value), .minimum = (least)

const struct coll_topo_parameter coll_topo_parameter_rows[] = {
    {
        .name = "topology_file",
        .help =
            "The file that describes the network, see coll-topo.conf(5); slurm: the tree of switches that Slurm tells "
            "the tasks of a job (SLURM_TOPOLOGY_ADDR). Without it coll_topo does nothing. It must mean the same on all "
            "ranks, else none of them uses coll_topo",
        TEXT(topology_file, NULL),
        .level = OPAL_INFO_LVL_1,
        .agreement = COLL_TOPO_SAME_MEANING, /* the digest of the topology; the file may be another on each host */
    },
    {
        .name = "rules_file",
        .help = "A file of rules that name algorithms for collectives, sizes and communicators, see "
                "coll-topo-rules.conf(5). coll_topo_<collective>_algorithm goes before it. It must mean the same on "
                "all ranks, else none of them uses coll_topo",
        TEXT(rules_file, NULL),
        .level = OPAL_INFO_LVL_2,
        .agreement = COLL_TOPO_SAME_MEANING, /* the digest of the rules, likewise */
    },
    {
        /* With another priority on one rank, another component may stand above this one there and never call it. So
         * the value at the start is that of all modules. A tool may set it negative on all ranks: communicators made
         * while it is are not served. */
        .name = "priority",
        .help = "Priority of the component; negative: never used",
        INTEGER(priority, 50, INT_MIN), /* above tuned and han, below components for accelerator memory */
        .level = OPAL_INFO_LVL_6,
        .flags = MCA_BASE_VAR_FLAG_SETTABLE,
    },
    {
        .name = "verbose",
        .help =
            "What is printed when a communicator first uses a collective. 0: nothing; 1: a table of what is chosen "
            "from which size on, and its predicted time, below 2 MiB at once; 2: also the runner-up, and why; 3: all "
            "candidates",
        INTEGER(verbose, 0, 0),
        .level = OPAL_INFO_LVL_2,
        .agreement = COLL_TOPO_ANY_VALUE, /* decides only what is printed */
    },
    {
        .name = "profile",
        .help =
            "0: none, 1: at MPI_Finalize, print a table of the job's collectives: calls, who ran them, times beside "
            "predicted ones, waiting; a file name: write it there as JSON, for coll-topo tune and coll-topo advise",
        TEXT(profile, "0"),
        .level = OPAL_INFO_LVL_2,
        .agreement = COLL_TOPO_ANY_VALUE, /* ranks know from each other's records who has one */
    },
    {
        .name = "require",
        .help = "End the job, with a message, where coll_topo would otherwise step aside: there is no topology file, a "
                "file cannot be read, ranks disagree, or the network cannot be planned for",
        TRUTH(require, false),
        .level = OPAL_INFO_LVL_2,
        .agreement =
            COLL_TOPO_ANY_VALUE, /* the component steps aside with and without it; one rank can abort the job */
    },
    {
        .name = "compare_with_tuned",
        .help = "Leave a call to tuned where that would run without coll_topo and is predicted to be faster. An "
                "algorithm that is set, and reproducible results, go before this",
        TRUTH(compare_with_tuned, true),
        .level = OPAL_INFO_LVL_4,
    },
    {
        .name = "host_memory",
        .help = "Ranks of one host exchange data through memory that they share, and read each other's memory, instead "
                "of sending messages. Off on one rank: messages for all ranks of its host",
        TRUTH(host_memory, true),
        .level = OPAL_INFO_LVL_4,
        .agreement = COLL_TOPO_ANY_VALUE, /* those of a host agree on it */
    },
    {
        .name = "nonblocking",
        .help =
            "Serve nonblocking collectives (MPI_Iallreduce and so on) and persistent ones (MPI_Allreduce_init) too. "
            "Their schedules run while the program is in any call of MPI, by messages alone. Off: they are libnbc's",
        TRUTH(nonblocking, true),
        .level = OPAL_INFO_LVL_4,
    },
    {
        .name = "progress_thread",
        .help = "A thread of each process lets nonblocking calls go on while the program computes. For hosts with "
                "processors to spare, and programs that ask for MPI_THREAD_MULTIPLE",
        TRUTH(progress_thread, false),
        .level = OPAL_INFO_LVL_4,
        .agreement = COLL_TOPO_ANY_VALUE, /* each process has its own */
    },
    {
        .name = "place",
        .help = "Where ranks are taken to be in the topology. host: where they run. For trials on other machines: rank "
                "(consecutive ranks on each host), roundrobin, or host names separated by commas, filled in their "
                "order",
        TEXT(place, "host"),
        .level = OPAL_INFO_LVL_4,
    },
    {
        .name = "ranks_per_host",
        .help = "How many ranks share a host where coll_topo_place is not host",
        INTEGER(ranks_per_host, 1, 1),
        .level = OPAL_INFO_LVL_4,
    },
    {
        /* A tool may set this and the following ones on all ranks; a communicator keeps what it finds in its first
         * collective. */
        .name = "aggregators",
        .help = "Ranks of each host that exchange data with other hosts; 0: one for each of the memory domains (NUMA "
                "nodes) that the ranks of a host are bound to, all ranks if that is one or they are not bound",
        INTEGER(settings.aggregators, 0, 0),
        .level = OPAL_INFO_LVL_5,
        .flags = MCA_BASE_VAR_FLAG_SETTABLE,
    },
    {
        .name = "lanes",
        .help = "Parts of a vector that travel at the same time on different paths, up to 16; 0: chosen by predicted "
                "time",
        INTEGER(settings.lanes, 0, 0),
        .level = OPAL_INFO_LVL_5,
        .flags = MCA_BASE_VAR_FLAG_SETTABLE,
    },
    {
        .name = "segments",
        .help = "Parts of a vector that follow each other in a pipeline, up to 65536; 0: chosen by predicted time",
        INTEGER(settings.segments, 0, 0),
        .level = OPAL_INFO_LVL_5,
        .flags = MCA_BASE_VAR_FLAG_SETTABLE,
    },
    {
        .name = "segment_size",
        .help = "Longest message in bytes, to overlap transfer and reduction; 0: messages are not cut",
        SIZE(settings.segment_bytes, 0),
        .level = OPAL_INFO_LVL_5,
        .flags = MCA_BASE_VAR_FLAG_SETTABLE,
    },
    {
        /* As tuned's. */
        .name = COLL_TOPO_FOR_EACH_CALL "_algorithm",
        .help = "The algorithm for " COLL_TOPO_FOR_EACH_CALL
                " of all sizes. auto: by rule, else the one predicted to be fastest. References ignore the network, "
                "and run only if they are named",
        INTEGER(settings.algorithm, CHOSEN_BY_TIME, CHOSEN_BY_TIME),
        .level = OPAL_INFO_LVL_4,
        .flags = MCA_BASE_VAR_FLAG_SETTABLE,
        .list_values = list_algorithms,
    },
    {
        .name = "reproducible",
        .help = "What results of reductions of floating-point numbers may depend on. off: the order in which the "
                "schedule combines operands; fixed_order: only where the ranks are; fixed_point: sums depend on the "
                "operands alone; exact: sums are the exact sum, rounded once. The info key coll_topo_reproducible of "
                "a communicator, the same on all its ranks, goes before this. See coll-topo(7)",
        INTEGER(settings.reproducible, COLL_TOPO_ANY_ORDER, COLL_TOPO_ANY_ORDER),
        .level = OPAL_INFO_LVL_2,
        .list_values = list_reproducible,
    },
};

const int coll_topo_parameter_row_count = sizeof coll_topo_parameter_rows / sizeof coll_topo_parameter_rows[0];
