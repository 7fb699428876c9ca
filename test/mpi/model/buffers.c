/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/buffers.h"

#include "test/mpi/model/neighbor_buffers.h"
#include "test/mpi/model/values.h"
#include "test/mpi/session.h"

#include <stdlib.h>

bool is_reduction(int collective) {
    return collective == ALLREDUCE || collective == REDUCE || collective == REDUCE_SCATTER ||
           collective == REDUCE_SCATTER_BLOCK || collective == SCAN || collective == EXSCAN;
}

/* ---- counts -------------------------------------------------------------------------------------------------- */

/* From one rank to another, or of one rank. In place, both directions have the same. */
int spread_count(const struct call* call, int root, int from, int to) {
    const int low = from < to ? from : to, high = from < to ? to : from;
    const int place = call->in_place ? from + to : from + 2 * to;
    switch (call->spread) {
        case GROWING:
            return call->count * place / 4;
        case EVERY_OTHER:
            return place % 2 == 0 ? call->count : 0;
        case ONLY_ONE:
            return from == root || (call->in_place && to == root) ? call->count : 0;
        case ANY: {
            const uint64_t pair =
                call->in_place ? mix((uint64_t)low, (uint64_t)high) : mix((uint64_t)from, (uint64_t)to);
            return (int)(mix((uint64_t)call->contents, pair) % (uint64_t)(2 * call->count + 1));
        }
        default:
            return call->count;
    }
}

int piece_elements(const struct call* call, const struct buffers* buffers, int rank) {
    return call->collective == REDUCE_SCATTER ? spread_count(call, buffers->root, rank, 0) : call->count;
}

/* Units of data from one rank to another. */
static int pair_units(const struct call* call, int root, int from, int to) {
    if (call->collective == ALLGATHERV || call->collective == GATHERV)
        return MOST_UNITS * spread_count(call, root, from, 0);
    if (call->collective == SCATTERV) return MOST_UNITS * spread_count(call, root, to, 0);
    const bool differ = call->collective == ALLTOALLV || call->collective == ALLTOALLW;
    return MOST_UNITS * (differ ? spread_count(call, root, from, to) : call->count);
}

static enum arrangement arrangement_of(const struct call* call) {
    if (call->collective == ALLTOALLW) return OF_TYPES;
    const bool has_places =
        call->collective == ALLGATHERV || call->collective == GATHERV || call->collective == SCATTERV;
    return call->collective == ALLTOALLV || (call->contents % 2 == 0 && has_places) ? APART : BEHIND;
}

/* ---- reductions ---------------------------------------------------------------------------------------------- */

/* Units [first, ...) of the vector: this rank's operands, or the result. */
static void write_operands(const struct call* call, int rank, struct side* side) {
    char unit[LARGEST_UNIT];
    const struct piece* piece = &side->pieces[0];
    for (int i = 0; i < piece->count * piece->shape.layout.maps; i++) {
        value_operand(call, rank, i, unit);
        memory_write(&side->memory, piece, i, unit, true);
    }
}

/* The ranks whose operands the result is of: those before this number. */
static int result_end(const struct call* call, const struct buffers* buffers) {
    if (call->collective == SCAN) return buffers->me + 1;
    return call->collective == EXSCAN ? buffers->me : buffers->members;
}

static void write_result(const struct call* call, const struct buffers* buffers, int first, int elements,
                         struct side* side) {
    char unit[LARGEST_UNIT];
    const int end = result_end(call, buffers);
    if (end == 0) return; /* rank 0 of an exscan: nothing is written */
    const struct piece* piece = &side->pieces[0];
    const int maps = piece->shape.layout.maps;
    for (int i = 0; i < elements * maps; i++) {
        value_result(call, end, first * maps + i, unit);
        memory_write(&side->memory, piece, i, unit, false);
    }
    /* In place, MPI does not say what lies behind this rank's piece afterwards. */
    for (int i = elements * maps; i < piece->count * maps; i++) memory_permit(&side->memory, piece, i);
}

static void set_up_reduction(const struct call* call, struct buffers* buffers) {
    const bool of_pieces = call->collective == REDUCE_SCATTER || call->collective == REDUCE_SCATTER_BLOCK;
    int all = call->count, first = 0, own = call->count;
    if (of_pieces) {
        all = 0;
        for (int rank = 0; rank < buffers->members; rank++) {
            if (rank == buffers->me) first = all;
            all += piece_elements(call, buffers, rank);
        }
        own = piece_elements(call, buffers, buffers->me);
    }
    if (call->collective == REDUCE && buffers->me != buffers->root) own = 0;
    buffers->in_place = call->in_place && (call->collective != REDUCE || buffers->me == buffers->root);
    buffers->send = side_new(1);
    buffers->receive = side_new(1);
    buffers->send.pieces[0] = (struct piece){operation_shape(call, all), 0, all};
    buffers->receive.pieces[0] = buffers->send.pieces[0];
    buffers->receive.pieces[0].shape.owns_type = false;
    buffers->receive.pieces[0].count = buffers->in_place ? all : own;
    buffers->send.memory = memory_new(buffers->send.pieces, 1);
    buffers->receive.memory = memory_new(buffers->receive.pieces, 1);
    write_operands(call, buffers->me, &buffers->send);
    if (buffers->in_place) write_operands(call, buffers->me, &buffers->receive);
    write_result(call, buffers, first, own, &buffers->receive);
}

