/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The core as C sees it: opaque handles, plain structs and codes. No exception leaves these functions.
 * Functions that can fail for a reason a user should read write it, cut if need be, to `message`.
 */
#ifndef COLL_TOPO_ENGINE_H
#define COLL_TOPO_ENGINE_H

#include "coll_topo/execute/transport.h"
#include "coll_topo/schedule/call_list.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calls that are served, COLL_TOPO_ALLREDUCE ... COLL_TOPO_BARRIER, by the numbers of coll_topo::Call. */
#define COLL_TOPO_NUMBER(name, number, ...) COLL_TOPO_##number,
enum { COLL_TOPO_CALLS(COLL_TOPO_NUMBER) COLL_TOPO_SERVED };
#undef COLL_TOPO_NUMBER

/* ---- digests, to compare what ranks have ------------------------------------------------------------------------ */

/* The digest of what `digest` is of, and then the number or the text; NULL is an empty text. See base/digest.hpp. */
uint64_t coll_topo_digest_number(uint64_t digest, uint64_t number);
uint64_t coll_topo_digest_text(uint64_t digest, const char* text);

/* Tells builds of this code apart: a digest of the loaded file's build id, the version and what the compiler was told
 * of floating-point arithmetic. Ranks of different builds may choose different schedules. */
uint64_t coll_topo_build_fingerprint(void);

/* ---- the catalogue, for parameter enumerators -------------------------------------------------------------- */

const char* coll_topo_collective_name(int collective);
/* Number of rows; name and summary of a row; whether it serves a collective. Static strings. */
int coll_topo_algorithms(void);
const char* coll_topo_algorithm_name(int row);
const char* coll_topo_algorithm_summary(int row);
int coll_topo_algorithm_serves(int row, int collective);

/* ---- the topology, once per process ------------------------------------------------------------------------- */

typedef struct coll_topo_topology coll_topo_topology;

/* Reads a topology file. On failure *topology is NULL and message says file:line:column and why. */
int coll_topo_topology_load(const char* path, coll_topo_topology** topology, char* message, size_t message_size);
void coll_topo_topology_free(coll_topo_topology* topology);
/* Depends only on what the file means and on the version of the planner. */
uint64_t coll_topo_topology_digest(const coll_topo_topology* topology);
/* One line for people; valid as long as the topology. */
const char* coll_topo_topology_summary(const coll_topo_topology* topology);
/* The remarks on what is probably a mistake in the file, number 0, 1, ...; NULL after the last. */
const char* coll_topo_topology_doubt(const coll_topo_topology* topology, int number);
/* Index of a host by name, see match_host(); -1: not there; COLL_TOPO_SEVERAL_HOSTS, with a message that names both. */
#define COLL_TOPO_SEVERAL_HOSTS (-2)
int coll_topo_topology_find_host(const coll_topo_topology* topology, const char* name, char* message, size_t size);
/* The same by the addresses of this machine: GUIDs and MACs of its adapters in hwloc (HostAddress lines), and names in
 * the file that are its IP addresses. `hwloc_topology` may be NULL. */
int coll_topo_topology_host_by_address(const coll_topo_topology* topology, void* hwloc_topology, char* message,
                                       size_t size);
/* Index of the host at torus coordinates "3,1,0", or -1. */
int coll_topo_topology_host_at(const coll_topo_topology* topology, const char* coordinates);

/* What a process publishes of SLURM_TOPOLOGY_ADDR_PATTERN and SLURM_TOPOLOGY_ADDR, which may be NULL; or a failure, and
 * what is wrong with them. */
int coll_topo_slurm_address(const char* pattern, const char* address, char* text, size_t size);
/* The tree of switches above ranks that published `addresses` on hosts with the names `host_names`; hosts[rank] is the
 * host of each. It depends on no order. On failure *topology is NULL. */
int coll_topo_topology_of_slurm(const char* const* addresses, const char* const* host_names, int ranks,
                                coll_topo_topology** topology, int32_t* hosts, char* message, size_t message_size);

