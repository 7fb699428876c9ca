/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of all kinds: who is in them, in which order, how many there are at once, and those of two groups. */
#include "test/mpi/counters.h"
#include "test/mpi/quartet.h"
#include "test/mpi/session.h"

#include <stdlib.h>

enum { COUNT = 33, MANY = 500 };

static void test_and_free(MPI_Comm communicator, const char* what) {
    if (communicator == MPI_COMM_NULL) return;
    quartet_counted(communicator, COUNT, 1, what);
    quartet_counted(communicator, 1, 2, what);
    MPI_Comm_free(&communicator);
}

static MPI_Comm split(int colour, int key) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, colour, key, &part);
    return part;
}

static void test_splits(void) {
    const int rank = session.rank;
    test_and_free(split(rank % 2, rank), "on every other rank");
    test_and_free(split(0, -rank), "in reversed order");
    test_and_free(split(0, (int)(mix(3, (uint64_t)rank) % 1000)), "in mixed order");
    test_and_free(split(rank / 2, rank), "on pairs of neighbours");
    test_and_free(split(rank % ((session.ranks + 1) / 2), rank), "on pairs far apart");
    test_and_free(split(rank, rank), "on one rank");
    test_and_free(split(rank == 0 ? MPI_UNDEFINED : 1, rank), "on all but the first");
    test_and_free(split(rank % 3 == 0 ? 0 : 1, -rank), "on every third, reversed");
}

static void test_create_group(void) {
    MPI_Group world, part;
    MPI_Comm communicator = MPI_COMM_NULL;
    int range[3] = {session.ranks - 1, 0, -2};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, &range, &part);
    int place;
    MPI_Group_rank(part, &place);
    if (place != MPI_UNDEFINED) MPI_Comm_create_group(MPI_COMM_WORLD, part, 7, &communicator);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
    test_and_free(communicator, "of a group, backwards");
}

static void test_duplicates(void) {
    MPI_Comm first, second;
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    quartet_counted(first, COUNT, 3, "on a duplicate");
    MPI_Comm_dup(first, &second);
    MPI_Comm_free(&first);
    test_and_free(second, "on a duplicate of a freed communicator");
    quartet_counted(MPI_COMM_WORLD, COUNT, 4, "on the world after its duplicates are freed");
}

/* All alive at once, used in another order than made, some never used before they are freed. */
static void test_many(void) {
    const int number = session.scale == SCALE_SAMPLE ? MANY / 10 : MANY;
    MPI_Comm* communicators = malloc((size_t)number * sizeof *communicators);
    for (int i = 0; i < number; i++) MPI_Comm_dup(MPI_COMM_WORLD, &communicators[i]);
    for (int i = number - 1; i >= 0; i -= 2) quartet_counted(communicators[i], 3, i, "on one of many communicators");
    for (int i = 0; i < number; i++) MPI_Comm_free(&communicators[i]);
    free(communicators);
}

/* A communicator made and freed again and again gets the same identifier: nothing of the old one may remain. */
static void test_again_and_again(void) {
    for (int i = 0; i < 20; i++)
        test_and_free(split(session.rank % (1 + i % 4), i % 2 ? session.rank : -session.rank),
                      "on one that follows a freed one");
}

/* The component leaves intercommunicators alone; the module before it must still be there and right. */
static void test_intercommunicator(void) {
    if (session.ranks < 2) return;
    const int half = session.ranks / 2, low = session.rank < half;
    MPI_Comm part = split(low, session.rank), both;
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, low ? half : 0, 11, &both);
    int remote;
    MPI_Comm_remote_size(both, &remote);

    struct counters before = counters_read();
    int value = session.rank, total = -1;
    MPI_Allreduce(&value, &total, 1, MPI_INT, MPI_SUM, both);
    counters_check(&before, ALLREDUCE, 1, DUTY_NOBODY, "between two groups");
    const int first = low ? half : 0, last = low ? session.ranks - 1 : half - 1;
    check(total == (first + last) * (last - first + 1) / 2, "allreduce between two groups gives %d", total);

    before = counters_read();
    int* gathered = calloc((size_t)remote, sizeof *gathered);
    MPI_Allgather(&value, 1, MPI_INT, gathered, 1, MPI_INT, both);
    counters_check(&before, ALLGATHER, 1, DUTY_NOBODY, "between two groups");
    for (int i = 0; i < remote; i++)
        check(gathered[i] == first + i, "allgather between two groups: piece %d is wrong", i);
    free(gathered);

    /* What one group contributes is scattered over the other: the vectors of both must be equally long. */
    const int mine = session.ranks - remote;
    int* vector = calloc((size_t)(mine * remote), sizeof *vector);
    int* output = calloc((size_t)remote, sizeof *output);
    for (int i = 0; i < mine * remote; i++) vector[i] = i + session.rank;
    before = counters_read();
    MPI_Reduce_scatter_block(vector, output, remote, MPI_INT, MPI_SUM, both);
    counters_check(&before, REDUCE_SCATTER_BLOCK, 1, DUTY_NOBODY, "between two groups");
    const int place = low ? session.rank : session.rank - half;
    for (int i = 0; i < remote; i++)
        check(output[i] == remote * (place * remote + i) + (first + last) * remote / 2,
              "reduce_scatter_block between two groups: element %d is wrong", i);
    free(vector);
    free(output);

    MPI_Comm merged;
    MPI_Intercomm_merge(both, low, &merged);
    MPI_Comm_free(&both);
    MPI_Comm_free(&part);
    test_and_free(merged, "on a merged intercommunicator");
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    quartet_counted(MPI_COMM_WORLD, COUNT, 0, "on the world");
    quartet_counted(MPI_COMM_SELF, COUNT, 0, "on the process itself");
    test_splits();
    test_create_group();
    test_duplicates();
    test_again_and_again();
    test_intercommunicator();
    test_many();
    counters_close();
    return session_finish("communicators");
}
