/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/matrix_case.h"
#include "test/mpi/session.h"

/* Every rank sends its part of one known vector, so that each must end with that vector. */
static void test_allgather(const struct pair* pair, const struct size_case* size) {
    const size_t extent = pair->element->extent;
    const int piece = piece_size(size);
    const long long vector = (long long)piece * session.ranks, first = (long long)piece * session.rank;
    struct guarded receive = guarded_new((size_t)vector * extent), send = guarded_new((size_t)piece * extent);
    fill(pair, size->in_place ? receive.data + (size_t)first * extent : send.data, first, piece);

    const struct counters before = counters_read();
    MPI_Allgather(size->in_place ? MPI_IN_PLACE : send.data, piece, pair->element->type, receive.data, piece,
                  pair->element->type, MPI_COMM_WORLD);
    counters_check(&before, ALLGATHER, 1, duty_for(vector), size->text);
    check_values(pair, &pair->input, receive.data, 0, vector, ALLGATHER, "receive buffer", size);
    if (!size->in_place) check_values(pair, &pair->input, send.data, first, piece, ALLGATHER, "send buffer", size);
    check_guards(&receive, ALLGATHER, "receive buffer", size);
    check_guards(&send, ALLGATHER, "send buffer", size);
}

/* Piece (from, to) of a known square of pieces goes from one rank to the other. */
static void test_alltoall(const struct pair* pair, const struct size_case* size) {
    const size_t extent = pair->element->extent;
    const long long piece = piece_size(size), vector = piece * session.ranks, own_row = vector * session.rank;
    struct guarded receive = guarded_new((size_t)vector * extent);
    struct guarded send = guarded_new(size->in_place ? 0 : (size_t)vector * extent);
    fill(pair, size->in_place ? receive.data : send.data, own_row, vector);

    const struct counters before = counters_read();
    MPI_Alltoall(size->in_place ? MPI_IN_PLACE : send.data, (int)piece, pair->element->type, receive.data, (int)piece,
                 pair->element->type, MPI_COMM_WORLD);
    counters_check(&before, ALLTOALL, 1, duty_for(vector), size->text);
    for (int from = 0; from < session.ranks; from++)
        check_values(pair, &pair->input, receive.data + (size_t)(from * piece) * extent,
                     from * vector + session.rank * piece, piece, ALLTOALL, "receive buffer", size);
    if (!size->in_place) check_values(pair, &pair->input, send.data, own_row, vector, ALLTOALL, "send buffer", size);
    check_guards(&receive, ALLTOALL, "receive buffer", size);
    check_guards(&send, ALLTOALL, "send buffer", size);
}

/* The vector begins elsewhere for each root, so that data left from another call is wrong. */
static void test_bcast(const struct pair* pair, const struct size_case* size, int root) {
    struct guarded buffer = guarded_new((size_t)size->count * pair->element->extent);
    if (session.rank == root) fill(pair, buffer.data, 17 * root, size->count);
    const struct counters before = counters_read();
    MPI_Bcast(buffer.data, size->count, pair->element->type, root, MPI_COMM_WORLD);
    counters_check(&before, BCAST, 1, duty_for(size->count), size->text);
    check_values(pair, &pair->input, buffer.data, 17 * root, size->count, BCAST, "buffer", size);
    check_guards(&buffer, BCAST, "buffer", size);
}

void test_data_movement(const struct pair* pair, const struct size_case* size) {
    test_allgather(pair, size);
    test_alltoall(pair, size);
    for (int i = 0; i < size->roots; i++) test_bcast(pair, size, (size->first_root + i) % session.ranks);
}
