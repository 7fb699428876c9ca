/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives in which ranks describe the same data differently: MPI asks only for equal type signatures, so each rank
 * sends and receives with a count and a datatype of its own.
 */
#include "test/mpi/counters.h"
#include "test/mpi/guarded.h"
#include "test/mpi/session.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Numbers in a piece are a multiple of 12, so that every description divides it. */
enum { UNIT = 12, DESCRIPTIONS = 6, SIZES = 4 };
static const int units[SIZES] = {1, 2, 25, 3001};

/* How a rank sees `numbers` 32-bit numbers: `count` elements of a type. */
struct description {
    const char* name;
    MPI_Datatype type;
    int numbers; /* in one element */
    ptrdiff_t extent;
    ptrdiff_t offsets[UNIT];
};

static void describe(struct description* description, const char* name, int numbers, const MPI_Aint* displacements,
                     MPI_Aint extent) {
    MPI_Datatype raw;
    *description = (struct description){.name = name, .numbers = numbers, .extent = extent};
    for (int i = 0; i < numbers; i++) description->offsets[i] = displacements[i];
    MPI_Type_create_hindexed_block(numbers, 1, displacements, MPI_INT32_T, &raw);
    MPI_Type_create_resized(raw, 0, extent, &description->type);
    MPI_Type_commit(&description->type);
    MPI_Type_free(&raw);
}

static void describe_all(struct description table[DESCRIPTIONS]) {
    describe(&table[0], "numbers", 1, (MPI_Aint[]){0}, 4);
    describe(&table[1], "rows of four", 4, (MPI_Aint[]){0, 4, 8, 12}, 16);
    describe(&table[2], "pairs with a gap between", 2, (MPI_Aint[]){0, 8}, 12);
    describe(&table[3], "single numbers far apart", 1, (MPI_Aint[]){0}, 20);
    describe(&table[4], "backwards in memory", 3, (MPI_Aint[]){8, 4, 0}, 12);
    describe(&table[5], "twelve scattered", 12, (MPI_Aint[]){0, 8, 12, 16, 28, 36, 40, 44, 48, 60, 64, 72}, 80);
}

static int32_t number_at(long long index) {
    return (int32_t)mix(5, (uint64_t)index);
}

/* Writes numbers [first, first + count) of the whole as the description lays them out. */
static void write_numbers(const struct description* description, char* target, long long first, long long count) {
    for (long long i = 0; i < count; i++) {
        const int32_t number = number_at(first + i);
        memcpy(target + i / description->numbers * description->extent + description->offsets[i % description->numbers],
               &number, sizeof number);
    }
}

static struct guarded memory_for(const struct description* description, long long numbers) {
    return guarded_new((size_t)(numbers / description->numbers * description->extent));
}

static enum duty duty(void) {
    return session.ranks > 1 ? DUTY_COMPONENT : DUTY_NOBODY;
}

/* Checks that a buffer is byte for byte what it should be, gaps included, and frees both. */
static void check_memory(struct guarded* actual, struct guarded* expected, enum collective collective,
                         const char* which, const char* text) {
    const char* name = collective_names[collective];
    check(memcmp(actual->data, expected->data, actual->size) == 0, "%s %s: the %s has wrong data, or a gap was written",
          name, text, which);
    check(guarded_intact(actual), "%s %s: bytes outside of the %s were written", name, text, which);
    guarded_free(actual);
    guarded_free(expected);
}

static void test_allgather(const struct description* send_as, const struct description* receive_as, int numbers,
                           bool in_place) {
    const long long whole = (long long)numbers * session.ranks, own = (long long)numbers * session.rank;
    char text[160];
    snprintf(text, sizeof text, "of %d numbers, sent as %s, received as %s%s", numbers, send_as->name, receive_as->name,
             in_place ? ", in place" : "");
    struct guarded send = memory_for(send_as, numbers), sent = memory_for(send_as, numbers);
    struct guarded receive = memory_for(receive_as, whole), expected = memory_for(receive_as, whole);
    write_numbers(send_as, send.data, own, numbers);
    write_numbers(send_as, sent.data, own, numbers);
    write_numbers(receive_as, expected.data, 0, whole);
    if (in_place)
        write_numbers(receive_as, receive.data + own / receive_as->numbers * receive_as->extent, own, numbers);

    const struct counters before = counters_read();
    MPI_Allgather(in_place ? MPI_IN_PLACE : send.data, numbers / send_as->numbers, send_as->type, receive.data,
                  numbers / receive_as->numbers, receive_as->type, MPI_COMM_WORLD);
    counters_check(&before, ALLGATHER, 1, duty(), text);
    check_memory(&receive, &expected, ALLGATHER, "receive buffer", text);
    check_memory(&send, &sent, ALLGATHER, "send buffer", text);
}

