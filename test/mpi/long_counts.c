/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and displacements of 64 bits, from Open MPI 6.0 on: every other rank calls the functions with _c, its
 * neighbours those without, and both are the same call. With --full also more elements than an int can count: 4 GiB on
 * two ranks. */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <stdlib.h>
#include <string.h>

#if OMPI_MAJOR_VERSION < 6
#error "there are no such functions"
#endif

enum { LONGEST = 64 };

/* Elements that `from` sends `to`, also of none. */
static int elements(int from, int to) {
    return (3 * from + 5 * to) % 7;
}

static bool is_long(void) {
    return session.rank % 2 == 0;
}

/* A list of counts or displacements in both widths. */
struct list {
    int ints[LONGEST];
    MPI_Count counts[LONGEST];
    MPI_Aint places[LONGEST];
};

static void set(struct list* list, int rank, int value) {
    list->ints[rank] = value;
    list->counts[rank] = list->places[rank] = value;
}

static void test_alltoall_family(void) {
    static struct list send, send_at, receive, receive_at;
    static int data[8 * LONGEST], result[8 * LONGEST];
    MPI_Datatype types[LONGEST];
    const int me = session.rank, ranks = session.ranks, unit = sizeof(int);
    for (int bytes = 0; bytes < 2; bytes++) {
        const int factor = bytes ? unit : 1; /* alltoallw has displacements in bytes */
        for (int peer = 0; peer < ranks; peer++) {
            set(&send, peer, elements(me, peer));
            set(&receive, peer, elements(peer, me));
            set(&send_at, peer, 8 * peer * factor);
            set(&receive_at, peer, 8 * peer * factor);
            types[peer] = MPI_INT;
            for (int at = 0; at < 8; at++) data[8 * peer + at] = 10000 * me + 100 * peer + at;
        }
        memset(result, -1, sizeof result);
        const struct counters before = counters_read();
        if (bytes && is_long())
            MPI_Alltoallw_c(data, send.counts, send_at.places, types, result, receive.counts, receive_at.places, types,
                            MPI_COMM_WORLD);
        else if (bytes)
            MPI_Alltoallw(data, send.ints, send_at.ints, types, result, receive.ints, receive_at.ints, types,
                          MPI_COMM_WORLD);
        else if (is_long())
            MPI_Alltoallv_c(data, send.counts, send_at.places, MPI_INT, result, receive.counts, receive_at.places,
                            MPI_INT, MPI_COMM_WORLD);
        else
            MPI_Alltoallv(data, send.ints, send_at.ints, MPI_INT, result, receive.ints, receive_at.ints, MPI_INT,
                          MPI_COMM_WORLD);
        counters_check(&before, bytes ? ALLTOALLW : ALLTOALLV, 1, DUTY_COMPONENT, "of long counts");
        for (int peer = 0; peer < ranks; peer++) {
            for (int at = 0; at < 8; at++) {
                const int right = at < elements(peer, me) ? 10000 * peer + 100 * me + at : -1;
                check(result[8 * peer + at] == right, "alltoall%c: element %d from %d", bytes ? 'w' : 'v', at, peer);
            }
        }
    }
}

/* Pieces of different sizes, in memory and in place. */
static void test_reduce_scatter(bool in_place) {
    static struct list pieces;
    static long data[8 * LONGEST], result[8 * LONGEST];
    const int me = session.rank, ranks = session.ranks;
    int all = 0, begin = 0;
    for (int rank = 0; rank < ranks; rank++) {
        begin = rank == me ? all : begin;
        set(&pieces, rank, elements(rank, 1));
        all += elements(rank, 1);
    }
    for (int at = 0; at < all; at++) data[at] = result[at] = at + 1000 * me;
    const void* const operands = in_place ? MPI_IN_PLACE : data;
    const struct counters before = counters_read();
    if (is_long())
        MPI_Reduce_scatter_c(operands, result, pieces.counts, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Reduce_scatter(operands, result, pieces.ints, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    counters_check(&before, REDUCE_SCATTER, 1, DUTY_COMPONENT, "of long counts");
    for (int at = 0; at < pieces.ints[me]; at++) {
        const long right = (long)ranks * (begin + at) + 1000L * ranks * (ranks - 1) / 2;
        check(result[at] == right, "reduce_scatter: element %d is %ld, not %ld", at, result[at], right);
    }
}

static void test_many_elements(void) {
    const size_t size = ((size_t)1 << 31) + 5;
    char* const data = malloc(size);
    if (!check(data != NULL, "no memory for %zu bytes", size)) return;
    memset(data, session.rank == 0 ? 7 : 0, size);
    const struct counters before = counters_read();
    MPI_Bcast_c(data, (MPI_Count)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    counters_check(&before, BCAST, 1, DUTY_COMPONENT, "of more than 2 GiB");
    size_t right = 0;
    while (right < size && data[right] == 7) right++;
    check(right == size, "bcast of %zu bytes: wrong from %zu on", size, right);
    free(data);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    test_alltoall_family();
    test_reduce_scatter(false);
    test_reduce_scatter(true);
    if (session.scale == SCALE_FULL) test_many_elements();
    counters_close();
    return session_finish("long_counts");
}
