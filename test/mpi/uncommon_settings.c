/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators for which one rank, or all but one, have settings of their own: the info key coll_topo_reproducible, or
 * a parameter that a tool set after MPI_Init. All ranks must step aside, with right results; where all ranks have the
 * same settings, the component serves. Before this, the time that MPI_Init and the first collective take: no rank may
 * wait for another to say that it has no part in this.
 */
#include "test/mpi/all_collectives.h"
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { VALUES = 100, WAYS = 2, MODES = 3, GROUPS = 5 };
static const char* const modes[MODES] = {"fixed_order", "fixed_point", "exact"};
static const char* const ways[WAYS] = {"MPI_Comm_dup_with_info", "MPI_Comm_set_info"};
static const char* const groups[GROUPS] = {"the last rank", "the first rank", "a rank in the middle",
                                           "all but one rank", "all ranks"};
enum { ALL_RANKS = GROUPS - 1 };

static bool belongs(int group) {
    const int rank = session.rank, ranks = session.ranks;
    const bool belonging[GROUPS] = {rank == ranks - 1, rank == 0, rank == ranks / 2, rank != 1, true};
    return belonging[group];
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds that this thread has run, or wanted to: on a busy machine it waits for a processor. */
static double busy(void) {
    unsigned long long ran = 0, wanted = 0;
    FILE* file = fopen("/proc/thread-self/schedstat", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%llu %llu", &ran, &wanted) != 2) ran = wanted = 0;
    fclose(file);
    return 1e-9 * (double)(ran + wanted);
}

struct moment {
    double time, busy;
};

static struct moment now(void) {
    return (struct moment){seconds(), busy()};
}

/* A record that does not exist is waited for for 2 s by Open MPI 4.1, if it is; for 5 s, once, with 5.0. */
static void check_time(struct moment begin, const char* what) {
    const char* factor = getenv("TEST_TIME_FACTOR");
    const double once = OMPI_MAJOR_VERSION == 4 ? 1.8 : 6.8;
    const struct moment end = now();
    const double elapsed = end.time - begin.time, idle = elapsed - (end.busy - begin.busy);
    check(idle < (factor != NULL ? once * atof(factor) : once), "%s waited for %.1f of %.1f s", what, idle, elapsed);
    if (session.rank == session.ranks - 1) printf("%s: %.0f ms, idle %.0f ms\n", what, 1e3 * elapsed, 1e3 * idle);
}

/* Sums without rounding, so that they are the same in any mode. */
static void check_sums(MPI_Comm communicator, const char* what) {
    double values[VALUES], sums[VALUES];
    for (int i = 0; i < VALUES; i++) values[i] = session.rank + i;
    for (int reduce = 0; reduce < 2; reduce++) {
        if (reduce)
            MPI_Reduce(values, sums, VALUES, MPI_DOUBLE, MPI_SUM, 0, communicator);
        else
            MPI_Allreduce(values, sums, VALUES, MPI_DOUBLE, MPI_SUM, communicator);
        int i = 0;
        const int ranks = session.ranks;
        while (i < VALUES && sums[i] == ranks * (ranks - 1) / 2 + (double)ranks * i) i++;
        check(i == VALUES || (reduce && session.rank != 0), "%s, %s: element %d is wrong", what,
              reduce ? "reduce" : "allreduce", i);
    }
}

static void test(MPI_Comm communicator, bool common, const char* what) {
    const bool served = common && session.expectation != EXPECT_ASIDE;
    const struct counters before = counters_read();
    check_sums(communicator, what);
    all_collectives(communicator, 3, 1, what);
    const struct counters after = counters_read();
    for (int i = 0; i < COLLECTIVES; i++)
        check(after.runs[i] == before.runs[i] || served, "%s: the component counts %llu runs of %s", what,
              after.runs[i] - before.runs[i], collective_names[i]);
    check(after.runs[ALLREDUCE] > before.runs[ALLREDUCE] || !served, "%s: the component did not serve", what);
}

static MPI_Comm with_info_key(const char* mode, int way, bool given) {
    MPI_Comm communicator;
    MPI_Info info;
    MPI_Info_create(&info);
    if (given) MPI_Info_set(info, "coll_topo_reproducible", mode);
    if (way == 0) {
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &communicator);
    } else {
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        MPI_Comm_set_info(communicator, info);
    }
    MPI_Info_free(&info);
    return communicator;
}

static void test_info_key(const char* mode, int way, int group) {
    char what[128];
    snprintf(what, sizeof what, "%s by %s on %s", mode, ways[way], groups[group]);
    MPI_Comm communicator = with_info_key(mode, way, belongs(group));
    test(communicator, group == ALL_RANKS, what);
    MPI_Comm_free(&communicator);
}

/* The value before; -1 if there is no such parameter. */
static int set_parameter(const char* name, int value) {
    int index, count, before = -1;
    MPI_T_cvar_handle handle;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return -1;
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    MPI_T_cvar_read(handle, &before);
    MPI_T_cvar_write(handle, &value);
    MPI_T_cvar_handle_free(&handle);
    return before;
}

static void test_parameter(const char* name, int value, bool serving, int group) {
    char what[128];
    snprintf(what, sizeof what, "%s=%d on %s", name, value, groups[group]);
    const int before = belongs(group) ? set_parameter(name, value) : 0;
    MPI_Comm communicator;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    test(communicator, serving && group == ALL_RANKS, what);
    MPI_Comm_free(&communicator);
    if (belongs(group)) set_parameter(name, before);
}

int main(int argc, char** argv) {
    int provided;
    const struct moment begin = now();
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    check_time(begin, "MPI_Init");
    const struct moment started = now();
    MPI_Barrier(MPI_COMM_WORLD);
    check_time(started, "the first collective");

    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    counters_open();
    for (int mode = 0; mode < MODES; mode++)
        for (int way = 0; way < WAYS; way++)
            for (int group = 0; group < GROUPS; group++) test_info_key(modes[mode], way, group);
    for (int group = 0; group < GROUPS; group++) {
        test_parameter("coll_topo_priority", -1, false, group);
        test_parameter("coll_topo_priority", 1, true, ALL_RANKS);
        test_parameter("coll_topo_allreduce_algorithm", 0, true, group);
        test_parameter("coll_topo_lanes", 2, true, group);
        test_parameter("coll_topo_segments", 3, true, group);
    }
    test(MPI_COMM_WORLD, true, "all ranks as at the start");
    counters_close();
    MPI_T_finalize();
    return session_finish("uncommon_settings");
}
