/* SPDX-License-Identifier: BSD-3-Clause */
/* From a seed to calls. What breaks schedules is drawn more often than it occurs: little data and none, odd numbers,
 * types with gaps. */
#include "test/mpi/model/buffers.h"
#include "test/mpi/model/call.h"
#include "test/mpi/model/parameters.h"
#include "test/mpi/model/shapes.h"
#include "test/mpi/model/values.h"
#include "test/mpi/session.h"

/* A stream of numbers. */
struct dice {
    uint64_t state, thrown;
};

static int throw_below(struct dice* dice, int number) {
    return (int)(mix(dice->state, dice->thrown++) % (uint64_t)number);
}

static bool one_in(struct dice* dice, int number) {
    return throw_below(dice, number) == 0;
}

static struct dice dice_for(uint64_t seed, int group, int number) {
    return (struct dice){mix(mix(seed, (uint64_t)group), (uint64_t)number), 0};
}

int group_size(uint64_t seed, int group) {
    struct dice dice = dice_for(seed, group, -2);
    /* Long ones find what a call leaves behind for the next. */
    return one_in(&dice, 4) ? LARGEST_GROUP : 4 + throw_below(&dice, 9);
}

/* What is the communicator's: who is in it, and the parameters that it keeps. */
static struct call draw_communicator(uint64_t seed, int group) {
    struct dice dice = dice_for(seed, group, -1);
    struct call call = {.construction = throw_below(&dice, CONSTRUCTIONS)};
    if (call.construction != BY_DUPLICATE && session.ranks > 1) {
        call.order = throw_below(&dice, ORDERS);
        if (!one_in(&dice, 3)) call.members = 2 + throw_below(&dice, session.ranks - 1);
    }
    if (one_in(&dice, 3)) call.cartesian = 1 + throw_below(&dice, BOXES);
    if (one_in(&dice, 3)) call.lanes = 1 + throw_below(&dice, 8);
    if (one_in(&dice, 3)) call.segments = 1 + throw_below(&dice, 6);
    if (one_in(&dice, 3)) call.segment_size = 1 + throw_below(&dice, one_in(&dice, 2) ? 64 : 5000);
    if (one_in(&dice, 4)) call.aggregators = 1 + throw_below(&dice, 3);
    if (one_in(&dice, 3)) call.reproducible = throw_below(&dice, 4);
    return call;
}

/* An algorithm for each collective and communicator. */
static int draw_algorithm(uint64_t seed, int group, int collective) {
    struct dice dice = dice_for(seed, group, -3 - collective);
    return one_in(&dice, 2) ? 0 : throw_below(&dice, algorithm_count(collective));
}

/* Reductions take the same data several times in memory for each member; alltoall a piece for each. */
static int draw_count(struct dice* dice, const struct call* call) {
    const bool of_pieces = call->collective != ALLREDUCE && call->collective != REDUCE && call->collective != BCAST &&
                           call->collective != SCAN && call->collective != EXSCAN;
    switch (throw_below(dice, 8)) {
        case 0:
            return 0;
        case 1:
            return 1;
        case 2:
            return 1 + throw_below(dice, 4);
        case 3:
            return of_pieces ? 1 + throw_below(dice, 60) : 600 + throw_below(dice, 1500);
        default:
            return 1 + throw_below(dice, of_pieces ? 12 : 120);
    }
}

struct call call_draw(uint64_t seed, int group, int number) {
    struct dice dice = dice_for(seed, group, number);
    struct call call = draw_communicator(seed, group);
    /* Reductions have more to go wrong than the others. */
    call.collective =
        one_in(&dice, 3) ? throw_below(&dice, REDUCE_SCATTER_BLOCK + 1) : throw_below(&dice, WITHOUT_NEIGHBORS);
    if (call.cartesian > 0 && one_in(&dice, 2))
        call.collective = WITHOUT_NEIGHBORS + throw_below(&dice, COLLECTIVES - WITHOUT_NEIGHBORS);
    call.algorithm = draw_algorithm(seed, group, call.collective);
    call.operation = one_in(&dice, 2) ? throw_below(&dice, 2) : throw_below(&dice, OPERATIONS);
    call.type = one_in(&dice, 3) ? 0 : throw_below(&dice, SHAPES);
    /* Some calls are passed on to Open MPI, which itself cannot reduce elements that lie before one another.
     * user_operations has those that are not. */
    if (call.type == DOWNWARDS && is_reduction(call.collective)) call.type = COLUMN;
    call.other_type = one_in(&dice, 3) ? call.type : throw_below(&dice, SHAPES);
    call.count = draw_count(&dice, &call);
    call.spread = throw_below(&dice, SPREADS);
    call.in_place = one_in(&dice, 3);
    call.root = throw_below(&dice, session.ranks);
    call.contents = 1 + throw_below(&dice, 9999);
    return call;
}