/* Piece (from, to) of a known square of pieces goes from one rank to the other. */
static void test_alltoall(const struct description* send_as, const struct description* receive_as, int numbers,
                          bool in_place) {
    const long long whole = (long long)numbers * session.ranks;
    char text[160];
    if (in_place) send_as = receive_as; /* in place, what is sent lies as what is received */
    snprintf(text, sizeof text, "of %d numbers, sent as %s, received as %s%s", numbers, send_as->name, receive_as->name,
             in_place ? ", in place" : "");
    struct guarded send = memory_for(send_as, whole), sent = memory_for(send_as, whole);
    struct guarded receive = memory_for(receive_as, whole), expected = memory_for(receive_as, whole);
    write_numbers(send_as, in_place ? receive.data : send.data, whole * session.rank, whole);
    if (!in_place) write_numbers(send_as, sent.data, whole * session.rank, whole);
    for (int from = 0; from < session.ranks; from++)
        write_numbers(receive_as, expected.data + (ptrdiff_t)from * numbers / receive_as->numbers * receive_as->extent,
                      from * whole + (long long)session.rank * numbers, numbers);

    const struct counters before = counters_read();
    MPI_Alltoall(in_place ? MPI_IN_PLACE : send.data, numbers / send_as->numbers, send_as->type, receive.data,
                 numbers / receive_as->numbers, receive_as->type, MPI_COMM_WORLD);
    counters_check(&before, ALLTOALL, 1, duty(), text);
    check_memory(&receive, &expected, ALLTOALL, "receive buffer", text);
    check_memory(&send, &sent, ALLTOALL, "send buffer", text);
}

/* The description is this rank's own, and so is the count. */
static void test_bcast(const struct description* description, int numbers, int root) {
    char text[160];
    snprintf(text, sizeof text, "of %d numbers from rank %d, seen as %s", numbers, root, description->name);
    struct guarded buffer = memory_for(description, numbers), expected = memory_for(description, numbers);
    if (session.rank == root) write_numbers(description, buffer.data, 31 * root, numbers);
    write_numbers(description, expected.data, 31 * root, numbers);
    const struct counters before = counters_read();
    MPI_Bcast(buffer.data, numbers / description->numbers, description->type, root, MPI_COMM_WORLD);
    counters_check(&before, BCAST, 1, duty(), text);
    check_memory(&buffer, &expected, BCAST, "buffer", text);
}

/* What the component does not serve is left out: some other components do not support unequal descriptions. */
static void test(const struct description* send_as, const struct description* receive_as, int numbers, int number) {
    const bool in_place = number % 3 == 0;
    if (component_serves(ALLGATHER)) test_allgather(send_as, receive_as, numbers, in_place);
    if (component_serves(ALLTOALL)) test_alltoall(send_as, receive_as, numbers, in_place);
    if (component_serves(BCAST)) test_bcast(send_as, numbers, number % session.ranks);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    struct description table[DESCRIPTIONS];
    describe_all(table);
    /* Ranks shift against each other, so that in each call neighbours use different descriptions. */
    for (int shift = 0; shift < DESCRIPTIONS * DESCRIPTIONS; shift++) {
        if (session.scale == SCALE_SAMPLE && shift % 5 != 0) continue;
        const struct description* send_as = &table[(session.rank + shift) % DESCRIPTIONS];
        const struct description* receive_as = &table[(session.rank + shift + shift / DESCRIPTIONS) % DESCRIPTIONS];
        for (int s = 0; s < (session.scale == SCALE_FULL ? SIZES : SIZES - 1); s++)
            test(send_as, receive_as, units[s] * UNIT, shift + s);
    }
    test(&table[session.rank % DESCRIPTIONS], &table[(session.rank + 2) % DESCRIPTIONS], units[SIZES - 1] * UNIT, 1);
    for (int i = 0; i < DESCRIPTIONS; i++) MPI_Type_free(&table[i].type);
    counters_close();
    return session_finish("signatures");
}
