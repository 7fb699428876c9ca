/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/all_collectives.h"

#include "test/mpi/session.h"

#include <stdlib.h>

struct sides {
    MPI_Comm communicator;
    int rank, ranks, root;
    int count; /* elements of one piece */
    int salt;
    long long *vector, *output;
    int *pieces, *begins, *byte_begins; /* of each rank: elements, those before them, in bytes */
    MPI_Datatype* types;
};

static long long contribution(const struct sides* sides, int rank, long long i) {
    return (long long)(mix((uint64_t)(rank + 100 * sides->salt), (uint64_t)i) % 1000003) - 500001;
}

static long long sum_before(const struct sides* sides, int end, long long i) {
    long long total = 0;
    for (int rank = 0; rank < end; rank++) total += contribution(sides, rank, i);
    return total;
}

static long long sum(const struct sides* sides, long long i) {
    return sum_before(sides, sides->ranks, i);
}

/* Element i of the output must be element first + i of the sum. */
static void check_sums(const struct sides* sides, enum collective collective, long long first, long long count,
                       const char* what) {
    long long i = 0;
    while (i < count && sides->output[i] == sum(sides, first + i)) i++;
    check(i == count, "%s %s, %d ranks: element %lld of %lld is wrong", collective_names[collective], what,
          sides->ranks, i, count);
}

/* The output must be the sum of the ranks before `end`; of none, what stood there. */
static void check_prefix(const struct sides* sides, enum collective collective, int end, const char* what) {
    const long long whole = (long long)sides->count * sides->ranks;
    long long i = 0;
    while (i < whole && sides->output[i] == (end > 0 ? sum_before(sides, end, i) : -1)) i++;
    check(i == whole, "%s %s, %d ranks: element %lld of %lld is wrong", collective_names[collective], what,
          sides->ranks, i, whole);
}

/* Piece k of the output must be from rank k: its first piece, or the one at this rank's place. */
static void check_pieces(const struct sides* sides, enum collective collective, bool own_part, const char* what) {
    const long long whole = (long long)sides->count * sides->ranks;
    const long long first = own_part ? (long long)sides->count * sides->rank : 0;
    long long i = 0;
    while (i < whole && sides->output[i] == contribution(sides, (int)(i / sides->count), first + i % sides->count)) i++;
    check(i == whole, "%s %s, %d ranks: element %lld of %lld is wrong", collective_names[collective], what,
          sides->ranks, i, whole);
}

/* The output must be the root's elements from `first` on. */
static void check_scattered(const struct sides* sides, long long first, const char* what) {
    long long i = 0;
    while (i < sides->count && sides->output[i] == contribution(sides, sides->root, first + i)) i++;
    check(i == sides->count, "scatter %s, %d ranks: element %lld of %d is wrong", what, sides->ranks, i, sides->count);
}

static void run_bcast(const struct sides* sides, const char* what) {
    const long long whole = (long long)sides->count * sides->ranks;
    long long i = 0;
    if (sides->rank == sides->root)
        for (; i < whole; i++) sides->output[i] = sides->vector[i];
    MPI_Bcast(sides->output, (int)whole, MPI_LONG_LONG, sides->root, sides->communicator);
    for (i = 0; i < whole && sides->output[i] == contribution(sides, sides->root, i);) i++;
    check(i == whole, "bcast %s, %d ranks: element %lld of %lld is wrong", what, sides->ranks, i, whole);
}

