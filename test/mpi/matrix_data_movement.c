/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/matrix_case.h"
#include "test/mpi/session.h"

#include <stdlib.h>

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

/* The same with parts of one, two or three elements for each of the size's, the last rank's first and with a place
 * between them that nothing is written to. */
static void test_allgatherv(const struct pair* pair, const struct size_case* size) {
    const size_t extent = pair->element->extent;
    int *counts = calloc((size_t)session.ranks, sizeof *counts),
        *places = calloc((size_t)session.ranks, sizeof *places);
    long long* firsts = calloc((size_t)session.ranks, sizeof *firsts);
    long long vector = 0;
    int end = 0;
    for (int rank = 0; rank < session.ranks; rank++) {
        counts[rank] = piece_size(size) * (1 + rank % 3);
        firsts[rank] = vector;
        vector += counts[rank];
    }
    for (int rank = session.ranks - 1; rank >= 0; rank--) {
        places[rank] = end;
        end += counts[rank] + 1;
    }
    const int own = counts[session.rank];
    struct guarded receive = guarded_new((size_t)end * extent), send = guarded_new((size_t)own * extent);
    fill(pair, size->in_place ? receive.data + (size_t)places[session.rank] * extent : send.data, firsts[session.rank],
         own);

    const struct counters before = counters_read();
    MPI_Allgatherv(size->in_place ? MPI_IN_PLACE : send.data, own, pair->element->type, receive.data, counts, places,
                   pair->element->type, MPI_COMM_WORLD);
    counters_check(&before, ALLGATHERV, 1, duty_for(vector), size->text);
    for (int rank = 0; rank < session.ranks; rank++)
        check_values(pair, &pair->input, receive.data + (size_t)places[rank] * extent, firsts[rank], counts[rank],
                     ALLGATHERV, "receive buffer", size);
    if (!size->in_place)
        check_values(pair, &pair->input, send.data, firsts[session.rank], own, ALLGATHERV, "send buffer", size);
    check_guards(&receive, ALLGATHERV, "receive buffer", size);
    check_guards(&send, ALLGATHERV, "send buffer", size);
    free(counts);
    free(places);
    free(firsts);
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

/* Every rank sends its part of one known vector to the root; what the others give to receive it means nothing. */
static void test_gather(const struct pair* pair, const struct size_case* size, int root) {
    const size_t extent = pair->element->extent;
    const bool is_root = session.rank == root, in_place = size->in_place && is_root;
    const int piece = piece_size(size);
    const long long vector = (long long)piece * session.ranks, first = (long long)piece * session.rank;
    struct guarded receive = guarded_new(is_root ? (size_t)vector * extent : 0),
                   send = guarded_new((size_t)piece * extent);
    fill(pair, in_place ? receive.data + (size_t)first * extent : send.data, first, piece);

    const struct counters before = counters_read();
    MPI_Gather(in_place ? MPI_IN_PLACE : send.data, in_place ? -1 : piece,
               in_place ? MPI_DATATYPE_NULL : pair->element->type, is_root ? receive.data : NULL, is_root ? piece : -1,
               is_root ? pair->element->type : MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    counters_check(&before, GATHER, 1, duty_for(vector), size->text);
    if (is_root) check_values(pair, &pair->input, receive.data, 0, vector, GATHER, "receive buffer", size);
    if (!in_place) check_values(pair, &pair->input, send.data, first, piece, GATHER, "send buffer", size);
    check_guards(&receive, GATHER, "receive buffer", size);
    check_guards(&send, GATHER, "send buffer", size);
}

/* The root's vector begins elsewhere for each root, so that data left from another call is wrong. */
static void test_scatter(const struct pair* pair, const struct size_case* size, int root) {
    const size_t extent = pair->element->extent;
    const bool is_root = session.rank == root, in_place = size->in_place && is_root;
    const int piece = piece_size(size);
    const long long vector = (long long)piece * session.ranks, own = 17 * root + (long long)piece * session.rank;
    struct guarded send = guarded_new(is_root ? (size_t)vector * extent : 0),
                   receive = guarded_new(in_place ? 0 : (size_t)piece * extent);
    if (is_root) fill(pair, send.data, 17 * root, vector);

    const struct counters before = counters_read();
    MPI_Scatter(is_root ? send.data : NULL, is_root ? piece : -1, is_root ? pair->element->type : MPI_DATATYPE_NULL,
                in_place ? MPI_IN_PLACE : receive.data, in_place ? -1 : piece,
                in_place ? MPI_DATATYPE_NULL : pair->element->type, root, MPI_COMM_WORLD);
    counters_check(&before, SCATTER, 1, duty_for(vector), size->text);
    if (!in_place) check_values(pair, &pair->input, receive.data, own, piece, SCATTER, "receive buffer", size);
    if (is_root) check_values(pair, &pair->input, send.data, 17 * root, vector, SCATTER, "send buffer", size);
    check_guards(&receive, SCATTER, "receive buffer", size);
    check_guards(&send, SCATTER, "send buffer", size);
}

/* Parts of none, one or two elements for each of the size's, the last rank's first and with a place between them. */
struct parts {
    int *counts, *places;
    long long* firsts; /* in the vector */
    long long vector;
    int end;
};

static struct parts parts_new(const struct size_case* size) {
    const size_t ranks = (size_t)session.ranks;
    struct parts parts = {.counts = calloc(ranks, sizeof(int)),
                          .places = calloc(ranks, sizeof(int)),
                          .firsts = calloc(ranks, sizeof(long long))};
    for (int rank = 0; rank < session.ranks; rank++) {
        parts.counts[rank] = piece_size(size) * ((rank + 1) % 3);
        parts.firsts[rank] = parts.vector;
        parts.vector += parts.counts[rank];
    }
    for (int rank = session.ranks - 1; rank >= 0; rank--) {
        parts.places[rank] = parts.end;
        parts.end += parts.counts[rank] + 1;
    }
    return parts;
}

static void parts_free(struct parts* parts) {
    free(parts->counts);
    free(parts->places);
    free(parts->firsts);
}

/* Only the root gives all counts. */
static void test_gatherv(const struct pair* pair, const struct size_case* size, int root) {
    const size_t extent = pair->element->extent;
    const bool is_root = session.rank == root, in_place = size->in_place && is_root;
    struct parts parts = parts_new(size);
    const int own = parts.counts[session.rank];
    const long long first = parts.firsts[session.rank];
    struct guarded receive = guarded_new(is_root ? (size_t)parts.end * extent : 0),
                   send = guarded_new((size_t)own * extent);
    fill(pair, in_place ? receive.data + (size_t)parts.places[session.rank] * extent : send.data, first, own);

    const struct counters before = counters_read();
    MPI_Gatherv(in_place ? MPI_IN_PLACE : send.data, in_place ? -1 : own,
                in_place ? MPI_DATATYPE_NULL : pair->element->type, is_root ? receive.data : NULL,
                is_root ? parts.counts : NULL, is_root ? parts.places : NULL,
                is_root ? pair->element->type : MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    counters_check(&before, GATHERV, 1, duty_for(1), size->text);
    for (int rank = 0; is_root && rank < session.ranks; rank++)
        check_values(pair, &pair->input, receive.data + (size_t)parts.places[rank] * extent, parts.firsts[rank],
                     parts.counts[rank], GATHERV, "receive buffer", size);
    if (!in_place) check_values(pair, &pair->input, send.data, first, own, GATHERV, "send buffer", size);
    check_guards(&receive, GATHERV, "receive buffer", size);
    check_guards(&send, GATHERV, "send buffer", size);
    parts_free(&parts);
}

static void test_scatterv(const struct pair* pair, const struct size_case* size, int root) {
    const size_t extent = pair->element->extent;
    const bool is_root = session.rank == root, in_place = size->in_place && is_root;
    struct parts parts = parts_new(size);
    const int own = parts.counts[session.rank];
    struct guarded send = guarded_new(is_root ? (size_t)parts.end * extent : 0),
                   receive = guarded_new(in_place ? 0 : (size_t)own * extent);
    for (int rank = 0; is_root && rank < session.ranks; rank++)
        fill(pair, send.data + (size_t)parts.places[rank] * extent, 17 * root + parts.firsts[rank], parts.counts[rank]);

    const struct counters before = counters_read();
    MPI_Scatterv(is_root ? send.data : NULL, is_root ? parts.counts : NULL, is_root ? parts.places : NULL,
                 is_root ? pair->element->type : MPI_DATATYPE_NULL, in_place ? MPI_IN_PLACE : receive.data,
                 in_place ? -1 : own, in_place ? MPI_DATATYPE_NULL : pair->element->type, root, MPI_COMM_WORLD);
    counters_check(&before, SCATTERV, 1, duty_for(1), size->text);
    if (!in_place)
        check_values(pair, &pair->input, receive.data, 17 * root + parts.firsts[session.rank], own, SCATTERV,
                     "receive buffer", size);
    for (int rank = 0; is_root && rank < session.ranks; rank++)
        check_values(pair, &pair->input, send.data + (size_t)parts.places[rank] * extent,
                     17 * root + parts.firsts[rank], parts.counts[rank], SCATTERV, "send buffer", size);
    check_guards(&receive, SCATTERV, "receive buffer", size);
    check_guards(&send, SCATTERV, "send buffer", size);
    parts_free(&parts);
}

void test_data_movement(const struct pair* pair, const struct size_case* size) {
    test_allgather(pair, size);
    test_allgatherv(pair, size);
    test_alltoall(pair, size);
    for (int i = 0; i < size->roots; i++) {
        const int root = (size->first_root + i) % session.ranks;
        test_bcast(pair, size, root);
        test_gather(pair, size, root);
        test_scatter(pair, size, root);
        test_gatherv(pair, size, root);
        test_scatterv(pair, size, root);
    }
}
