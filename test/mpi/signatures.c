/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives in which ranks describe the same data differently: MPI asks only for equal type signatures, so each rank
 * sends and receives with a count and a datatype of its own.
 */
#include "test/mpi/counters.h"
#include "test/mpi/descriptions.h"
#include "test/mpi/guarded.h"
#include "test/mpi/session.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = 4 };
static const int units[SIZES] = {1, 2, 25, 3001};

static enum duty duty(void) {
    return session.ranks > 1 ? DUTY_COMPONENT : DUTY_NOBODY;
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

static void test(const struct description* send_as, const struct description* receive_as, int numbers, int number) {
    const bool in_place = number % 3 == 0;
    test_allgather(send_as, receive_as, numbers, in_place);
    test_alltoall(send_as, receive_as, numbers, in_place);
    test_bcast(send_as, numbers, number % session.ranks);
}

int PROGRAM(signatures)(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    struct description table[DESCRIPTIONS];
    descriptions_new(table);
    /* Ranks shift against each other, so that in each call neighbours use different descriptions. */
    for (int shift = 0; shift < WITHIN_DESCRIPTIONS * WITHIN_DESCRIPTIONS; shift++) {
        if (session.scale == SCALE_SAMPLE && shift % 5 != 0) continue;
        const struct description* send_as = &table[(session.rank + shift) % WITHIN_DESCRIPTIONS];
        const struct description* receive_as =
            &table[(session.rank + shift + shift / WITHIN_DESCRIPTIONS) % WITHIN_DESCRIPTIONS];
        for (int s = 0; s < (session.scale == SCALE_FULL ? SIZES : SIZES - 1); s++)
            test(send_as, receive_as, units[s] * UNIT, shift + s);
    }
    test(&table[session.rank % WITHIN_DESCRIPTIONS], &table[(session.rank + 2) % WITHIN_DESCRIPTIONS],
         units[SIZES - 1] * UNIT, 1);
    descriptions_free(table);
    counters_close();
    return session_finish("signatures");
}
