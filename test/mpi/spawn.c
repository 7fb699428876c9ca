/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives among processes that are started and end while the job runs: in their own world and merged with those
 * that started them. */
#include "test/mpi/all_collectives.h"
#include "test/mpi/session.h"

enum { TIMES = 5, CHILDREN = 3 };

/* The same on both sides. */
static void test_merged(MPI_Comm between, bool child) {
    MPI_Comm merged;
    MPI_Intercomm_merge(between, child, &merged);
    for (int salt = 0; salt < 3; salt++) all_collectives(merged, 1 + 100 * salt, salt, "with spawned processes");
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&between);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    all_collectives(MPI_COMM_WORLD, 33, 1, parent == MPI_COMM_NULL ? "before a spawn" : "among spawned processes");
    if (parent != MPI_COMM_NULL) {
        test_merged(parent, true);
        return session_finish("spawn");
    }
    for (int i = 0; i < TIMES; i++) {
        MPI_Comm children;
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        test_merged(children, false);
        all_collectives(MPI_COMM_WORLD, 33, i, "after a spawn");
    }
    return session_finish("spawn");
}