/* The host of a rank of the job under the trial placement `place`: "rank" (ranks_per_host consecutive ranks on each
 * host), "roundrobin", or a list of host names as in the topology file, given out like "rank".
 * -1 and a message if it cannot be placed. */
int coll_topo_place_rank(const coll_topo_topology* topology, const char* place, int ranks_per_host, int job_ranks,
                         int rank, char* message, size_t message_size);

/* ---- rules, once per process -------------------------------------------------------------------------------- */

typedef struct coll_topo_rules coll_topo_rules;

/* Reads a file of rules. On failure *rules is NULL and message says file:line:column and why. */
int coll_topo_rules_load(const char* path, coll_topo_rules** rules, char* message, size_t message_size);
void coll_topo_rules_free(coll_topo_rules* rules);
/* Depends only on what the rules mean; 0 if there are none, or `rules` is NULL. */
uint64_t coll_topo_rules_digest(const coll_topo_rules* rules);

/* ---- where ranks are ------------------------------------------------------------------------------------------ */

/* Fills all but `host` from the binding of the calling process. `hwloc_topology` is an
 * hwloc_topology_t that has been loaded. */
struct coll_topo_location;
void coll_topo_locate(void* hwloc_topology, struct coll_topo_location* location);
/* The torus coordinates set for this host with hwloc-annotate (Info attribute CollTopoCoord): 1 if there are any, 0 if
 * not, -1 with a message in their place if the attribute cannot be read. */
int coll_topo_hwloc_coordinates(void* hwloc_topology, char* coordinates, size_t size);

/* ---- a communicator ------------------------------------------------------------------------------------------ */

/* Where a rank is; ordinals are hwloc logical indices, COLL_TOPO_UNBOUND if it may run on several. */
#define COLL_TOPO_UNBOUND 0xffff
typedef struct coll_topo_location {
    int32_t host;
    uint16_t package, numa, l3, core;
    uint32_t processors; /* that it may run on; 0: not known */
} coll_topo_location;

/* Equal on all ranks. */
typedef struct {
    int algorithm[COLL_TOPO_SERVED]; /* row of the catalogue, or -1: chosen by predicted time */
    int aggregators;                 /* 0: from the memory domains */
    int lanes;                       /* 0: chosen by predicted time */
    int segments;                    /* 0: chosen by predicted time */
    size_t segment_bytes;            /* longest message; 0: never cut */
    int reproducible;                /* COLL_TOPO_ANY_ORDER ... */
    int host_memory;                 /* all ranks are on one host, and exchange data through memory */
    /* A bit for each collective, 1 << COLL_TOPO_ALLREDUCE ...: the previous module is tuned, and does the calls that it
     * is predicted to do faster. */
    unsigned compared_with_tuned;
    const coll_topo_rules* rules; /* which outlive the communicator; NULL: none */
} coll_topo_settings;

typedef struct coll_topo_communicator coll_topo_communicator;

/* Plans for `ranks` ranks at `locations`, as seen by `rank`. Fails with a message if the network or the placement
 * cannot be used. The topology must outlive it. */
int coll_topo_communicator_create(const coll_topo_topology* topology, const coll_topo_location* locations, int ranks,
                                  int rank, const coll_topo_settings* settings, coll_topo_communicator** communicator,
                                  char* message, size_t message_size);
/* Before the first choice: its Cartesian topology, as MPI_Cart_create was given it. The ranks of all dimensions are all
 * ranks. COLL_TOPO_OK, or there is no memory. */
int coll_topo_communicator_set_cartesian(coll_topo_communicator* communicator, int dimensions, const int* sizes,
                                         const int* periodic);
void coll_topo_communicator_free(coll_topo_communicator* communicator);
/* One line for people about the grid; valid as long as the communicator. */
const char* coll_topo_communicator_summary(const coll_topo_communicator* communicator);

/* The previous module does all calls on fewer bytes than this, which need not ask for a plan: SIZE_MAX if it does all.
 * 0: the choice is made call by call. */
size_t coll_topo_least_bytes(const coll_topo_communicator* communicator, int collective);

