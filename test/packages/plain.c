/* SPDX-License-Identifier: BSD-3-Clause */
/* A program as users have them: it knows nothing of coll_topo but the name of a performance variable, with which it says
 * how many of its calls of MPI_Allreduce coll_topo ran. */
#include <mpi.h>
#include <stdio.h>

enum { CALLS = 10, ELEMENTS = 10000 };

/* 0 where there is no such variable, as without the component. */
static unsigned long long served_calls(MPI_T_pvar_session counters) {
    int index, count;
    MPI_T_pvar_handle handle;
    unsigned long long served = 0;
    if (MPI_T_pvar_get_index("coll_topo_allreduce_runs", MPI_T_PVAR_CLASS_COUNTER, &index) != MPI_SUCCESS) return 0;
    if (MPI_T_pvar_handle_alloc(counters, index, NULL, &handle, &count) != MPI_SUCCESS) return 0;
    MPI_T_pvar_read(counters, handle, &served);
    MPI_T_pvar_handle_free(counters, &handle);
    return served;
}

int main(int argc, char** argv) {
    static double summands[ELEMENTS], sums[ELEMENTS];
    int level, rank, ranks, wrong = 0;
    MPI_T_pvar_session counters;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_pvar_session_create(&counters);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < ELEMENTS; i++) summands[i] = rank + i;
    for (int call = 0; call < CALLS; call++) {
        MPI_Allreduce(summands, sums, ELEMENTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < ELEMENTS; i++) wrong += sums[i] != ranks * (ranks - 1) / 2 + (double)ranks * i;
    }
    unsigned long long served = served_calls(counters);
    if (rank == 0) printf("%d ranks, %d wrong, %llu of %d calls by coll_topo\n", ranks, wrong, served, CALLS);
    MPI_T_pvar_session_free(&counters);
    MPI_T_finalize();
    MPI_Finalize();
    return wrong != 0;
}
