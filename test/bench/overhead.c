/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the component costs where the network does not matter: an allreduce of 8 bytes, and making communicators.
 * The same job has communicators with and without the component, and the two take turns.
 */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 41, CALLS = 2000, DUPLICATES = 100 };

/* Index of what is compared. */
enum { WITH, WITHOUT, SIDES };

static MPI_Info side_info[SIDES];
static MPI_Comm side_communicator[SIDES];

static void sides_new(void) {
    for (int side = 0; side < SIDES; side++) {
        MPI_Info_create(&side_info[side]);
        /* Open MPI leaves out components for a communicator made with this key. */
        if (side == WITHOUT) MPI_Info_set(side_info[side], "ompi_comm_coll_preference", "^topo");
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, side_info[side], &side_communicator[side]);
    }
}

static void sides_free(void) {
    for (int side = 0; side < SIDES; side++) {
        MPI_Comm_free(&side_communicator[side]);
        MPI_Info_free(&side_info[side]);
    }
}

/* Seconds of one call. */
static double time_allreduce(int side) {
    double value = session.rank, sum;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < CALLS; i++) MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, side_communicator[side]);
    return (MPI_Wtime() - begin) / CALLS;
}

static double time_duplicates(int side) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < DUPLICATES; i++) {
        MPI_Comm communicator;
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, side_info[side], &communicator);
        MPI_Comm_free(&communicator);
    }
    return (MPI_Wtime() - begin) / DUPLICATES;
}

/* A new communicator is planned for in its first collective. */
static double time_first_calls(int side) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < DUPLICATES; i++) {
        MPI_Comm communicator;
        double value = session.rank, sum;
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, side_info[side], &communicator);
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator);
        MPI_Comm_free(&communicator);
    }
    return (MPI_Wtime() - begin) / DUPLICATES;
}

static int ascending(const void* left, const void* right) {
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

static void compare(const char* title, double (*measure)(int side)) {
    static double seconds[SIDES][ROUNDS];
    for (int side = 0; side < SIDES; side++) measure(side); /* warms up */
    for (int round = 0; round < ROUNDS; round++)
        for (int side = 0; side < SIDES; side++) seconds[side][round] = measure(side);
    for (int side = 0; side < SIDES; side++) qsort(seconds[side], ROUNDS, sizeof(double), ascending);
    if (session.rank != 0) return;
    const double with = seconds[WITH][ROUNDS / 2], without = seconds[WITHOUT][ROUNDS / 2];
    printf("%-38s %2d ranks: %8.2f us with coll_topo, %8.2f us without, ratio %.3f (minima %.2f, %.2f)\n", title,
           session.ranks, with * 1e6, without * 1e6, with / without, seconds[WITH][0] * 1e6, seconds[WITHOUT][0] * 1e6);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    sides_new();
    const struct counters before = counters_read();
    compare("allreduce of 8 bytes", time_allreduce);
    counters_check(&before, ALLREDUCE, (unsigned long long)(ROUNDS + 1) * CALLS, DUTY_COMPONENT,
                   "on the communicator with the component only");
    compare("MPI_Comm_dup and free", time_duplicates);
    compare("MPI_Comm_dup, first allreduce and free", time_first_calls);
    sides_free();
    counters_close();
    return session_finish("overhead");
}
