/* SPDX-License-Identifier: BSD-3-Clause */
/* A program as users have them. It knows nothing of coll_topo but the name of a performance variable, with which it
 * says how many of its calls of MPI_Allreduce coll_topo ran. */
#include <mpi.h>
#include <stdio.h>

enum { CALLS = 10, ELEMENTS = 10000 };

static MPI_T_pvar_session counters;
static MPI_T_pvar_handle counter = MPI_T_PVAR_HANDLE_NULL;

/* Counts from now on. There is no such variable without the component. */
static void open_counter(void) {
    int level, index, count;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_pvar_session_create(&counters);
    if (MPI_T_pvar_get_index("coll_topo_allreduce_runs", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS)
        MPI_T_pvar_handle_alloc(counters, index, NULL, &counter, &count);
}

static unsigned long long close_counter(void) {
    unsigned long long served = 0;
    if (counter != MPI_T_PVAR_HANDLE_NULL) {
        MPI_T_pvar_read(counters, counter, &served);
        MPI_T_pvar_handle_free(counters, &counter);
    }
    MPI_T_pvar_session_free(&counters);
    MPI_T_finalize();
    return served;
}

int main(int argc, char** argv) {
    static double summands[ELEMENTS], sums[ELEMENTS];
    int rank, ranks, wrong = 0;
    MPI_Init(&argc, &argv);
    open_counter();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < ELEMENTS; i++) summands[i] = rank + i;
    for (int call = 0; call < CALLS; call++) {
        MPI_Allreduce(summands, sums, ELEMENTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < ELEMENTS; i++) wrong += sums[i] != ranks * (ranks - 1) / 2 + (double)ranks * i;
    }
    unsigned long long served = close_counter();
    if (rank == 0) printf("%d ranks, %d wrong, %llu of %d calls by coll_topo\n", ranks, wrong, served, CALLS);
    MPI_Finalize();
    return wrong != 0;
}
