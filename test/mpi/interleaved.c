/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives that move data, on buffers whose elements reach into each other or go downwards, as columns of a matrix:
 * a byte too much written for one element is missing in another. Ranks describe the same data differently. Those that
 * are only read may also have bytes in common.
 */
#include "test/mpi/counters.h"
#include "test/mpi/guarded.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 3, SIZES = 3, SHAPES = 7, MOST_RANKS = 64 };
static const int sizes[SIZES] = {1, 7, 1000};

/* Elements of NUMBERS 32-bit numbers, made for one buffer, which has so many of them and no byte besides. */
struct shape {
    const char* name;
    MPI_Datatype type;
    ptrdiff_t offsets[NUMBERS], extent;
    ptrdiff_t low, high; /* bytes [low, high) around the address of the first element are the buffer's */
};

/* Number j of element i is at begin + i * extent + j * stride. */
static void set(struct shape* shape, const char* name, ptrdiff_t begin, ptrdiff_t stride, ptrdiff_t extent) {
    shape->name = name;
    shape->extent = extent;
    for (int j = 0; j < NUMBERS; j++) shape->offsets[j] = begin + j * stride;
}

static struct shape shape_new(int kind, ptrdiff_t elements) {
    const ptrdiff_t number = sizeof(int32_t), row = number * (elements > 0 ? elements : 1);
    struct shape shape;
    MPI_Aint displacements[NUMBERS];
    MPI_Datatype raw;
    if (kind == 0) set(&shape, "rows", 0, number, NUMBERS * number);
    if (kind == 1) set(&shape, "columns", 0, row, number);
    if (kind == 2) set(&shape, "columns from right to left", 0, row, -number);
    if (kind == 3) set(&shape, "columns upside down", 2 * row, -row, number);
    if (kind == 4) set(&shape, "columns above their address", -2 * row, row, number);
    if (kind == 5) set(&shape, "rows from the last one up", 0, number, -4 * number);
    if (kind == 6) set(&shape, "diagonals", 0, (NUMBERS + 1) * number, NUMBERS * number);
    const ptrdiff_t last = elements > 0 ? (elements - 1) * shape.extent : 0;
    shape.low = shape.high = 0;
    for (int j = 0; j < NUMBERS; j++) {
        const ptrdiff_t begin = shape.offsets[j] + (last < 0 ? last : 0);
        const ptrdiff_t end = shape.offsets[j] + (last > 0 ? last : 0) + number;
        if (begin < shape.low) shape.low = begin;
        if (end > shape.high) shape.high = end;
        displacements[j] = shape.offsets[j];
    }
    MPI_Type_create_hindexed_block(NUMBERS, 1, displacements, MPI_INT32_T, &raw);
    MPI_Type_create_resized(raw, 0, shape.extent, &shape.type);
    MPI_Type_commit(&shape.type);
    MPI_Type_free(&raw);
    return shape;
}

struct buffer {
    struct shape shape;
    struct guarded bytes, expected;
    char* address;
};

static struct buffer buffer_new(int kind, ptrdiff_t elements) {
    struct buffer buffer = {.shape = shape_new(kind, elements)};
    const size_t size = (size_t)(buffer.shape.high - buffer.shape.low);
    buffer.bytes = guarded_new(size);
    buffer.expected = guarded_new(size);
    buffer.address = buffer.bytes.data - buffer.shape.low;
    return buffer;
}

/* Writes `count` elements from element `first` of the buffer on: those of a known row of numbers, from `number` on. */
static void write(struct buffer* buffer, bool expected, ptrdiff_t first, ptrdiff_t count, uint64_t number) {
    char* address = (expected ? buffer->expected.data : buffer->bytes.data) - buffer->shape.low;
    for (ptrdiff_t i = 0; i < count; i++)
        for (int j = 0; j < NUMBERS; j++) {
            const int32_t value = (int32_t)mix(11, number + (uint64_t)(i * NUMBERS + j));
            memcpy(address + (first + i) * buffer->shape.extent + buffer->shape.offsets[j], &value, sizeof value);
        }
}

