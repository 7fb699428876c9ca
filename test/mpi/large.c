/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts near INT_MAX, and vectors longer than INT_MAX elements where MPI lets pieces add up to them, in the
 * collectives that the component serves. For 2 ranks; needs about 11 GiB. --bytes N runs the same with smaller data.
 */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Cheap to compute for billions of positions; its period is no power of two. */
static unsigned char byte_at(int rank, size_t i) {
    return (unsigned char)((i % 251 + 1) * (size_t)(3 + 2 * rank));
}

static unsigned char combined(size_t i) {
    unsigned char result = 0;
    for (int rank = 0; rank < session.ranks; rank++) result ^= byte_at(rank, i);
    return result;
}

static unsigned char* memory(size_t size) {
    unsigned char* bytes = malloc(size);
    if (bytes == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return bytes;
}

static unsigned char* input(size_t size) {
    unsigned char* bytes = memory(size);
    for (size_t i = 0; i < size; i++) bytes[i] = byte_at(session.rank, i);
    return bytes;
}

static void check_combined(const unsigned char* bytes, size_t first, size_t size, const char* what) {
    size_t i = 0;
    while (i < size && bytes[i] == combined(first + i)) i++;
    check(i == size, "%s: byte %zu of %zu is wrong", what, i, size);
}

static void test_allreduce(size_t size) {
    unsigned char* bytes = input(size);
    const struct counters before = counters_read();
    MPI_Allreduce(MPI_IN_PLACE, bytes, (int)size, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
    counters_check(&before, ALLREDUCE, 1, DUTY_COMPONENT, "of large data in place");
    check_combined(bytes, 0, size, "allreduce in place");
    free(bytes);
}

static void test_reduce_scatter_block(size_t piece) {
    unsigned char *bytes = input(piece * (size_t)session.ranks), *output = memory(piece);
    const struct counters before = counters_read();
    MPI_Reduce_scatter_block(bytes, output, (int)piece, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
    counters_check(&before, REDUCE_SCATTER_BLOCK, 1, DUTY_COMPONENT, "of large data");
    check_combined(output, piece * (size_t)session.rank, piece, "reduce_scatter_block");
    free(bytes);
    free(output);
}

static void test_reduce_scatter(size_t whole) {
    int pieces[2] = {(int)(whole / 3), (int)(whole - whole / 3)};
    unsigned char* bytes = input(whole);
    const struct counters before = counters_read();
    MPI_Reduce_scatter(MPI_IN_PLACE, bytes, pieces, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
    counters_check(&before, REDUCE_SCATTER, 1, DUTY_COMPONENT, "of large data in place");
    check_combined(bytes, session.rank == 0 ? 0 : (size_t)pieces[0], (size_t)pieces[session.rank],
                   "reduce_scatter in place");
    free(bytes);
}

static void test_allgather(size_t piece) {
    const size_t whole = piece * (size_t)session.ranks;
    unsigned char *bytes = memory(whole), *own = input(piece);
    const struct counters before = counters_read();
    MPI_Allgather(own, (int)piece, MPI_BYTE, bytes, (int)piece, MPI_BYTE, MPI_COMM_WORLD);
    counters_check(&before, ALLGATHER, 1, DUTY_COMPONENT, "of large data");
    size_t i = 0;
    while (i < whole && bytes[i] == byte_at((int)(i / piece), i % piece)) i++;
    check(i == whole, "allgather: byte %zu of %zu is wrong", i, whole);
    free(bytes);
    free(own);
}

/* Of both ranks together more than INT_MAX. */
static void test_allgatherv(size_t least) {
    const int counts[2] = {(int)least, (int)least + 7}, places[2] = {0, (int)least};
    const size_t whole = 2 * least + 7;
    unsigned char *bytes = memory(whole), *own = input((size_t)counts[session.rank]);
    const struct counters before = counters_read();
    MPI_Allgatherv(own, counts[session.rank], MPI_BYTE, bytes, counts, places, MPI_BYTE, MPI_COMM_WORLD);
    counters_check(&before, ALLGATHERV, 1, DUTY_COMPONENT, "of large data");
    size_t i = 0;
    while (i < whole && bytes[i] == (i < least ? byte_at(0, i) : byte_at(1, i - least))) i++;
    check(i == whole, "allgatherv: byte %zu of %zu is wrong", i, whole);
    free(bytes);
    free(own);
}

static void test_bcast(size_t size) {
    const int root = 1;
    unsigned char* bytes = session.rank == root ? input(size) : memory(size);
    const struct counters before = counters_read();
    MPI_Bcast(bytes, (int)size, MPI_BYTE, root, MPI_COMM_WORLD);
    counters_check(&before, BCAST, 1, DUTY_COMPONENT, "of large data");
    size_t i = 0;
    while (i < size && bytes[i] == byte_at(root, i)) i++;
    check(i == size, "bcast: byte %zu of %zu is wrong", i, size);
    free(bytes);
}

/* Of both ranks together more than INT_MAX, as in a scatter. */
static void test_gather(size_t piece) {
    const int root = 1;
    const bool is_root = session.rank == root;
    const size_t whole = is_root ? piece * (size_t)session.ranks : 0;
    unsigned char *bytes = memory(whole), *own = input(piece);
    const struct counters before = counters_read();
    MPI_Gather(own, (int)piece, MPI_BYTE, bytes, (int)piece, MPI_BYTE, root, MPI_COMM_WORLD);
    counters_check(&before, GATHER, 1, DUTY_COMPONENT, "of large data");
    size_t i = 0;
    while (i < whole && bytes[i] == byte_at((int)(i / piece), i % piece)) i++;
    check(i == whole, "gather: byte %zu of %zu is wrong", i, whole);
    free(bytes);
    free(own);
}

static void test_scatter(size_t piece) {
    const int root = 1;
    const size_t whole = session.rank == root ? piece * (size_t)session.ranks : 0, own = piece * (size_t)session.rank;
    unsigned char *bytes = input(whole), *output = memory(piece);
    const struct counters before = counters_read();
    MPI_Scatter(bytes, (int)piece, MPI_BYTE, output, (int)piece, MPI_BYTE, root, MPI_COMM_WORLD);
    counters_check(&before, SCATTER, 1, DUTY_COMPONENT, "of large data");
    size_t i = 0;
    while (i < piece && output[i] == byte_at(root, own + i)) i++;
    check(i == piece, "scatter: byte %zu of %zu is wrong", i, piece);
    free(bytes);
    free(output);
}

static void test_reduce(size_t size) {
    const int root = 1;
    const bool is_root = session.rank == root;
    unsigned char* bytes = input(size);
    const struct counters before = counters_read();
    MPI_Reduce(is_root ? MPI_IN_PLACE : bytes, is_root ? bytes : NULL, (int)size, MPI_BYTE, MPI_BXOR, root,
               MPI_COMM_WORLD);
    counters_check(&before, REDUCE, 1, DUTY_COMPONENT, "of large data in place");
    if (is_root) check_combined(bytes, 0, size, "reduce in place");
    free(bytes);
}

static void test_scan(size_t size) {
    unsigned char* bytes = input(size);
    struct counters before = counters_read();
    MPI_Scan(MPI_IN_PLACE, bytes, (int)size, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
    counters_check(&before, SCAN, 1, DUTY_COMPONENT, "of large data in place");
    size_t i = 0;
    while (i < size && bytes[i] == (session.rank == 0 ? byte_at(0, i) : combined(i))) i++;
    check(i == size, "scan in place: byte %zu of %zu is wrong", i, size);

    before = counters_read();
    MPI_Exscan(MPI_IN_PLACE, bytes, (int)size, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
    counters_check(&before, EXSCAN, 1, DUTY_COMPONENT, "of large data in place");
    for (i = 0; i < size && bytes[i] == byte_at(0, i);) i++;
    check(i == size, "exscan in place: byte %zu of %zu is wrong", i, size);
    free(bytes);
}

static void test_alltoall(size_t piece) {
    const size_t whole = piece * (size_t)session.ranks, own = piece * (size_t)session.rank;
    unsigned char *bytes = input(whole), *output = memory(whole);
    const struct counters before = counters_read();
    MPI_Alltoall(bytes, (int)piece, MPI_BYTE, output, (int)piece, MPI_BYTE, MPI_COMM_WORLD);
    counters_check(&before, ALLTOALL, 1, DUTY_COMPONENT, "of large data");
    size_t i = 0;
    while (i < whole && output[i] == byte_at((int)(i / piece), own + i % piece)) i++;
    check(i == whole, "alltoall: byte %zu of %zu is wrong", i, whole);
    free(bytes);
    free(output);
}

/* In place, so that a piece is copied. Two pieces are together longer than INT_MAX. */
static void test_alltoallw(size_t piece) {
    const size_t whole = piece * (size_t)session.ranks, own = piece * (size_t)session.rank;
    const int counts[2] = {(int)piece, (int)piece}, displacements[2] = {0, (int)piece};
    const MPI_Datatype types[2] = {MPI_BYTE, MPI_BYTE};
    unsigned char* bytes = input(whole);
    const struct counters before = counters_read();
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, bytes, counts, displacements, types, MPI_COMM_WORLD);
    counters_check(&before, ALLTOALLW, 1, DUTY_COMPONENT, "of large data in place");
    size_t i = 0;
    while (i < whole && bytes[i] == byte_at((int)(i / piece), own + i % piece)) i++;
    check(i == whole, "alltoallw in place: byte %zu of %zu is wrong", i, whole);
    free(bytes);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    if (session.ranks != 2) {
        fprintf(stderr, "this test is for 2 ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    counters_open();
    const size_t most = session.bytes ? session.bytes : (size_t)INT_MAX;
    test_allreduce(most);
    test_reduce_scatter(most);
    test_reduce_scatter_block(most / 5 * 3); /* the whole vector is longer than INT_MAX */
    test_allgather(most / 5 * 3);
    test_allgatherv(most / 5 * 3);
    test_bcast(most);
    test_reduce(most);
    test_scan(most);
    test_gather(most / 5 * 3);
    test_scatter(most / 5 * 3);
    test_alltoall(most / 2 + 3); /* the same, and just so, for the sake of memory */
    test_alltoallw(most / 2 + 3);
    counters_close();
    return session_finish("large");
}
