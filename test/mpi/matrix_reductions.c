/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/matrix_case.h"
#include "test/mpi/session.h"

/* The buffers of one call on a vector, of which this rank gets a piece. In place, the vector lies in the receive
 * buffer. */
struct call {
    struct guarded send, receive;
    const void* send_argument;
    bool in_place;
    struct counters before;
};

static struct call call_begin(const struct pair* pair, long long vector, long long piece, bool in_place) {
    struct call call = {{0}, {0}, MPI_IN_PLACE, in_place, counters_read()};
    call.receive = guarded_new((size_t)(in_place ? vector : piece) * pair->element->extent);
    if (in_place) {
        fill(pair, call.receive.data, 0, vector);
    } else {
        call.send = guarded_new((size_t)vector * pair->element->extent);
        fill(pair, call.send.data, 0, vector);
        call.send_argument = call.send.data;
    }
    return call;
}

static enum duty duty_of_scan(long long elements) {
    const enum duty duty = duty_for(elements);
    return duty == DUTY_COMPONENT && scans_may_be_left() ? DUTY_EITHER : duty;
}

static void call_end_with(const struct pair* pair, const struct periodic* result, struct call* call,
                          enum collective collective, enum duty duty, long long vector, long long first,
                          long long piece, const struct size_case* size) {
    counters_check(&call->before, collective, 1, duty, size->text);
    check_values(pair, result, call->receive.data, first, piece, collective, "receive buffer", size);
    check_guards(&call->receive, collective, "receive buffer", size);
    if (!call->in_place) {
        check_values(pair, &pair->input, call->send.data, 0, vector, collective, "send buffer", size);
        check_guards(&call->send, collective, "send buffer", size);
    }
}

static void call_end(const struct pair* pair, struct call* call, enum collective collective, long long vector,
                     long long first, long long piece, const struct size_case* size) {
    call_end_with(pair, &pair->result, call, collective, duty_for(vector), vector, first, piece, size);
}

void test_allreduce(const struct pair* pair, const struct size_case* size) {
    struct call call = call_begin(pair, size->count, size->count, size->in_place);
    MPI_Allreduce(call.send_argument, call.receive.data, size->count, pair->element->type, pair->operation->op,
                  MPI_COMM_WORLD);
    call_end(pair, &call, ALLREDUCE, size->count, 0, size->count, size);
}

/* Only the root may be in place, and only its receive buffer counts: the others have none. */
static void test_reduce(const struct pair* pair, const struct size_case* size, int root) {
    const bool is_root = session.rank == root;
    const int piece = is_root ? size->count : 0;
    struct call call = call_begin(pair, size->count, piece, size->in_place && is_root);
    MPI_Reduce(call.send_argument, is_root ? call.receive.data : NULL, size->count, pair->element->type,
               pair->operation->op, root, MPI_COMM_WORLD);
    call_end(pair, &call, REDUCE, size->count, 0, piece, size);
}

static void test_scan(const struct pair* pair, const struct size_case* size) {
    struct call call = call_begin(pair, size->count, size->count, size->in_place);
    MPI_Scan(call.send_argument, call.receive.data, size->count, pair->element->type, pair->operation->op,
             MPI_COMM_WORLD);
    call_end_with(pair, &pair->through_own, &call, SCAN, duty_of_scan(size->count), size->count, 0, size->count, size);
}

/* Nothing is written on rank 0, which needs no receive buffer, but has one in place: there its input stays. */
static void test_exscan(const struct pair* pair, const struct size_case* size) {
    const bool is_first = session.rank == 0;
    const int piece = is_first && !size->in_place ? 0 : size->count;
    struct call call = call_begin(pair, size->count, piece, size->in_place);
    MPI_Exscan(call.send_argument, piece > 0 ? call.receive.data : NULL, size->count, pair->element->type,
               pair->operation->op, MPI_COMM_WORLD);
    call_end_with(pair, is_first ? &pair->input : &pair->before, &call, EXSCAN, duty_of_scan(size->count), size->count,
                  0, piece, size);
}

/* Pieces of unequal size, some of them empty, that add up to the whole. */
static void irregular_pieces(int whole, int* pieces) {
    long long weights = 0, seen = 0;
    for (int rank = 0; rank < session.ranks; rank++) weights += (long long)(mix(77, (uint64_t)rank) % 4);
    if (weights == 0) weights = 1;
    int given = 0;
    for (int rank = 0; rank < session.ranks; rank++) {
        seen += (long long)(mix(77, (uint64_t)rank) % 4);
        pieces[rank] = (rank == session.ranks - 1 ? whole : (int)(whole * seen / weights)) - given;
        given += pieces[rank];
    }
}

static void test_reduce_scatter(const struct pair* pair, const struct size_case* size) {
    int pieces[MOST_RANKS], first = 0;
    irregular_pieces(size->count, pieces);
    for (int rank = 0; rank < session.rank; rank++) first += pieces[rank];
    struct call call = call_begin(pair, size->count, pieces[session.rank], size->in_place);
    MPI_Reduce_scatter(call.send_argument, call.receive.data, pieces, pair->element->type, pair->operation->op,
                       MPI_COMM_WORLD);
    call_end(pair, &call, REDUCE_SCATTER, size->count, first, pieces[session.rank], size);
}

static void test_reduce_scatter_block(const struct pair* pair, const struct size_case* size) {
    const int piece = piece_size(size);
    const long long vector = (long long)piece * session.ranks;
    struct call call = call_begin(pair, vector, piece, size->in_place);
    MPI_Reduce_scatter_block(call.send_argument, call.receive.data, piece, pair->element->type, pair->operation->op,
                             MPI_COMM_WORLD);
    call_end(pair, &call, REDUCE_SCATTER_BLOCK, vector, (long long)piece * session.rank, piece, size);
}

void test_reductions(const struct pair* pair, const struct size_case* size) {
    test_allreduce(pair, size);
    test_scan(pair, size);
    test_exscan(pair, size);
    for (int i = 0; i < size->roots; i++) test_reduce(pair, size, (size->first_root + i) % session.ranks);
    test_reduce_scatter(pair, size);
    test_reduce_scatter_block(pair, size);
}
