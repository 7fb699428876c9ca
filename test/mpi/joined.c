/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives among processes that meet otherwise than by MPI_Init and MPI_Comm_spawn: two groups at a port, and, from
 * MPI 4 on, those of a session that need no world. --component mixed: it is not asked who serves the latter. */
#include "test/mpi/all_collectives.h"
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <string.h>

static void test_and_free(MPI_Comm communicator, const char* what) {
    for (int salt = 0; salt < 3; salt++) all_collectives_counted(communicator, 1 + 100 * salt, salt, what);
    MPI_Comm_free(&communicator);
}

/* The first half of the ranks accepts the second. */
static void test_port(void) {
    const bool accepts = session.rank < session.ranks / 2;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm half, between, merged;
    if (session.rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
    for (int peer = 1; session.rank == 0 && peer < session.ranks; peer++)
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
    if (session.rank != 0) MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, accepts, session.rank, &half);
    if (accepts)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &between);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &between);
    MPI_Intercomm_merge(between, !accepts, &merged);
    test_and_free(merged, "of two groups that met at a port");
    MPI_Comm_disconnect(&between);
    if (session.rank == 0) MPI_Close_port(port);
    test_and_free(half, "of one of the groups");
}

#if MPI_VERSION >= 4
static void test_session(const char* set, const char* what) {
    MPI_Session own;
    MPI_Group group;
    MPI_Comm communicator;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &own);
    MPI_Group_from_session_pset(own, set, &group);
    MPI_Comm_create_from_group(group, "org.example.coll_topo", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &communicator);
    MPI_Group_free(&group);
    test_and_free(communicator, what);
    MPI_Session_finalize(&own);
}
#endif

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    test_port();
#if MPI_VERSION >= 4
    for (int time = 0; time < 3; time++) test_session("mpi://WORLD", "of a session's world");
    test_session("mpi://SELF", "of a session's process itself");
#endif
    counters_close();
    return session_finish("joined");
}
