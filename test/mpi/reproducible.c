/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of floating-point data that depend on the order of the operands. In allreduce all ranks must end with the same
 * bits, and in allreduce and reduce call after call. Prints hashes of the results, which must be the same from run to
 * run.
 */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 6, CALLS = 3 };
static const int sizes[SIZES] = {1, 3, 17, 256, 5000, 100003};

static uint64_t hash_bytes(const void* data, size_t size, uint64_t hash) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* Magnitudes from 2^-30 to 2^30, both signs: rounding differs in almost every order. */
static double random_number(int rank, int i) {
    const uint64_t hash = mix((uint64_t)rank + 17, (uint64_t)i);
    return ldexp((double)(int64_t)hash, -63 + (int)(hash % 61) - 30);
}

/* Compares with rank 0, without a collective. */
static void check_same_on_all_ranks(uint64_t hash, const char* text) {
    uint64_t first = hash;
    if (session.rank == 0)
        for (int peer = 1; peer < session.ranks; peer++) MPI_Send(&hash, 1, MPI_UINT64_T, peer, 3, MPI_COMM_WORLD);
    else
        MPI_Recv(&first, 1, MPI_UINT64_T, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(first == hash, "allreduce %s: the bits differ from those of rank 0", text);
}

/* What is summed, and where to. */
struct vectors {
    const char* name;
    MPI_Datatype type;
    size_t size; /* of an element */
    void *input, *output;
};

/* The hash of the result: of allreduce the same on all ranks; of reduce 0 but at the root. */
static uint64_t test(const struct vectors* vectors, int count, enum collective collective) {
    const int root = count % session.ranks;
    const bool has_result = collective == ALLREDUCE || session.rank == root;
    char text[80];
    uint64_t hash = 0;
    snprintf(text, sizeof text, "of %d random %s", count, vectors->name);
    for (int call = 0; call < CALLS; call++) {
        const struct counters before = counters_read();
        if (collective == ALLREDUCE)
            MPI_Allreduce(vectors->input, vectors->output, count, vectors->type, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Reduce(vectors->input, vectors->output, count, vectors->type, MPI_SUM, root, MPI_COMM_WORLD);
        counters_check(&before, collective, 1, session.ranks > 1 ? DUTY_COMPONENT : DUTY_NOBODY, text);
        const uint64_t again =
            has_result ? hash_bytes(vectors->output, (size_t)count * vectors->size, 0xcbf29ce484222325u) : 0;
        check(call == 0 || again == hash, "%s %s: call %d gives other bits than the first",
              collective_names[collective], text, call + 1);
        hash = again;
        if (collective == ALLREDUCE) check_same_on_all_ranks(hash, text);
    }
    return hash;
}

/* Adds up, at rank 0, what the ranks know of the hash of a result. */
static uint64_t collect(uint64_t hash) {
    uint64_t theirs;
    if (session.rank != 0) {
        MPI_Send(&hash, 1, MPI_UINT64_T, 0, 4, MPI_COMM_WORLD);
        return hash;
    }
    for (int peer = 1; peer < session.ranks; peer++) {
        MPI_Recv(&theirs, 1, MPI_UINT64_T, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        hash += theirs;
    }
    return hash;
}

static void print_hash(uint64_t hash, enum collective collective, int count, const char* name) {
    if (session.rank == 0)
        printf("hash of %s of %d %s: %016llx\n", collective_names[collective], count, name, (unsigned long long)hash);
}

int PROGRAM(reproducible)(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    const size_t most = (size_t)sizes[SIZES - 1];
    double *doubles = calloc(most, sizeof *doubles), *double_sums = calloc(most, sizeof *double_sums);
    float *floats = calloc(most, sizeof *floats), *float_sums = calloc(most, sizeof *float_sums);
    for (size_t i = 0; i < most; i++) floats[i] = (float)(doubles[i] = random_number(session.rank, (int)i));

    const struct vectors kinds[] = {{"doubles", MPI_DOUBLE, sizeof *doubles, doubles, double_sums},
                                    {"floats", MPI_FLOAT, sizeof *floats, floats, float_sums}};
    for (int s = 0; s < SIZES; s++)
        for (int kind = 0; kind < 2; kind++) {
            print_hash(test(&kinds[kind], sizes[s], ALLREDUCE), ALLREDUCE, sizes[s], kinds[kind].name);
            print_hash(collect(test(&kinds[kind], sizes[s], REDUCE)), REDUCE, sizes[s], kinds[kind].name);
        }
    free(doubles);
    free(double_sums);
    free(floats);
    free(float_sums);
    counters_close();
    return session_finish("reproducible");
}
