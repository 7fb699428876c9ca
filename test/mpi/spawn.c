/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives among processes that are started and end while the job runs: in their own world and merged with those
 * that started them. */
#include "test/mpi/all_collectives.h"
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>

/* prterun of Open MPI 5.0.7 often ends with the job in a second spawn, also without the component. */
enum { TIMES = OMPI_MAJOR_VERSION == 4 ? 5 : 1, CHILDREN = 3 };

/* The same on both sides. */
static void test_merged(MPI_Comm between, bool child) {
    MPI_Comm merged;
    MPI_Intercomm_merge(between, child, &merged);
    for (int salt = 0; salt < 3; salt++)
        all_collectives_counted(merged, 1 + 100 * salt, salt, "with spawned processes");
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&between);
}

/* Started with the same options and component: mpirun of Open MPI 5.0 gives spawned processes a path of its own. */
static void spawn(char** argv, MPI_Comm* children) {
    enum { WORDS = 16 };
    const char* const variable = "OMPI_MCA_mca_base_component_path";
    const char* const path = getenv(variable);
    char setting[4096];
    char* words[WORDS] = {setting};
    snprintf(setting, sizeof setting, "%s=%s", variable, path != NULL ? path : "");
    for (int i = 0; argv[i] != NULL && i + 2 < WORDS; i++) words[i + 1] = argv[i];
    MPI_Comm_spawn(path != NULL ? "env" : argv[0], path != NULL ? words : words + 2, CHILDREN, MPI_INFO_NULL, 0,
                   MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    all_collectives(MPI_COMM_WORLD, 33, 1, parent == MPI_COMM_NULL ? "before a spawn" : "among spawned processes");
    if (parent != MPI_COMM_NULL) {
        test_merged(parent, true);
        counters_close();
        return session_finish("spawn");
    }
    for (int i = 0; i < TIMES; i++) {
        MPI_Comm children;
        spawn(argv, &children);
        test_merged(children, false);
        all_collectives(MPI_COMM_WORLD, 33, i, "after a spawn");
    }
    counters_close();
    return session_finish("spawn");
}
