/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of a job measured of their collective calls, as C sees it: each rank's counts are added to its
 * profile, profiles are merged, and one rank writes what comes of it. Codes and messages as in engine.h. */
#ifndef COLL_TOPO_ENGINE_PROFILE_H
#define COLL_TOPO_ENGINE_PROFILE_H

#include "coll_topo/engine/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Durations are counted in bins, eight to a doubling from 32 ns to about two minutes. */
enum { COLL_TOPO_PROFILE_BINS = 256 };

static inline int coll_topo_profile_bin(uint64_t nanoseconds) {
    enum { SHORTEST = 5, PARTS = 3 };
    if (nanoseconds < (1U << SHORTEST)) {
        return 0;
    }
    const int power = 63 - __builtin_clzll(nanoseconds);
    const int part = (int)(nanoseconds >> (power - PARTS)) & ((1 << PARTS) - 1);
    const int bin = ((power - SHORTEST) << PARTS) + part;
    return bin < COLL_TOPO_PROFILE_BINS ? bin : COLL_TOPO_PROFILE_BINS - 1;
}

/* One rank's calls of a collective, of one size class, that were served the same way. Every call is counted; a call
 * that is timed stands for those since the last one that was, its weight. First calls make plans and connections, and
 * are timed apart. */
typedef struct {
    uint64_t calls;
    uint64_t bytes; /* of all calls; of alltoallv and alltoallw what this rank sent */
    uint64_t first_calls, first_nanoseconds;
    uint64_t timed; /* of the others */
    uint64_t weight;
    uint64_t nanoseconds;         /* weighted */
    uint64_t passing_nanoseconds; /* weighted: what the call took beside the module that it was passed on to */
    uint64_t histogram[COLL_TOPO_PROFILE_BINS];
} coll_topo_profile_counts;

/* How a program makes a call. */
enum { COLL_TOPO_BLOCKING, COLL_TOPO_NONBLOCKING, COLL_TOPO_PERSISTENT };

/* What the calls were. */
typedef struct {
    int collective;
    int form;                 /* COLL_TOPO_BLOCKING ... */
    int size_class;           /* significant bits of the number of bytes */
    int way;                  /* of the communicator, see coll_topo_last_ways; -1: passed on */
    const char* passed_on_to; /* the component, else NULL */
    int by_user;              /* a rule or a parameter may have decided, not predicted time alone */
    int counts_calls;         /* this rank is the one whose calls count for its communicator */
} coll_topo_profile_kind;

typedef struct coll_topo_profile coll_topo_profile;

/* NULL without memory. */
coll_topo_profile* coll_topo_profile_new(void);
void coll_topo_profile_free(coll_topo_profile* profile);

/* Adds counts, with predictions by the communicator, which has made the calls. The row they are in, or -1. */
int coll_topo_profile_add(coll_topo_profile* profile, coll_topo_communicator* communicator,
                          const coll_topo_profile_kind* kind, const coll_topo_profile_counts* counts);
/* Adds the communicator itself, if it `counts`: once for all its ranks. `members` are its ranks in MPI_COMM_WORLD, NULL
 * if they are not known. Of communicators that are alike only the first one's are kept. */
int coll_topo_profile_add_communicator(coll_topo_profile* profile, coll_topo_communicator* communicator, int counts,
                                       const int* members);
/* Adds to a row a call of which is known when the last rank entered: what this rank took, and waited, nanoseconds. */
void coll_topo_profile_add_waiting(coll_topo_profile* profile, int row, double taken, double waited);
/* And, once for all ranks, from then until the last one left. */
void coll_topo_profile_add_transfer(coll_topo_profile* profile, int row, uint64_t nanoseconds);

/* How far times of different ranks can be off; the profile keeps the most of all ranks. Seconds. */
void coll_topo_profile_note_clock_error(coll_topo_profile* profile, double seconds);

/* The profile as bytes for ranks of the same build; memory to be freed. */
int coll_topo_profile_pack(const coll_topo_profile* profile, void** data, size_t* size);
int coll_topo_profile_merge(coll_topo_profile* profile, const void* data, size_t size);

/* What belongs to the job. */
typedef struct {
    const coll_topo_topology* topology;
    const char* topology_file;
    const char* mpi;
    int ranks, profiled_ranks;
    int lanes, segments, aggregators; /* that a parameter fixed; 0: not */
    double seconds;                   /* from MPI_Init to MPI_Finalize */
    const int* host_of_rank;          /* in the topology, -1: not known */
} coll_topo_profile_job;

/* A table for people; memory to be freed, NULL if there is none. */
char* coll_topo_profile_text(const coll_topo_profile* profile, const coll_topo_profile_job* job);
/* Writes it to a file as JSON. On a failure, a message. */
int coll_topo_profile_write(const coll_topo_profile* profile, const coll_topo_profile_job* job, const char* path,
                            char* message, size_t message_size);

/* ---- when ranks entered and left calls ------------------------------------------------------------------------- */

typedef struct coll_topo_arrivals coll_topo_arrivals;

/* Which call: of a communicator, of a collective and size class (number 64 + ...), and which of those looked at. */
typedef struct {
    uint64_t communicator;
    uint32_t kind;
    uint32_t number;
} coll_topo_call_name;

coll_topo_arrivals* coll_topo_arrivals_new(void);
void coll_topo_arrivals_free(coll_topo_arrivals* arrivals);
/* One rank's, nanoseconds on a clock that all share. `awaited`: others wait for it. */
int coll_topo_arrivals_add(coll_topo_arrivals* arrivals, const coll_topo_call_name* call, int awaited, int64_t entered,
                           int64_t left);
int coll_topo_arrivals_pack(const coll_topo_arrivals* arrivals, void** data, size_t* size);
int coll_topo_arrivals_merge(coll_topo_arrivals* arrivals, const void* data, size_t size);
/* When the last one that others wait for entered, the last of all entered, and the last of all left. */
typedef struct {
    int64_t awaited, entered, left;
} coll_topo_last_arrivals;
/* 0 if not all `ranks` have been added. */
int coll_topo_arrivals_find(const coll_topo_arrivals* arrivals, const coll_topo_call_name* call, int ranks,
                            coll_topo_last_arrivals* last);

#ifdef __cplusplus
}
#endif
#endif
