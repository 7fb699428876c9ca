/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nonblocking and persistent calls to neighbours: many under way at once, finished in another order, with messages of
 * the program between them; requests that are started again and again, and freed without a start; all on the Cartesian
 * communicator of --info cart=4p,4p, and on a duplicate of it, which outlive what was made of them.
 */
#include "test/mpi/neighbor_calls.h"
#include "test/mpi/session.h"

enum { UNDER_WAY = 60, STARTS = 4 };

/* Sizes that differ, a few long ones among them. */
static int numbers_of(int index) {
    return index % 7 == 6 ? 20000 : index * 13 % 40;
}

/* Each rank waits for them in an order of its own. */
static void test_many(const struct cartesian* cartesian, MPI_Comm other) {
    static struct neighbor_call calls[UNDER_WAY];
    MPI_Request requests[UNDER_WAY];
    for (int i = 0; i < UNDER_WAY; i++) {
        neighbor_call_new(&calls[i], neighbor_kinds[i % NEIGHBOR_KINDS], cartesian, numbers_of(i), i);
        neighbor_call_start(&calls[i], i % 3 == 2 ? other : cartesian->communicator, &requests[i]);
        if (i % 11 == 5) MPI_Barrier(i % 2 == 0 ? other : cartesian->communicator);
    }
    for (int left = UNDER_WAY; left > 0; left--) {
        int index;
        if (left % 2 == 0) {
            MPI_Waitany(UNDER_WAY, requests, &index, MPI_STATUS_IGNORE);
        } else {
            index = (int)(mix((uint64_t)cartesian->rank, (uint64_t)left) % UNDER_WAY);
            while (requests[index] == MPI_REQUEST_NULL) index = (index + 1) % UNDER_WAY;
            MPI_Wait(&requests[index], MPI_STATUS_IGNORE);
        }
        neighbor_call_check(&calls[index], "under way with others");
    }
    for (int i = 0; i < UNDER_WAY; i++) neighbor_call_free(&calls[i]);
}

static void test_persistent(const struct cartesian* cartesian, MPI_Comm other) {
    enum { MADE = 4 * NEIGHBOR_KINDS };
    static struct neighbor_call calls[MADE];
    MPI_Request requests[MADE];
    for (int i = 0; i < MADE; i++) {
        neighbor_call_new(&calls[i], neighbor_kinds[i % NEIGHBOR_KINDS], cartesian, numbers_of(i), i);
        neighbor_call_make(&calls[i], i % 2 == 0 ? other : cartesian->communicator, &requests[i]);
    }
    for (int time = 0; time < STARTS; time++) {
        for (int i = 0; i < MADE; i++) neighbor_call_clear(&calls[i]);
        /* The last ones are never started. */
        MPI_Startall(MADE - NEIGHBOR_KINDS, requests);
        MPI_Waitall(MADE - NEIGHBOR_KINDS, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < MADE - NEIGHBOR_KINDS; i++) neighbor_call_check(&calls[i], "started");
    }
    for (int i = 0; i < MADE; i++) {
        MPI_Request_free(&requests[i]);
        neighbor_call_free(&calls[i]);
    }
}

int main(int argc, char** argv) {
    struct box box;
    struct cartesian cartesian;
    MPI_Comm other;
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    forms_new();
    if (check(box_described(session.info, &box) && cartesian_new(&cartesian, box.dimensions, box.sizes, box.periods),
              "all ranks are in the communicator")) {
        MPI_Comm_dup(cartesian.communicator, &other);
        test_many(&cartesian, other);
        test_persistent(&cartesian, other);
        MPI_Comm_free(&other);
        cartesian_free(&cartesian);
    }
    forms_free();
    counters_close();
    return session_finish("neighbor_requests");
}
