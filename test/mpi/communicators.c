/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of all kinds: who is in them, in which order, how many there are at once, and those of two groups. */
#include "test/mpi/all_collectives.h"
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <stdlib.h>

enum { COUNT = 33, MANY = 500 };

static void test_and_free(MPI_Comm communicator, const char* what) {
    if (communicator == MPI_COMM_NULL) return;
    all_collectives_counted(communicator, COUNT, 1, what);
    all_collectives_counted(communicator, 1, 2, what);
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
    all_collectives_counted(first, COUNT, 3, "on a duplicate");
    MPI_Comm_dup(first, &second);
    MPI_Comm_free(&first);
    test_and_free(second, "on a duplicate of a freed communicator");
    all_collectives_counted(MPI_COMM_WORLD, COUNT, 4, "on the world after its duplicates are freed");
}

/* All alive at once, used in another order than made, some never used before they are freed. */
static void test_many(void) {
    const int number = session.scale == SCALE_SAMPLE ? MANY / 10 : MANY;
    MPI_Comm* communicators = malloc((size_t)number * sizeof *communicators);
    for (int i = 0; i < number; i++) MPI_Comm_dup(MPI_COMM_WORLD, &communicators[i]);
    for (int i = number - 1; i >= 0; i -= 2)
        all_collectives_counted(communicators[i], 3, i, "on one of many communicators");
    for (int i = 0; i < number; i++) MPI_Comm_free(&communicators[i]);
    free(communicators);
}

/* A communicator made and freed again and again gets the same identifier: nothing of the old one may remain. */
static void test_again_and_again(void) {
    for (int i = 0; i < 20; i++)
        test_and_free(split(session.rank % (1 + i % 4), i % 2 ? session.rank : -session.rank),
                      "on one that follows a freed one");
}

/* The two groups of an intercommunicator, as one rank sees them. */
struct groups {
    MPI_Comm communicator;
    bool low;               /* this rank is in the group of the lower ranks of the world */
    int mine, remote;       /* sizes */
    int place;              /* in its own group */
    int first, last, total; /* ranks of the other group in the world, and their sum */
};