/* How much coll_topo_choose says of its choices from now on. 0: nothing, as at the start; 1: what is chosen; 2: also
 * the runner-up; 3: all there is to choose from. Concerns this rank alone. */
void coll_topo_communicator_explain(coll_topo_communicator* communicator, int detail);
/* Lines that say which collectives are all left to the previous module, and why; NULL if there are none, or nothing is
 * to be said. Valid until the next text of the communicator. */
const char* coll_topo_communicator_left(coll_topo_communicator* communicator);

/* A chosen schedule, ready to run. Owned by the communicator. */
typedef struct coll_topo_plan coll_topo_plan;

/* The plan for a collective on `bytes` of data (packed size of the whole vector; allgather, reduce_scatter: of all
 * pieces; alltoall: of all pieces a rank sends; between neighbours: of the pieces of as many as the Cartesian topology
 * has at most; alltoallv, alltoallw, also between neighbours, and neighbor_allgatherv: 0, as no rank knows it; barrier:
 * 0), NULL if the previous module must do it. `root` is 0 where there is none. All arguments but `communicator` are
 * equal on all ranks. *explanation is set to text to show if it is to be explained, in the first call of each kind for
 * all sizes, else to NULL. On a failure, which is this rank's alone, the caller must return an error: the other ranks
 * will go on with the plan. */
int coll_topo_choose(coll_topo_communicator* communicator, int collective, size_t bytes, int root, int commutative,
                     const char** explanation, coll_topo_plan** plan);
/* Nonzero if the plan is of an alltoall, or between neighbours, and can be run on coll_topo_pieces. */
int coll_topo_plan_is_direct(const coll_topo_plan* plan);
/* The lanes of the plan, equal on all ranks, up to COLL_TOPO_MOST_LANES: each sends with a tag of its own. */
enum { COLL_TOPO_MOST_LANES = 16 };
int coll_topo_plan_lanes(const coll_topo_plan* plan);
/* Nonzero if this rank's part of the plan never writes `output`, which may then be memory that is only read. */
int coll_topo_plan_keeps_output(const coll_topo_plan* plan);

/* For each collective, by what the last plan that coll_topo_choose() gave serves it, a number for each algorithm with
 * its lanes, segments and aggregators; -1: the previous module does. They stay where they are as long as the
 * communicator. */
const int* coll_topo_last_ways(const coll_topo_communicator* communicator);

/* As coll_topo_choose, but a streak of calls that repeat the last one of their collective is counted down: it ends, and
 * gives no plan, with the first one that differs, and with the one that brings its number to 0. */
int coll_topo_choose_in_streak(coll_topo_communicator* communicator, int collective, size_t bytes, int root,
                               int commutative, const char** explanation, coll_topo_plan** plan);
/* Those numbers, by collective, to be set by the caller: above 0 in a streak. They stay where they are as long as the
 * communicator. */
int64_t* coll_topo_streaks(coll_topo_communicator* communicator);

/* As coll_topo_choose, among the schedules that combine operands in the order of coordinates. */
int coll_topo_choose_fixed_order(coll_topo_communicator* communicator, int collective, size_t bytes, int root,
                                 int commutative, const char** explanation, coll_topo_plan** plan);

/* Memory for one collective at a time, kept with the communicator and reused; NULL if there is none to be had. */
void* coll_topo_temporary(coll_topo_communicator* communicator, size_t bytes);

/* ---- running -------------------------------------------------------------------------------------------------- */

/* Runs a plan to its end. 0, COLL_TOPO_OUT_OF_MEMORY before anything was sent, or the transport's error code. */
int coll_topo_run(coll_topo_communicator* communicator, coll_topo_plan* plan, coll_topo_transport* transport,
                  const coll_topo_buffers* buffers);