static void check_and_free(struct buffer* buffer, enum collective collective, const char* which, const char* text) {
    const char* name = collective_names[collective];
    check(memcmp(buffer->bytes.data, buffer->expected.data, buffer->bytes.size) == 0,
          "%s %s: the %s has wrong data, or a gap was written", name, text, which);
    check(guarded_intact(&buffer->bytes), "%s %s: bytes outside of the %s were written", name, text, which);
    MPI_Type_free(&buffer->shape.type);
    guarded_free(&buffer->bytes);
    guarded_free(&buffer->expected);
}

static enum duty duty(void) {
    return session.ranks > 1 ? DUTY_COMPONENT : DUTY_NOBODY;
}

static uint64_t piece_number(int from, int to) {
    return (uint64_t)(from * MOST_RANKS + to) * 1000003;
}

struct test_case {
    int send_kind, receive_kind, size;
    bool in_place;
};

static void describe(char* text, size_t room, const struct test_case* test, const struct buffer* send,
                     const struct buffer* receive) {
    snprintf(text, room, "of %d elements, sent as %s, received as %s%s", test->size, send->shape.name,
             receive->shape.name, test->in_place ? ", in place" : "");
}

static void test_allgather(const struct test_case* test) {
    struct buffer send = buffer_new(test->send_kind, test->size);
    struct buffer receive = buffer_new(test->receive_kind, (ptrdiff_t)test->size * session.ranks);
    char text[160];
    describe(text, sizeof text, test, &send, &receive);
    write(&send, false, 0, test->size, piece_number(session.rank, 0));
    write(&send, true, 0, test->size, piece_number(session.rank, 0));
    if (test->in_place)
        write(&receive, false, (ptrdiff_t)session.rank * test->size, test->size, piece_number(session.rank, 0));
    for (int from = 0; from < session.ranks; from++)
        write(&receive, true, (ptrdiff_t)from * test->size, test->size, piece_number(from, 0));
    const struct counters before = counters_read();
    MPI_Allgather(test->in_place ? MPI_IN_PLACE : send.address, test->size, send.shape.type, receive.address,
                  test->size, receive.shape.type, MPI_COMM_WORLD);
    counters_check(&before, ALLGATHER, 1, duty(), text);
    check_and_free(&receive, ALLGATHER, "receive buffer", text);
    check_and_free(&send, ALLGATHER, "send buffer", text);
}

static void test_bcast(const struct test_case* test, int root) {
    struct buffer buffer = buffer_new(test->receive_kind, test->size);
    if (session.rank == root) write(&buffer, false, 0, test->size, piece_number(root, 0));
    write(&buffer, true, 0, test->size, piece_number(root, 0));
    const struct counters before = counters_read();
    MPI_Bcast(buffer.address, test->size, buffer.shape.type, root, MPI_COMM_WORLD);
    counters_check(&before, BCAST, 1, duty(), buffer.shape.name);
    check_and_free(&buffer, BCAST, "buffer", buffer.shape.name);
}

