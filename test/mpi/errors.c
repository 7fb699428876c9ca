/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bcast whose root has more than others take: these get MPI_ERR_TRUNCATE, as from Open MPI's own components, nobody
 * hangs, and the next bcast is as ever. For an algorithm in which all ranks receive from the root. The same of a
 * scatterv with a piece that is too long for its rank, and of a gatherv with one that is too long for the root, by any
 * algorithm: all other ranks get theirs.
 */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

enum { ELEMENTS = 25, ROUNDS = 3 };

static int broadcast(int* buffer, int count, int round) {
    for (int i = 0; i < count; i++) buffer[i] = session.rank == 0 ? round + i : -1;
    return MPI_Bcast(buffer, count, MPI_INT, 0, MPI_COMM_WORLD);
}

static void check_class(int error, bool too_long, const char* what) {
    int class = MPI_SUCCESS;
    if (error != MPI_SUCCESS) MPI_Error_class(error, &class);
    check(class == (too_long ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "%s: error class %d", what, class);
}

/* Rank 1 has twice the elements of others; `too_long`: where it, or the root, takes no more than those. */
static void exchange_parts(bool too_long) {
    int all[4 * ELEMENTS], own[2 * ELEMENTS + 1] = {0};
    const int given[3] = {ELEMENTS, 2 * ELEMENTS, ELEMENTS}, fewer[3] = {ELEMENTS, ELEMENTS, ELEMENTS};
    const int places[3] = {0, ELEMENTS, 3 * ELEMENTS}, *const taken = too_long ? fewer : given;
    const int rank = session.rank;
    for (int i = 0; i < 4 * ELEMENTS; i++) all[i] = i;
    own[taken[rank]] = -7;
    const int scattered = MPI_Scatterv(all, given, places, MPI_INT, own, taken[rank], MPI_INT, 0, MPI_COMM_WORLD);
    check_class(scattered, too_long && rank == 1, "scatterv");
    check(own[taken[rank]] == -7, "scatterv writes behind the receive buffer");
    for (int i = 0; scattered == MPI_SUCCESS && i < taken[rank]; i++)
        check(own[i] == places[rank] + i, "scatterv: element %d", i);

    for (int i = 0; i < 2 * ELEMENTS; i++) own[i] = 100 * rank + i;
    for (int i = 0; i < 4 * ELEMENTS; i++) all[i] = -7;
    const int gathered = MPI_Gatherv(own, given[rank], MPI_INT, all, taken, places, MPI_INT, 0, MPI_COMM_WORLD);
    check_class(gathered, too_long && rank == 0, "gatherv");
    for (int i = places[1] + taken[1]; rank == 0 && i < places[2]; i++)
        check(all[i] == -7, "gatherv writes behind a piece");
    for (int i = 0; rank == 0 && gathered == MPI_SUCCESS && i < given[1]; i++)
        check(all[places[1] + i] == 100 + i, "gatherv: element %d", i);
}

int main(int argc, char** argv) {
    int buffer[2 * ELEMENTS];
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < ROUNDS; round++) {
        int class = MPI_SUCCESS;
        const int error = broadcast(buffer, session.rank == 0 ? 2 * ELEMENTS : ELEMENTS, round);
        if (error != MPI_SUCCESS) MPI_Error_class(error, &class);
        check(class == (session.rank == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE), "round %d: error class %d", round, class);

        const struct counters before = counters_read();
        check(broadcast(buffer, ELEMENTS, round) == MPI_SUCCESS, "round %d: the bcast after it fails", round);
        for (int i = 0; i < ELEMENTS; i++) check(buffer[i] == round + i, "round %d: element %d", round, i);
        counters_check(&before, BCAST, 1, DUTY_COMPONENT, "after an error");
        exchange_parts(true);
        exchange_parts(false);
    }
    counters_close();
    return session_finish("errors");
}