static void run(const struct sides* sides, enum collective collective, const char* what) {
    const long long whole = (long long)sides->count * sides->ranks, own = (long long)sides->count * sides->rank;
    for (long long i = 0; i < whole; i++) sides->output[i] = -1;
    switch (collective) {
        case ALLREDUCE:
            MPI_Allreduce(sides->vector, sides->output, (int)whole, MPI_LONG_LONG, MPI_SUM, sides->communicator);
            check_sums(sides, collective, 0, whole, what);
            break;
        case SCAN:
            MPI_Scan(sides->vector, sides->output, (int)whole, MPI_LONG_LONG, MPI_SUM, sides->communicator);
            check_prefix(sides, collective, sides->rank + 1, what);
            break;
        case EXSCAN:
            MPI_Exscan(sides->vector, sides->output, (int)whole, MPI_LONG_LONG, MPI_SUM, sides->communicator);
            check_prefix(sides, collective, sides->rank, what);
            break;
        case REDUCE_SCATTER:
            MPI_Reduce_scatter(sides->vector, sides->output, sides->pieces, MPI_LONG_LONG, MPI_SUM,
                               sides->communicator);
            check_sums(sides, collective, own, sides->count, what);
            break;
        case REDUCE_SCATTER_BLOCK:
            MPI_Reduce_scatter_block(sides->vector, sides->output, sides->count, MPI_LONG_LONG, MPI_SUM,
                                     sides->communicator);
            check_sums(sides, collective, own, sides->count, what);
            break;
        case ALLGATHER:
            MPI_Allgather(sides->vector, sides->count, MPI_LONG_LONG, sides->output, sides->count, MPI_LONG_LONG,
                          sides->communicator);
            check_pieces(sides, collective, false, what);
            break;
        case ALLGATHERV:
            MPI_Allgatherv(sides->vector, sides->count, MPI_LONG_LONG, sides->output, sides->pieces, sides->begins,
                           MPI_LONG_LONG, sides->communicator);
            check_pieces(sides, collective, false, what);
            break;
        case GATHER:
            MPI_Gather(sides->vector, sides->count, MPI_LONG_LONG, sides->output, sides->count, MPI_LONG_LONG,
                       sides->root, sides->communicator);
            if (sides->rank == sides->root) check_pieces(sides, collective, false, what);
            break;
        case SCATTER:
            MPI_Scatter(sides->vector, sides->count, MPI_LONG_LONG, sides->output, sides->count, MPI_LONG_LONG,
                        sides->root, sides->communicator);
            check_scattered(sides, own, what);
            break;
        case GATHERV:
            MPI_Gatherv(sides->vector, sides->count, MPI_LONG_LONG, sides->output, sides->pieces, sides->begins,
                        MPI_LONG_LONG, sides->root, sides->communicator);
            if (sides->rank == sides->root) check_pieces(sides, collective, false, what);
            break;
        case SCATTERV:
            MPI_Scatterv(sides->vector, sides->pieces, sides->begins, MPI_LONG_LONG, sides->output, sides->count,
                         MPI_LONG_LONG, sides->root, sides->communicator);
            check_scattered(sides, own, what);
            break;
        case ALLTOALL:
            MPI_Alltoall(sides->vector, sides->count, MPI_LONG_LONG, sides->output, sides->count, MPI_LONG_LONG,
                         sides->communicator);
            check_pieces(sides, collective, true, what);
            break;
        case ALLTOALLV:
            MPI_Alltoallv(sides->vector, sides->pieces, sides->begins, MPI_LONG_LONG, sides->output, sides->pieces,
                          sides->begins, MPI_LONG_LONG, sides->communicator);
            check_pieces(sides, collective, true, what);
            break;
        case ALLTOALLW:
            MPI_Alltoallw(sides->vector, sides->pieces, sides->byte_begins, sides->types, sides->output, sides->pieces,
                          sides->byte_begins, sides->types, sides->communicator);
            check_pieces(sides, collective, true, what);
            break;
        case REDUCE:
            MPI_Reduce(sides->vector, sides->output, (int)whole, MPI_LONG_LONG, MPI_SUM, sides->root,
                       sides->communicator);
            if (sides->rank == sides->root) check_sums(sides, collective, 0, whole, what);
            break;
        case BARRIER: /* test/mpi/barriers.c checks what it is for */
            MPI_Barrier(sides->communicator);
            break;
        default:
            run_bcast(sides, what);
    }
}

static void run_all(MPI_Comm communicator, int count, int salt, const char* what, bool counted) {
    struct sides sides = {.communicator = communicator, .count = count, .salt = salt};
    MPI_Comm_rank(communicator, &sides.rank);
    MPI_Comm_size(communicator, &sides.ranks);
    sides.root = salt % sides.ranks;
    const size_t whole = (size_t)count * (size_t)sides.ranks;
    sides.vector = calloc(whole, sizeof *sides.vector);
    sides.output = calloc(whole, sizeof *sides.output);
    sides.pieces = calloc((size_t)sides.ranks, sizeof *sides.pieces);
    sides.begins = calloc((size_t)sides.ranks, sizeof *sides.begins);
    sides.byte_begins = calloc((size_t)sides.ranks, sizeof *sides.byte_begins);
    sides.types = calloc((size_t)sides.ranks, sizeof *sides.types);
    for (size_t i = 0; i < whole; i++) sides.vector[i] = contribution(&sides, sides.rank, (long long)i);
    for (int rank = 0; rank < sides.ranks; rank++) {
        sides.pieces[rank] = count;
        sides.begins[rank] = rank * count;
        sides.byte_begins[rank] = sides.begins[rank] * (int)sizeof *sides.vector;
        sides.types[rank] = MPI_LONG_LONG;
    }

    for (int collective = 0; collective < WITHOUT_NEIGHBORS; collective++) {
        struct counters before = {0};
        if (counted) before = counters_read();
        run(&sides, (enum collective)collective, what);
        /* A barrier that would be no faster is the previous module's. */
        const enum duty duty = collective == BARRIER ? DUTY_EITHER : DUTY_COMPONENT;
        if (counted)
            counters_check(&before, (enum collective)collective, 1, sides.ranks > 1 ? duty : DUTY_NOBODY, what);
    }
    free(sides.vector);
    free(sides.output);
    free(sides.pieces);
    free(sides.begins);
    free(sides.byte_begins);
    free(sides.types);
}

void all_collectives(MPI_Comm communicator, int count, int salt, const char* what) {
    run_all(communicator, count, salt, what, false);
}

void all_collectives_counted(MPI_Comm communicator, int count, int salt, const char* what) {
    run_all(communicator, count, salt, what, true);
}