/* Of a gather or scatter whose pieces differ in size, which the root alone knows: brings this rank the sizes of all
 * pieces that pass through it in the plan, before the plan is run with those that were too long for their cells. At the
 * start the caller has filled this rank's own cell (gather), or at the root all (scatter); at the end `sizes`, one for
 * each rank, has what was brought, and the root all cells, or each rank its own. A direct plan does not need it.
 * `bytes`: a transport whose elements are bytes. As coll_topo_run. */
int coll_topo_exchange_sizes(coll_topo_communicator* communicator, coll_topo_plan* plan, coll_topo_transport* bytes,
                             int root, const coll_topo_cells* cells, size_t* sizes);
/* The room for a piece in these cells, equal on all ranks. */
size_t coll_topo_short_piece_bytes(const coll_topo_plan* plan);
/* The plan that brings the cells: the same one; or a direct one, after which the root answers the ranks whose pieces
 * were too long whether all were, its own apart. Only then do these pieces, and before them their sizes, go by the
 * plan; else by this one. */
coll_topo_plan* coll_topo_plan_of_cells(coll_topo_plan* plan);
/* A direct scatter, for these answers; NULL where the plan itself brings the cells. It belongs to the plan. */
coll_topo_plan* coll_topo_plan_of_answers(coll_topo_plan* plan);

/* ---- reductions whose results do not depend on the order of operands -------------------------------------------- */

/* What is asked for: coll_topo_reproducible. */
enum { COLL_TOPO_ANY_ORDER, COLL_TOPO_FIXED_ORDER, COLL_TOPO_FIXED_POINT, COLL_TOPO_EXACT, COLL_TOPO_REPRODUCIBLE_END };

enum {
    COLL_TOPO_USER_OPERATION,
    COLL_TOPO_PREDEFINED_OPERATION, /* none of the following */
    COLL_TOPO_SUM,
    COLL_TOPO_MAXIMUM,
    COLL_TOPO_MINIMUM,
    COLL_TOPO_MAXIMUM_LOCATION,
    COLL_TOPO_MINIMUM_LOCATION
};

/* Types of operands as C has them; pairs are of a value and a location. */
enum {
    COLL_TOPO_OTHER_OPERAND,
    COLL_TOPO_INTEGER, /* of any kind, also pairs, logical and bytes */
    COLL_TOPO_FLOAT,
    COLL_TOPO_DOUBLE,
    COLL_TOPO_LONG_DOUBLE,
    COLL_TOPO_FLOAT_COMPLEX,
    COLL_TOPO_DOUBLE_COMPLEX,
    COLL_TOPO_LONG_DOUBLE_COMPLEX,
    COLL_TOPO_FLOAT_INT,
    COLL_TOPO_DOUBLE_INT,
    COLL_TOPO_LONG_DOUBLE_INT,
    COLL_TOPO_FLOAT_FLOAT,
    COLL_TOPO_DOUBLE_DOUBLE
};

/* How operands must be combined: as they are in any order, by coordinates, or encoded in any order. */
enum { COLL_TOPO_AS_THEY_ARE, COLL_TOPO_BY_COORDINATES, COLL_TOPO_ENCODED };
int coll_topo_reduction_method(int reproducible, int operation, int operand);

typedef struct {
    int reproducible; /* COLL_TOPO_FIXED_POINT, COLL_TOPO_EXACT */
    int operation;
    int operand;
    const void* operands; /* this rank's contribution, whole, in memory that the collective does not write */
    size_t elements;      /* of the whole vector */
    int has_result;       /* whether this rank gets any of it: reduce: only the root */
} coll_topo_encoded_reduction;

/* As coll_topo_run, where coll_topo_reduction_method() says COLL_TOPO_ENCODED. `allreduce` is a plan for any size,
 * `bytes` a transport whose elements are bytes. As in a plain call, `output` holds the contribution at the start if
 * the collective wants that; a sum of fixed point does not look at it. */
int coll_topo_run_encoded(coll_topo_communicator* communicator, coll_topo_plan* plan, coll_topo_plan* allreduce,
                          coll_topo_transport* bytes, const coll_topo_buffers* buffers,
                          const coll_topo_encoded_reduction* reduction);

#ifdef __cplusplus
}
#endif
#endif
