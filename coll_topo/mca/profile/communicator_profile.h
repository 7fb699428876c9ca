/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of one communicator. MPI lets only one thread at a time call collectives on it, so nothing is locked. */
#ifndef COLL_TOPO_MCA_COMMUNICATOR_PROFILE_H
#define COLL_TOPO_MCA_COMMUNICATOR_PROFILE_H

#include "coll_topo/engine/profile.h"
#include "coll_topo/mca/module/module.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum {
    COLL_TOPO_SIZE_CLASSES = 65,
    COLL_TOPO_CALLS_LOOKED_AT = 32, /* of a kind: a power of two */
    COLL_TOPO_PASSED_ON = -1        /* a way, beside those of coll_topo_last_ways() */
};

/* What a rank has to do with the wait for others. */
enum { COLL_TOPO_AWAITED = 1, COLL_TOPO_WAITS = 2 };

struct coll_topo_served {
    struct coll_topo_served* next; /* of the same kind of call */
    int way;
    int row; /* in the profile of the job, once added */
    coll_topo_profile_counts counts;
};

/* A call whose times are kept to be compared with those of other ranks. */
struct coll_topo_look {
    int64_t entered, left;
    const struct coll_topo_served* served;
    int row;  /* in the profile of the job, once added */
    int role; /* COLL_TOPO_AWAITED, COLL_TOPO_WAITS */
};

/* A collective and size class. All ranks of the communicator time the same calls. */
struct coll_topo_kind {
    struct coll_topo_served* served; /* the last one first */
    uint32_t until_timed;            /* calls */
    uint32_t weight;                 /* calls that the next timed one stands for */
    uint32_t random;
    uint32_t timed;
    uint32_t stride; /* of timed calls that are looked at */
    int collective, size_class;
    struct coll_topo_look look[COLL_TOPO_CALLS_LOOKED_AT];
    int looks;
};

/* What the call that runs has come to. Calls that other modules make on the same communicator while they do one are
 * part of that one. */
enum coll_topo_call_state { COLL_TOPO_NO_CALL, COLL_TOPO_IN_CALL, COLL_TOPO_CALL_PASSED_ON };

/* Short calls that repeat the last one of their collective go to the module's plain function: coll_topo counts them
 * down until one is to be timed. That one, and one that differs, is sent back to the function that counts. */
struct coll_topo_streak {
    struct coll_topo_kind* kind; /* NULL: there is none */
    int64_t begin;               /* what was left at its begin, see coll_topo_streaks() */
    size_t bytes;                /* of a call */
};

struct coll_topo_communicator_profile {
    enum coll_topo_call_state state;
    bool times_call;
    int64_t passed, returned; /* of a call that is timed and passed on */
    const int* last_ways;
    int64_t* left_of_streak; /* by collective, see coll_topo_streaks() */
    struct coll_topo_streak streak[COLL_TOPO_SERVED];
    size_t last_bytes[COLL_TOPO_SERVED]; /* of the last call */
    bool may_streak;                     /* not with coll_topo_reproducible */
    struct coll_topo_kind* kinds[COLL_TOPO_SERVED][COLL_TOPO_SIZE_CLASSES];
    coll_topo_communicator* plans; /* NULL once the communicator has been freed */
    struct coll_topo_module* module;
    int form; /* of its calls: COLL_TOPO_BLOCKING ... */
    uint64_t identity;
    int ranks, rank;
    bool by_user[COLL_TOPO_SERVED];
    char passed_on_to[COLL_TOPO_SERVED][16];
    int* members; /* see coll_topo_profile_add_communicator */
    struct coll_topo_communicator_profile* next;
};

/* Significant bits of the number. */
static inline int coll_topo_size_class(size_t bytes) {
    return bytes == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)bytes);
}

static inline int64_t coll_topo_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Finds out what it takes to read the clock, which is left out of times. */
void coll_topo_measure_clock(void);

struct coll_topo_call_begin {
    struct coll_topo_kind* kind; /* NULL for the first call */
    int64_t entered;             /* 0: not timed */
    int size_class;
    bool within_another;
};

/* Ends the streak: its calls are counted. */
void coll_topo_end_streak(struct coll_topo_communicator_profile* profile, int collective);

static inline struct coll_topo_call_begin coll_topo_enter(struct coll_topo_module* module, int collective,
                                                          size_t bytes) {
    struct coll_topo_communicator_profile* profile = module->profile;
    struct coll_topo_call_begin begin = {.size_class = coll_topo_size_class(bytes)};
    if (OPAL_LIKELY(profile != NULL)) {
        if (OPAL_UNLIKELY(profile->state != COLL_TOPO_NO_CALL)) {
            begin.within_another = true;
            return begin;
        }
        if (OPAL_UNLIKELY(profile->streak[collective].kind != NULL)) {
            coll_topo_end_streak(profile, collective);
        }
        profile->state = COLL_TOPO_IN_CALL;
        begin.kind = profile->kinds[collective][begin.size_class];
        if (OPAL_LIKELY(begin.kind != NULL && --begin.kind->until_timed != 0)) {
            return begin;
        }
        profile->times_call = true;
    }
    begin.entered = coll_topo_now();
    return begin;
}

/* The rest of a call that is timed, or served in another way than the last one of its kind. */
void coll_topo_leave_slowly(struct coll_topo_communicator_profile* profile, int collective, size_t bytes, int role,
                            int way, const struct coll_topo_call_begin* begin);

/* A call of a communicator whose calls are all timed, each by itself. */
void coll_topo_count_timed(struct coll_topo_communicator_profile* profile,
                           const struct coll_topo_profiled_request* request, int size_class);
/* The same of one that is passed on, of which it is not known when it ends. */
void coll_topo_count_untimed(struct coll_topo_communicator_profile* profile,
                             const struct coll_topo_profiled_request* request, int size_class);

/* Whether a streak can begin after a call. */
static inline bool coll_topo_may_begin_streak(struct coll_topo_communicator_profile* profile, int collective,
                                              size_t bytes, const struct coll_topo_call_begin* begin, int way) {
    const bool repeated = profile->last_bytes[collective] == bytes;
    profile->last_bytes[collective] = bytes;
    return repeated && profile->may_streak && way >= 0 && begin->kind != NULL && begin->kind->until_timed > 1;
}

/* Whether the module is to get the plain function for the collective, as a streak begins. */
static inline bool coll_topo_leave(struct coll_topo_module* module, int collective, size_t bytes, int role,
                                   const struct coll_topo_call_begin* begin, bool may_streak) {
    struct coll_topo_communicator_profile* profile = module->profile;
    if (OPAL_UNLIKELY(profile == NULL || begin->within_another)) {
        return false;
    }
    const int planned =
        profile->last_ways[collective] >= 0 ? profile->last_ways[collective] : profile->last_ways[COLL_TOPO_ALLREDUCE];
    const int way = profile->state == COLL_TOPO_CALL_PASSED_ON ? COLL_TOPO_PASSED_ON : planned;
    profile->state = COLL_TOPO_NO_CALL;
    if (OPAL_LIKELY(begin->entered == 0 && begin->kind->served->way == way)) {
        begin->kind->served->counts.calls++;
        begin->kind->served->counts.bytes += bytes;
    } else {
        coll_topo_leave_slowly(profile, collective, bytes, role, way, begin);
    }
    if (!may_streak || !coll_topo_may_begin_streak(profile, collective, bytes, begin, way)) {
        return false;
    }
    profile->streak[collective] = (struct coll_topo_streak){begin->kind, begin->kind->until_timed, bytes};
    profile->left_of_streak[collective] = begin->kind->until_timed;
    return true;
}

#endif
