/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Allreduce for a given time: operations, types, sizes and buffers are drawn, every result is compared with what
 * each rank computes from the known inputs of all, and every call must have been run by the component.
 *
 *   allreduce_soak --seconds N [--seed N]
 */
#include "test/mpi/matrix_case.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_PER_PAIR = 100, LONGEST = 300007, DOUBLINGS = 19, LONGEST_PAIR = 10 };

static struct {
    uint64_t seed;
    double seconds;
} options = {1, 10};

/* The same on all ranks, below `limit`. */
static int draw(long call, int n, int limit) {
    return (int)(mix(options.seed * 1000 + (uint64_t)n, (uint64_t)call) % (uint64_t)limit);
}

/* An operation and a type that has it. */
static void draw_pair(long call, struct pair* pair) {
    int operation_count, element_count;
    const struct operation* all_operations = operations(&operation_count);
    const struct element* all_elements = elements(&element_count);
    for (int attempt = 0;; attempt++) {
        pair->operation = &all_operations[draw(call, 2 * attempt, operation_count)];
        pair->element = &all_elements[draw(call, 2 * attempt + 1, element_count)];
        if (pair->operation->classes >> pair->element->class & 1u) break;
    }
    for (int i = 0; i < PERIOD; i++) {
        pair->input.values[i] = operation_input(pair->operation, pair->element, session.rank, session.ranks, i);
        pair->result.values[i] = operation_result(pair->operation, pair->element, session.ranks, session.ranks, i);
    }
    store_period(pair->element, &pair->input);
    store_period(pair->element, &pair->result);
}

/* Every order of magnitude is as likely as another. */
static int draw_count(long call) {
    const int most = 1 << draw(call, 100, DOUBLINGS);
    const int count = 1 + draw(call, 101, 2 * most);
    return count < LONGEST ? count : LONGEST;
}

static void run_call(const struct pair* pair, long call) {
    struct size_case size = {.count = draw_count(call), .in_place = draw(call, 102, 2) == 0};
    snprintf(size.text, sizeof size.text, "call %ld, %s %s, %d elements%s", call, pair->operation->name,
             pair->element->name, size.count, size.in_place ? ", in place" : "");
    test_allreduce(pair, &size);
}

/* Takes its own options out of the arguments; the session knows the others. */
static void read_own_options(int* argc, char** argv) {
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        const char* value = i + 1 < *argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--seconds") == 0)
            options.seconds = atof(value), i++;
        else if (strcmp(argv[i], "--seed") == 0)
            options.seed = strtoull(value, NULL, 0), i++;
        else
            argv[kept++] = argv[i];
    }
    *argc = kept;
}

int main(int argc, char** argv) {
    read_own_options(&argc, argv);
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();

    /* Whoever stops the job for a while does not shorten it: what took longer than LONGEST_PAIR counts as that. Rank
     * 0's clock is that of all. */
    static struct pair pair;
    double soaked = 0, before = MPI_Wtime();
    long call = 0;
    while (soaked < options.seconds) {
        draw_pair(call, &pair);
        for (int i = 0; i < CALLS_PER_PAIR; i++) run_call(&pair, call++);
        const double now = MPI_Wtime();
        soaked += now - before < LONGEST_PAIR ? now - before : LONGEST_PAIR;
        before = now;
        MPI_Bcast(&soaked, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (session.rank == 0)
        printf("allreduce_soak, seed %llu: %ld calls in %.0f s\n", (unsigned long long)options.seed, call, soaked);
    counters_close();
    return session_finish("allreduce_soak");
}
