/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/profile/communicator_profile.h"

#include <stdlib.h>

/* Calls of a kind that are all timed at first; then, of those so short that reading the clock would show, the fewer the
 * more have been: at random distances, so that no habit of the program decides which. */
enum { ALL_TIMED = 64, MOST_DISTANCE = 4095, SHORT_CLASS = 14 };

static int64_t clock_cost;

void coll_topo_measure_clock(void) {
    enum { ROUNDS = 64 };
    clock_cost = INT64_MAX;
    for (int round = 0; round < ROUNDS; ++round) {
        const int64_t begin = coll_topo_now(), taken = coll_topo_now() - begin;
        clock_cost = taken < clock_cost ? taken : clock_cost;
    }
}

/* The same numbers on all ranks, as all make the same calls. */
static uint32_t draw_distance(struct coll_topo_kind* kind) {
    kind->random = kind->random * 1664525U + 1013904223U;
    return 1 + (kind->random >> 16) % (kind->timed < MOST_DISTANCE ? kind->timed : MOST_DISTANCE);
}

static void plan_next_timed(struct coll_topo_kind* kind) {
    const bool all = kind->size_class > SHORT_CLASS || kind->timed < ALL_TIMED;
    kind->weight = all ? 1 : draw_distance(kind);
    kind->until_timed = kind->weight;
}

/* The counts for a way, first in the list from now on. */
static struct coll_topo_served* find_served(struct coll_topo_kind* kind, int way) {
    struct coll_topo_served** place = &kind->served;
    while (*place != NULL && (*place)->way != way) {
        place = &(*place)->next;
    }
    struct coll_topo_served* served = *place;
    if (served == NULL) {
        served = calloc(1, sizeof *served);
        if (served == NULL) {
            return NULL;
        }
        served->way = way;
        served->row = -1;
    } else {
        *place = served->next;
    }
    served->next = kind->served;
    kind->served = served;
    return served;
}

static struct coll_topo_kind* make_kind(struct coll_topo_communicator_profile* profile, int collective, int size_class,
                                        int way) {
    struct coll_topo_kind* kind = calloc(1, sizeof *kind);
    if (kind == NULL || find_served(kind, way) == NULL) {
        free(kind);
        return NULL;
    }
    kind->collective = collective;
    kind->size_class = size_class;
    kind->random = (uint32_t)(collective * COLL_TOPO_SIZE_CLASSES + size_class);
    kind->stride = 1;
    profile->kinds[collective][size_class] = kind;
    return kind;
}

/* Keeps every stride-th timed call; when there is no room, every second one of those, and twice the stride. */
static void look_at(struct coll_topo_kind* kind, const struct coll_topo_look* look) {
    if (kind->timed % kind->stride != 0) {
        return;
    }
    if (kind->looks == COLL_TOPO_CALLS_LOOKED_AT) {
        for (int kept = 0; kept < COLL_TOPO_CALLS_LOOKED_AT / 2; ++kept) {
            kind->look[kept] = kind->look[2 * kept];
        }
        kind->looks = COLL_TOPO_CALLS_LOOKED_AT / 2;
        kind->stride *= 2;
    }
    if (kind->timed % kind->stride == 0) {
        kind->look[kind->looks++] = *look;
    }
}

static void count_time(struct coll_topo_communicator_profile* profile, struct coll_topo_kind* kind,
                       struct coll_topo_served* served, int64_t entered, int64_t left) {
    const bool passed_on = served->way == COLL_TOPO_PASSED_ON && profile->passed != 0;
    const int64_t of_call = left - entered - (passed_on ? 3 : 1) * clock_cost;
    const uint64_t taken = of_call > 0 ? (uint64_t)of_call : 0;
    coll_topo_profile_counts* counts = &served->counts;
    counts->timed++;
    counts->weight += kind->weight;
    counts->nanoseconds += kind->weight * taken;
    counts->histogram[coll_topo_profile_bin(taken)] += kind->weight;
    if (passed_on) {
        const int64_t beside = (profile->passed - entered) + (left - profile->returned) - 2 * clock_cost;
        counts->passing_nanoseconds += kind->weight * (uint64_t)(beside > 0 ? beside : 0);
    }
}

