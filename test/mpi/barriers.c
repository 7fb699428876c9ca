/* SPDX-License-Identifier: BSD-3-Clause */
/* No rank leaves a barrier before all have entered it: on the first 1, 2, 3, ... ranks, each of them late in turn.
 * Before a rank enters, it counts itself in memory that all see; after the barrier all must have been counted. */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <time.h>

/* The counter of a communicator, in the memory of its first rank. */
struct count {
    MPI_Win window;
    int* entered;
};

static struct count count_new(MPI_Comm communicator, int rank) {
    struct count count;
    MPI_Aint size;
    int unit;
    MPI_Win_allocate_shared(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, communicator, &count.entered,
                            &count.window);
    MPI_Win_shared_query(count.window, 0, &size, &unit, &count.entered);
    return count;
}

/* Long enough for others to get through a barrier that does not wait. */
static void come_late(void) {
    const struct timespec late = {.tv_nsec = 1000000};
    nanosleep(&late, NULL);
}

static void test_turns(MPI_Comm communicator, const struct count* count, int rank, int ranks) {
    const struct counters before = counters_read();
    for (int turn = 0; turn < ranks; turn++) {
        if (rank == turn) come_late();
        __atomic_fetch_add(count->entered, 1, __ATOMIC_SEQ_CST);
        MPI_Barrier(communicator);
        const int entered = __atomic_load_n(count->entered, __ATOMIC_SEQ_CST) - turn * ranks;
        check(entered >= ranks, "barrier of %d ranks: rank %d left when %d had entered, and %d was late", ranks, rank,
              entered, turn);
    }
    counters_check(&before, BARRIER, (unsigned long long)ranks, ranks > 1 ? DUTY_COMPONENT : DUTY_NOBODY,
                   "of ranks that are late in turn");
}

static void test_first_ranks(int ranks) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, session.rank < ranks ? 0 : MPI_UNDEFINED, session.rank, &part);
    if (part == MPI_COMM_NULL) return;
    struct count count = count_new(part, session.rank);
    /* All begin when the counter is 0; not by a barrier, which is yet to be tested. */
    if (session.rank == 0) {
        __atomic_store_n(count.entered, 0, __ATOMIC_SEQ_CST);
        for (int peer = 1; peer < ranks; peer++) MPI_Send(NULL, 0, MPI_BYTE, peer, 0, part);
    } else {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, part, MPI_STATUS_IGNORE);
    }
    test_turns(part, &count, session.rank, ranks);
    MPI_Win_free(&count.window);
    MPI_Comm_free(&part);
}

int PROGRAM(barriers)(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    for (int ranks = 1; ranks <= session.ranks; ranks++) test_first_ranks(ranks);
    counters_close();
    return session_finish("barriers");
}