/* Pieces one after the other: in alltoall of equal sizes, else of up to twice the size, some empty. */
struct pieces {
    int counts[MOST_RANKS], displacements[MOST_RANKS], byte_displacements[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
    int elements;
};

static void lay_out(struct pieces* pieces, enum collective collective, int size) {
    pieces->elements = 0;
    for (int peer = 0; peer < session.ranks; peer++) {
        pieces->counts[peer] = collective == ALLTOALL ? size : (session.rank + peer) % 3 * size;
        pieces->displacements[peer] = pieces->elements;
        pieces->elements += pieces->counts[peer];
    }
}

static void set_types(struct pieces* pieces, const struct shape* shape) {
    for (int peer = 0; peer < session.ranks; peer++) {
        pieces->types[peer] = shape->type;
        pieces->byte_displacements[peer] = (int)(pieces->displacements[peer] * shape->extent);
    }
}

static void test_alltoall(const struct test_case* test, enum collective collective) {
    struct pieces in, out;
    lay_out(&in, collective, test->size);
    lay_out(&out, collective, test->size);
    struct buffer send = buffer_new(test->send_kind, in.elements),
                  receive = buffer_new(test->receive_kind, out.elements);
    set_types(&in, &send.shape);
    set_types(&out, &receive.shape);
    char text[160];
    describe(text, sizeof text, test, &send, &receive);
    for (int peer = 0; peer < session.ranks; peer++) {
        const int at = in.displacements[peer], count = in.counts[peer];
        write(test->in_place ? &receive : &send, false, at, count, piece_number(session.rank, peer));
        if (!test->in_place) write(&send, true, at, count, piece_number(session.rank, peer));
        write(&receive, true, at, count, piece_number(peer, session.rank));
    }
    const void* input = test->in_place ? MPI_IN_PLACE : send.address;
    const struct counters before = counters_read();
    if (collective == ALLTOALL)
        MPI_Alltoall(input, test->size, send.shape.type, receive.address, test->size, receive.shape.type,
                     MPI_COMM_WORLD);
    else if (collective == ALLTOALLV)
        MPI_Alltoallv(input, in.counts, in.displacements, send.shape.type, receive.address, out.counts,
                      out.displacements, receive.shape.type, MPI_COMM_WORLD);
    else
        MPI_Alltoallw(input, in.counts, in.byte_displacements, in.types, receive.address, out.counts,
                      out.byte_displacements, out.types, MPI_COMM_WORLD);
    counters_check(&before, collective, 1, duty(), text);
    check_and_free(&receive, collective, "receive buffer", text);
    check_and_free(&send, collective, "send buffer", text);
}

/* Pairs of neighbours, of which each number but the first and the last is in two, are sent, single numbers received. */
static void test_overlapping_operands(int size) {
    const int pairs = size * session.ranks;
    int32_t* row = malloc(((size_t)pairs + 1) * sizeof *row);
    int32_t* received = malloc(2 * (size_t)pairs * sizeof *received);
    MPI_Datatype raw, pair;
    MPI_Type_contiguous(2, MPI_INT32_T, &raw);
    MPI_Type_create_resized(raw, 0, sizeof *row, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i <= pairs; i++) row[i] = (int32_t)mix((uint64_t)session.rank, (uint64_t)i);
    bool right[3] = {true, true, true};

    MPI_Allgather(row, size, pair, received, 2 * size, MPI_INT32_T, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * pairs; i++)
        right[0] &= received[i] == (int32_t)mix((uint64_t)(i / 2 / size), (uint64_t)(i / 2 % size + i % 2));
    MPI_Alltoall(row, size, pair, received, 2 * size, MPI_INT32_T, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * pairs; i++)
        right[1] &= received[i] ==
                    (int32_t)mix((uint64_t)(i / 2 / size), (uint64_t)(session.rank * size + i / 2 % size + i % 2));
    if (session.rank == 0)
        MPI_Bcast(row, size, pair, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(received, 2 * size, MPI_INT32_T, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * size && session.rank > 0; i++)
        right[2] &= received[i] == (int32_t)mix(0, (uint64_t)(i / 2 + i % 2));

    check(right[0], "allgather of %d elements that have bytes in common", size);
    check(right[1], "alltoall of %d elements that have bytes in common", size);
    check(right[2], "bcast of %d elements that have bytes in common", size);
    MPI_Type_free(&pair);
    MPI_Type_free(&raw);
    free(row);
    free(received);
}

int PROGRAM(interleaved)(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    /* Ranks shift against each other, so that in each call neighbours use different shapes. */
    for (int shift = 0; shift < SHAPES * SHAPES && session.ranks <= MOST_RANKS; shift++) {
        for (int s = 0; s < SIZES; s++) {
            if (session.scale == SCALE_SAMPLE && (shift + s) % 5 != 0) continue;
            const struct test_case test = {(session.rank + shift) % SHAPES,
                                           (session.rank + shift + shift / SHAPES) % SHAPES, sizes[s],
                                           (shift + s) % 3 == 0};
            test_allgather(&test);
            test_bcast(&test, (shift + s) % session.ranks);
            test_alltoall(&test, ALLTOALL);
            test_alltoall(&test, ALLTOALLV);
            /* The component that Open MPI 4.1 has for a single rank takes its displacements for extents. */
            if (session.ranks > 1) test_alltoall(&test, ALLTOALLW);
        }
    }
    for (int s = 0; s < SIZES; s++) test_overlapping_operands(sizes[s]);
    counters_close();
    return session_finish("interleaved");
}