/* The root argument of a collective whose root is the first rank of the low group. */
static int root_for(const struct groups* groups) {
    if (!groups->low) return 0;
    return groups->place == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

static struct groups groups_new(MPI_Comm* part) {
    const int half = session.ranks / 2;
    struct groups groups = {.low = session.rank < half};
    *part = split(groups.low, session.rank);
    MPI_Intercomm_create(*part, 0, MPI_COMM_WORLD, groups.low ? half : 0, 11, &groups.communicator);
    MPI_Comm_remote_size(groups.communicator, &groups.remote);
    groups.mine = session.ranks - groups.remote;
    groups.place = groups.low ? session.rank : session.rank - half;
    groups.first = groups.low ? half : 0;
    groups.last = groups.first + groups.remote - 1;
    groups.total = (groups.first + groups.last) * groups.remote / 2;
    return groups;
}

static void test_sums_between(const struct groups* groups) {
    int value = session.rank, total = -1;
    MPI_Allreduce(&value, &total, 1, MPI_INT, MPI_SUM, groups->communicator);
    check(total == groups->total, "allreduce between two groups gives %d", total);

    /* The first of the low group gets what the high group contributes. */
    total = -1;
    MPI_Reduce(&value, &total, 1, MPI_INT, MPI_SUM, root_for(groups), groups->communicator);
    check(total == (session.rank == 0 ? groups->total : -1), "reduce between two groups gives %d", total);

    /* What one group contributes is scattered over the other: the vectors of both must be equally long. */
    const int length = groups->mine * groups->remote;
    int* vector = calloc((size_t)length, sizeof *vector);
    int* output = calloc((size_t)groups->remote, sizeof *output);
    for (int i = 0; i < length; i++) vector[i] = i + session.rank;
    MPI_Reduce_scatter_block(vector, output, groups->remote, MPI_INT, MPI_SUM, groups->communicator);
    for (int i = 0; i < groups->remote; i++)
        check(output[i] == groups->remote * (groups->place * groups->remote + i) + groups->total,
              "reduce_scatter_block between two groups: element %d is wrong", i);
    free(vector);
    free(output);
}

/* The same pieces as in alltoall, the last one first. */
static void test_pieces_between(const struct groups* groups, const int* sent, int* received) {
    const size_t size = (unsigned)groups->remote;
    int* arguments = calloc(3 * size, sizeof *arguments);
    int *counts = arguments, *displacements = counts + size, *bytes = displacements + size;
    MPI_Datatype* types = calloc(size, sizeof *types);
    for (int i = 0; i < groups->remote; i++) {
        counts[i] = 1;
        displacements[i] = groups->remote - 1 - i;
        bytes[i] = displacements[i] * (int)sizeof *received;
        types[i] = MPI_INT;
    }
    MPI_Alltoallv(sent, counts, displacements, MPI_INT, received, counts, displacements, MPI_INT, groups->communicator);
    for (int i = 0; i < groups->remote; i++)
        check(received[displacements[i]] == 1000 * (groups->first + i) + groups->mine - 1 - groups->place,
              "alltoallv between two groups: piece %d is wrong", i);
    for (int i = 0; i < groups->remote; i++) received[i] = -1;
    MPI_Alltoallw(sent, counts, bytes, types, received, counts, bytes, types, groups->communicator);
    for (int i = 0; i < groups->remote; i++)
        check(received[displacements[i]] == 1000 * (groups->first + i) + groups->mine - 1 - groups->place,
              "alltoallw between two groups: piece %d is wrong", i);
    free(arguments);
    free(types);
}

static void test_data_between(const struct groups* groups) {
    int* sent = calloc((size_t)groups->remote, sizeof *sent);
    int* received = calloc((size_t)groups->remote, sizeof *received);
    int value = session.rank;
    MPI_Allgather(&value, 1, MPI_INT, received, 1, MPI_INT, groups->communicator);
    for (int i = 0; i < groups->remote; i++)
        check(received[i] == groups->first + i, "allgather between two groups: piece %d is wrong", i);

    for (int i = 0; i < groups->remote; i++) sent[i] = 1000 * session.rank + i;
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, groups->communicator);
    for (int i = 0; i < groups->remote; i++)
        check(received[i] == 1000 * (groups->first + i) + groups->place,
              "alltoall between two groups: piece %d is wrong", i);
    test_pieces_between(groups, sent, received);
    free(sent);
    free(received);

    /* From the first of the low group to the high group. */
    value = session.rank == 0 ? 4711 : -1;
    MPI_Bcast(&value, 1, MPI_INT, root_for(groups), groups->communicator);
    check(value == (groups->low && groups->place != 0 ? -1 : 4711), "bcast between two groups gives %d", value);
}

/* The component leaves intercommunicators alone; the modules that serve them must still be there. They are free to use
 * collectives inside of a group, so that what is counted says nothing. */
static void test_intercommunicator(void) {
    if (session.ranks < 2) return;
    MPI_Comm part, merged;
    struct groups groups = groups_new(&part);
    test_sums_between(&groups);
    test_data_between(&groups);
    MPI_Intercomm_merge(groups.communicator, groups.low, &merged);
    MPI_Comm_free(&groups.communicator);
    MPI_Comm_free(&part);
    test_and_free(merged, "on a merged intercommunicator");
}

int PROGRAM(communicators)(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    all_collectives_counted(MPI_COMM_WORLD, COUNT, 0, "on the world");
    all_collectives_counted(MPI_COMM_SELF, COUNT, 0, "on the process itself");
    test_splits();
    test_create_group();
    test_duplicates();
    test_again_and_again();
    test_intercommunicator();
    test_many();
    counters_close();
    return session_finish("communicators");
}