/* ---- moved data ---------------------------------------------------------------------------------------------- */

static bool is_allgather(int collective) {
    return collective == ALLGATHER || collective == ALLGATHERV;
}

static bool is_rooted_move(int collective) {
    return collective == GATHER || collective == SCATTER || collective == GATHERV || collective == SCATTERV;
}

static bool is_gather(int collective) {
    return collective == GATHER || collective == GATHERV;
}

static bool is_scatter(int collective) {
    return collective == SCATTER || collective == SCATTERV;
}

/* A bcast or an allgather sends the same to all, a gather to the root alone. */
static void write_moved(const struct call* call, struct side* side, int piece, int from, int to, bool also_actual) {
    const bool to_all = call->collective == BCAST || is_gather(call->collective) || is_allgather(call->collective);
    char unit[LARGEST_UNIT];
    const struct piece* written = &side->pieces[piece];
    for (int i = 0; i < written->count * written->shape.layout.maps; i++) {
        value_moved(call, from, to_all ? 0 : to, i, unit);
        memory_write(&side->memory, written, i, unit, also_actual);
    }
}

/* How many pieces a rank sends, and receives. */
static int pieces_sent(const struct call* call, const struct buffers* buffers) {
    if (call->collective == BARRIER || call->collective == BCAST) return 0;
    if (is_gather(call->collective) || is_allgather(call->collective)) return 1;
    return is_scatter(call->collective) && buffers->me != buffers->root ? 0 : buffers->members;
}

static int pieces_received(const struct call* call, const struct buffers* buffers) {
    if (call->collective == BARRIER) return 0;
    if (is_scatter(call->collective)) return buffers->in_place ? 0 : 1;
    if (call->collective == BCAST) return 1;
    return is_gather(call->collective) && buffers->me != buffers->root ? 0 : buffers->members;
}

static void set_up_moves(const struct call* call, struct buffers* buffers) {
    const int me = buffers->me, members = buffers->members;
    const bool bcast = call->collective == BCAST, from_root = bcast || is_scatter(call->collective);
    const bool gather = is_gather(call->collective) || is_allgather(call->collective);
    int* units = calloc((size_t)members, sizeof *units);
    buffers->in_place = call->in_place && !bcast && call->collective != BARRIER &&
                        (!is_rooted_move(call->collective) || me == buffers->root);
    buffers->send = side_new(pieces_sent(call, buffers));
    buffers->receive = side_new(pieces_received(call, buffers));
    for (int peer = 0; peer < members; peer++) units[peer] = pair_units(call, buffers->root, me, peer);
    side_place(&buffers->send, arrangement_of(call), units, me % 2 == 0 ? call->type : call->other_type);
    for (int peer = 0; peer < members; peer++) units[peer] = pair_units(call, buffers->root, peer, me);
    side_place(&buffers->receive, arrangement_of(call), units, me % 2 == 1 ? call->type : call->other_type);
    free(units);
    buffers->send.memory = memory_new(buffers->send.pieces, buffers->send.number);
    buffers->receive.memory = memory_new(buffers->receive.pieces, buffers->receive.number);
    for (int i = 0; i < buffers->send.number; i++) write_moved(call, &buffers->send, i, me, i, true);
    for (int i = 0; i < buffers->receive.number; i++) {
        /* Before the call: the root has its data; in place, a rank has what it sends. */
        if (bcast ? me == buffers->root : buffers->in_place && (!gather || i == me))
            write_moved(call, &buffers->receive, i, me, i, true);
        write_moved(call, &buffers->receive, i, from_root ? buffers->root : i, me, false);
    }
}

struct buffers buffers_new(const struct call* call, MPI_Comm communicator) {
    struct buffers buffers = {.members = 0};
    MPI_Comm_size(communicator, &buffers.members);
    MPI_Comm_rank(communicator, &buffers.me);
    buffers.root = call->root % buffers.members;
    if (is_reduction(call->collective))
        set_up_reduction(call, &buffers);
    else if (is_to_neighbors(call->collective))
        set_up_for_neighbors(call, &buffers, communicator);
    else
        set_up_moves(call, &buffers);
    return buffers;
}

void buffers_free(struct buffers* buffers) {
    side_free(&buffers->send);
    side_free(&buffers->receive);
}
