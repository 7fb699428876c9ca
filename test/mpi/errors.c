/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bcast whose root has more than others take: these get MPI_ERR_TRUNCATE, as from Open MPI's own components, nobody
 * hangs, and the next bcast is as ever. For an algorithm in which all ranks receive from the root.
 */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

enum { ELEMENTS = 25, ROUNDS = 3 };

static int broadcast(int* buffer, int count, int round) {
    for (int i = 0; i < count; i++) buffer[i] = session.rank == 0 ? round + i : -1;
    return MPI_Bcast(buffer, count, MPI_INT, 0, MPI_COMM_WORLD);
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
    }
    counters_close();
    return session_finish("errors");
}
