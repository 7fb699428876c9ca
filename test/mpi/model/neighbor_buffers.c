/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/neighbor_buffers.h"

#include "test/mpi/model/values.h"

static bool is_one_for_all(const struct call* call) {
    return call->collective == NEIGHBOR_ALLGATHER || call->collective == NEIGHBOR_ALLGATHERV;
}

/* What a rank sends to its neighbour of a number is told from what it sends to the others by that number: several may
 * be the same rank. */
static int place_of(const struct call* call, int number) {
    return is_one_for_all(call) ? 0 : number;
}

static int units_of(const struct call* call, int root, int from, int number) {
    const bool equal = call->collective == NEIGHBOR_ALLGATHER || call->collective == NEIGHBOR_ALLTOALL;
    return MOST_UNITS * (equal ? call->count : spread_count(call, root, from, place_of(call, number)));
}

static enum arrangement arrangement_of(const struct call* call) {
    if (call->collective == NEIGHBOR_ALLTOALLW) return OF_TYPES;
    const bool has_places = call->collective == NEIGHBOR_ALLGATHERV && call->contents % 2 == 0;
    return call->collective == NEIGHBOR_ALLTOALLV || has_places ? APART : BEHIND;
}

static void write_piece(const struct call* call, struct side* side, int piece, int from, int number, bool also_actual) {
    char unit[LARGEST_UNIT];
    const struct piece* written = &side->pieces[piece];
    for (int i = 0; i < written->count * written->shape.layout.maps; i++) {
        value_moved(call, from, place_of(call, number), i, unit);
        memory_write(&side->memory, written, i, unit, also_actual);
    }
}

/* The one behind a rank has it as the one before. */
static int opposite(int number) {
    return number ^ 1;
}

void set_up_for_neighbors(const struct call* call, struct buffers* buffers, MPI_Comm communicator) {
    enum { MOST = 2 * MOST_DIMENSIONS };
    int neighbor[MOST], units[MOST], dimensions;
    MPI_Cartdim_get(communicator, &dimensions);
    for (int d = 0; d < dimensions; d++) MPI_Cart_shift(communicator, d, 1, &neighbor[2 * d], &neighbor[2 * d + 1]);
    const int me = buffers->me, neighbors = 2 * dimensions;
    const enum arrangement arrangement = arrangement_of(call);
    buffers->in_place = false;
    buffers->send = side_new(is_one_for_all(call) ? 1 : neighbors);
    buffers->receive = side_new(neighbors);
    for (int k = 0; k < neighbors; k++) units[k] = units_of(call, buffers->root, me, k);
    side_place(&buffers->send, arrangement, units, me % 2 == 0 ? call->type : call->other_type);
    for (int k = 0; k < neighbors; k++) {
        const int from = neighbor[k] != MPI_PROC_NULL ? neighbor[k] : me;
        units[k] = units_of(call, buffers->root, from, opposite(k));
    }
    side_place(&buffers->receive, arrangement, units, me % 2 == 1 ? call->type : call->other_type);
    buffers->send.memory = memory_new(buffers->send.pieces, buffers->send.number);
    buffers->receive.memory = memory_new(buffers->receive.pieces, buffers->receive.number);
    for (int k = 0; k < buffers->send.number; k++) write_piece(call, &buffers->send, k, me, k, true);
    for (int k = 0; k < neighbors; k++)
        if (neighbor[k] != MPI_PROC_NULL) write_piece(call, &buffers->receive, k, neighbor[k], opposite(k), false);
}
