/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every predefined operation x every predefined type that has it x sizes x in place or not, in all collectives that
 * reduce, and every type in those that only move data. Results are compared with what each rank computes from the known
 * inputs of all ranks, exactly.
 */
#include "test/mpi/matrix_case.h"
#include "test/mpi/session.h"

#include <stdio.h>

/* A type of integers has 11 pairs: a sample must not always meet the same of them. */
enum { SIZES = 6, SAMPLED_PAIRS = 13, SIZE_FOR_ALL_ROOTS = 7 };

static const int sizes[SIZES] = {0, 1, 2, 7, 1000, 100003};

/* Roots take turns, but one small size is tested with all of them, for some pairs: each root is a choice of its own. */
static void test_size(const struct pair* pair, int number, int count, bool in_place) {
    const bool all_roots = count == SIZE_FOR_ALL_ROOTS && number % 8 == 0;
    struct size_case size = {.count = count,
                             .in_place = in_place,
                             .first_root = (number + count % 5) % session.ranks,
                             .roots = all_roots ? session.ranks : 1};
    snprintf(size.text, sizeof size.text, "%s %s, %d elements%s", pair->operation ? pair->operation->name : "gather",
             pair->element->name, count, in_place ? ", in place" : "");
    if (pair->operation)
        test_reductions(pair, &size);
    else
        test_data_movement(pair, &size);
}

/* A sample has one of the two usual sizes for each pair, in jobs of even and odd numbers of ranks not the same. */
static bool takes_size(int number, int s) {
    if (sizes[s] != 7 && sizes[s] != 1000) return (number + s) % 8 == 0;
    return session.scale != SCALE_SAMPLE || (number + s + session.ranks) % 2 == 0;
}

static void test_pair(const struct pair* pair, int number) {
    for (int s = 0; s < SIZES; s++) {
        if (session.scale == SCALE_FULL) {
            test_size(pair, number, sizes[s], false);
            test_size(pair, number, sizes[s], true);
        } else if (takes_size(number, s)) {
            test_size(pair, number, sizes[s], (number + s) % 2 == 0);
        }
    }
}

/* In a sample only one pair of several is tested, and every size with some of them. */
static void test_numbered_pair(struct pair* pair, int number) {
    if (session.scale == SCALE_SAMPLE) {
        if (number % SAMPLED_PAIRS != 0) return;
        number /= SAMPLED_PAIRS;
    }
    static const struct operation gathered = {"gather", MPI_SUM, 0};
    const struct operation* operation = pair->operation ? pair->operation : &gathered;
    for (int i = 0; i < PERIOD; i++) {
        /* What is gathered is the same vector for all. */
        const int contributor = pair->operation ? session.rank : 0;
        pair->input.values[i] = operation_input(operation, pair->element, contributor, session.ranks, i);
        pair->result.values[i] = operation_result(operation, pair->element, session.ranks, session.ranks, i);
        pair->through_own.values[i] = operation_result(operation, pair->element, session.rank + 1, session.ranks, i);
        pair->before.values[i] = operation_result(operation, pair->element, session.rank, session.ranks, i);
    }
    store_period(pair->element, &pair->input);
    store_period(pair->element, &pair->result);
    store_period(pair->element, &pair->through_own);
    store_period(pair->element, &pair->before);
    test_pair(pair, number);
}

int PROGRAM(collective_matrix)(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    if (session.ranks > MOST_RANKS) {
        fprintf(stderr, "at most %d ranks: sums of 8-bit integers would overflow\n", MOST_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    counters_open();

    int operation_count, element_count, number = 0;
    const struct operation* operation = operations(&operation_count);
    const struct element* element = elements(&element_count);
    static struct pair pair;
    for (int e = 0; e < element_count; e++) {
        for (int o = -1; o < operation_count; o++) {
            if (o >= 0 && !(operation[o].classes >> element[e].class & 1u)) continue;
            pair.operation = o >= 0 ? &operation[o] : NULL;
            pair.element = &element[e];
            test_numbered_pair(&pair, number++);
        }
    }

    counters_close();
    return session_finish("collective_matrix");
}
