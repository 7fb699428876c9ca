/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/shrink.h"

#include "test/mpi/model/run.h"
#include "test/mpi/session.h"

/* What depends on time goes wrong in some runs only. */
enum { REPEATS = 3, MOST_TRIALS = 400 };

static int trials;

static bool goes_wrong(const struct call* call) {
    struct verdict verdict = {0};
    trials++;
    for (int i = 0; i < REPEATS && verdict.wrong == 0; i++)
        verdict = run_group(call, 1, false, false, "a simpler call of a failure");
    return verdict.wrong != 0;
}

/* Takes the value over if the call still goes wrong with it. */
static bool try_value(struct call* call, const struct field* field, int value) {
    struct call simpler = *call;
    *field_of(&simpler, field) = value;
    if (!goes_wrong(&simpler)) return false;
    *call = simpler;
    return true;
}

/* Fewer members are simpler, although 0, which is all, is the default. */
static bool try_fewer_members(struct call* call, const struct field* field) {
    const int now = call->members > 0 ? call->members : session.ranks;
    for (int members = 2; members < now && trials < MOST_TRIALS; members++)
        if (try_value(call, field, members)) return true;
    return false;
}

static bool try_smaller(struct call* call, const struct field* field) {
    const int now = *field_of(call, field);
    const int smaller[] = {0, 1, 2, 3, 5, now / 4, now / 2, now - now / 4, now - 1};
    if (field->offset == offsetof(struct call, members)) return try_fewer_members(call, field);
    for (size_t i = 0; i < sizeof smaller / sizeof *smaller && trials < MOST_TRIALS; i++)
        if (0 <= smaller[i] && smaller[i] < now && try_value(call, field, smaller[i])) return true;
    return false;
}

bool shrink(struct call* call) {
    trials = 0;
    if (!goes_wrong(call)) return false;
    const struct field algorithm = {"algorithm", offsetof(struct call, algorithm), NULL};
    if (call->algorithm != 0) try_value(call, &algorithm, 0);
    for (bool changed = true; changed && trials < MOST_TRIALS;) {
        changed = false;
        for (int i = 0; i < field_count; i++) changed |= try_smaller(call, &fields[i]);
    }
    return true;
}