static void leave_first(struct coll_topo_communicator_profile* profile, int collective, size_t bytes, int way,
                        const struct coll_topo_call_begin* begin, int64_t left) {
    struct coll_topo_kind* kind = make_kind(profile, collective, begin->size_class, way);
    if (kind != NULL) {
        coll_topo_profile_counts* counts = &kind->served->counts;
        counts->calls = 1;
        counts->bytes = bytes;
        counts->first_calls = 1;
        counts->first_nanoseconds = left > begin->entered ? (uint64_t)(left - begin->entered) : 0;
        plan_next_timed(kind);
    }
}

static void leave_other(struct coll_topo_communicator_profile* profile, size_t bytes, int role, int way,
                        const struct coll_topo_call_begin* begin, int64_t left) {
    struct coll_topo_kind* kind = begin->kind;
    struct coll_topo_served* served = find_served(kind, way);
    if (served != NULL) {
        served->counts.calls++;
        served->counts.bytes += bytes;
    }
    if (begin->entered == 0) {
        return;
    }
    if (served != NULL) {
        count_time(profile, kind, served, begin->entered, left);
    }
    const struct coll_topo_look look = {.entered = begin->entered, .left = left, .served = served, .role = role};
    look_at(kind, &look);
    kind->timed++;
    plan_next_timed(kind);
}

void coll_topo_leave_slowly(struct coll_topo_communicator_profile* profile, int collective, size_t bytes, int role,
                            int way, const struct coll_topo_call_begin* begin) {
    const int64_t left = begin->entered != 0 ? coll_topo_now() : 0;
    if (begin->kind == NULL) {
        leave_first(profile, collective, bytes, way, begin, left);
    } else {
        leave_other(profile, bytes, role, way, begin, left);
    }
    profile->times_call = false;
    profile->passed = 0;
}

void coll_topo_end_streak(struct coll_topo_communicator_profile* profile, int collective) {
    struct coll_topo_streak* streak = &profile->streak[collective];
    struct coll_topo_kind* kind = streak->kind;
    if (kind == NULL) {
        return;
    }
    /* The call that is to be timed has been counted down, and is counted when it is. */
    const int64_t left = profile->left_of_streak[collective] != 0 ? profile->left_of_streak[collective] : 1;
    const uint64_t calls = (uint64_t)(streak->begin - left);
    kind->served->counts.calls += calls;
    kind->served->counts.bytes += calls * streak->bytes;
    kind->until_timed = left > 0 ? (uint32_t)left : 1;
    profile->left_of_streak[collective] = 0;
    streak->kind = NULL;
}

/* ---- calls with requests ------------------------------------------------------------------------------------------
 */

static struct coll_topo_served* count(struct coll_topo_communicator_profile* profile,
                                      const struct coll_topo_profiled_request* request, int size_class) {
    struct coll_topo_kind* kind = profile->kinds[request->collective][size_class];
    if (kind == NULL) {
        kind = make_kind(profile, request->collective, size_class, request->way);
    }
    struct coll_topo_served* const served = kind != NULL ? find_served(kind, request->way) : NULL;
    if (served != NULL) {
        served->counts.calls++;
        served->counts.bytes += request->bytes;
    }
    return served;
}

void coll_topo_count_timed(struct coll_topo_communicator_profile* profile,
                           const struct coll_topo_profiled_request* request, int size_class) {
    const bool is_first = profile->kinds[request->collective][size_class] == NULL;
    const int64_t of_call = coll_topo_now() - request->started - clock_cost;
    const uint64_t taken = of_call > 0 ? (uint64_t)of_call : 0;
    struct coll_topo_served* const served = count(profile, request, size_class);
    if (served == NULL) {
        return;
    }
    coll_topo_profile_counts* const counts = &served->counts;
    if (is_first) {
        counts->first_calls++;
        counts->first_nanoseconds += taken;
        return;
    }
    counts->timed++;
    counts->weight++;
    counts->nanoseconds += taken;
    counts->histogram[coll_topo_profile_bin(taken)]++;
}

void coll_topo_count_untimed(struct coll_topo_communicator_profile* profile,
                             const struct coll_topo_profiled_request* request, int size_class) {
    count(profile, request, size_class);
}
