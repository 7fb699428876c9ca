/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/run.h"

#include "test/mpi/model/buffers.h"
#include "test/mpi/model/communicators.h"
#include "test/mpi/model/last_words.h"
#include "test/mpi/model/parameters.h"
#include "test/mpi/model/values.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>

enum { TAG_VERDICT = 21, TAG_OF_ALL };

struct totals totals;

void run_open(void) {
    shapes_open();
    operations_open();
    communicators_open();
}

void run_close(void) {
    communicators_close();
    operations_close();
    shapes_close();
}

static int invoke_reduction(const struct call* call, struct buffers* b, MPI_Comm communicator) {
    const struct shape* shape = &b->send.pieces[0].shape;
    const void* input = b->in_place ? MPI_IN_PLACE : b->send.memory.address;
    void* output = b->receive.memory.address;
    const MPI_Datatype type = shape->layout.type;
    const MPI_Op op = operation_handle(call->operation);
    operations_expect(shape);
    if (call->collective == ALLREDUCE) return MPI_Allreduce(input, output, call->count, type, op, communicator);
    if (call->collective == SCAN) return MPI_Scan(input, output, call->count, type, op, communicator);
    if (call->collective == EXSCAN) return MPI_Exscan(input, output, call->count, type, op, communicator);
    if (call->collective == REDUCE) return MPI_Reduce(input, output, call->count, type, op, b->root, communicator);
    if (call->collective == REDUCE_SCATTER_BLOCK)
        return MPI_Reduce_scatter_block(input, output, call->count, type, op, communicator);
    int* counts = calloc((size_t)b->members, sizeof *counts);
    for (int rank = 0; rank < b->members; rank++) counts[rank] = piece_elements(call, b, rank);
    const int error = MPI_Reduce_scatter(input, output, counts, type, op, communicator);
    free(counts);
    return error;
}

static int invoke_to_neighbors(const struct call* call, struct buffers* b, MPI_Comm communicator) {
    const struct side *send = &b->send, *receive = &b->receive;
    const void* input = send->memory.address;
    void* output = receive->memory.address;
    MPI_Aint send_places[2 * MOST_DIMENSIONS], receive_places[2 * MOST_DIMENSIONS];
    switch (call->collective) {
        case NEIGHBOR_ALLGATHER:
            return MPI_Neighbor_allgather(input, send->counts[0], send->types[0], output, receive->counts[0],
                                          receive->types[0], communicator);
        case NEIGHBOR_ALLTOALL:
            return MPI_Neighbor_alltoall(input, send->counts[0], send->types[0], output, receive->counts[0],
                                         receive->types[0], communicator);
        case NEIGHBOR_ALLGATHERV:
            return MPI_Neighbor_allgatherv(input, send->counts[0], send->types[0], output, receive->counts,
                                           receive->displacements, receive->types[0], communicator);
        case NEIGHBOR_ALLTOALLV:
            return MPI_Neighbor_alltoallv(input, send->counts, send->displacements, send->types[0], output,
                                          receive->counts, receive->displacements, receive->types[0], communicator);
        default:
            for (int k = 0; k < send->number; k++) send_places[k] = send->displacements[k];
            for (int k = 0; k < receive->number; k++) receive_places[k] = receive->displacements[k];
            return MPI_Neighbor_alltoallw(input, send->counts, send_places, send->types, output, receive->counts,
                                          receive_places, receive->types, communicator);
    }
}

static int invoke(const struct call* call, struct buffers* b, MPI_Comm communicator) {
    const struct side *send = &b->send, *receive = &b->receive;
    const void* input = b->in_place ? MPI_IN_PLACE : send->memory.address;
    void* output = receive->memory.address;
    switch (call->collective) {
        case BARRIER:
            return MPI_Barrier(communicator);
        case BCAST:
            return MPI_Bcast(output, receive->counts[0], receive->types[0], b->root, communicator);
        case ALLGATHER:
            return MPI_Allgather(input, send->counts[0], send->types[0], output, receive->counts[0], receive->types[0],
                                 communicator);
        case ALLGATHERV:
            return MPI_Allgatherv(input, send->counts[0], send->types[0], output, receive->counts,
                                  receive->displacements, receive->types[0], communicator);
        case GATHER:
            return MPI_Gather(input, send->counts[0], send->types[0], output, receive->counts[0], receive->types[0],
                              b->root, communicator);
        case SCATTER:
            return MPI_Scatter(send->memory.address, send->counts[0], send->types[0],
                               b->in_place ? MPI_IN_PLACE : output, receive->counts[0], receive->types[0], b->root,
                               communicator);
        case GATHERV:
            return MPI_Gatherv(input, send->counts[0], send->types[0], output, receive->counts, receive->displacements,
                               receive->types[0], b->root, communicator);
        case SCATTERV:
            return MPI_Scatterv(send->memory.address, send->counts, send->displacements, send->types[0],
                                b->in_place ? MPI_IN_PLACE : output, receive->counts[0], receive->types[0], b->root,
                                communicator);
        case ALLTOALL:
            return MPI_Alltoall(input, send->counts[0], send->types[0], output, receive->counts[0], receive->types[0],
                                communicator);
        case ALLTOALLV:
            return MPI_Alltoallv(input, send->counts, send->displacements, send->types[0], output, receive->counts,
                                 receive->displacements, receive->types[0], communicator);
        case ALLTOALLW:
            return MPI_Alltoallw(input, send->counts, send->displacements, send->types, output, receive->counts,
                                 receive->displacements, receive->types, communicator);
        default:
            return is_reduction(call->collective) ? invoke_reduction(call, b, communicator)
                                                  : invoke_to_neighbors(call, b, communicator);
    }
}

/* Whether all that this rank sees of the call is right; else `why`. */
static bool run_call(const struct call* call, MPI_Comm communicator, char* why, size_t size) {
    struct buffers buffers = buffers_new(call, communicator);
    const int error = invoke(call, &buffers, communicator);
    bool right = false;
    if (error != MPI_SUCCESS)
        snprintf(why, size, "it returns error %d", error);
    else if (is_reduction(call->collective) && call->operation <= COMPOSE_MAPS && !operations_called_right())
        snprintf(why, size, "the user's function is called with another datatype than the caller's");
    else
        right = memory_check(&buffers.receive.memory, "receive buffer", why, size) &&
                memory_check(&buffers.send.memory, "send buffer", why, size);
    buffers_free(&buffers);
    return right;
}

/* Without the component, rounding depends on the order, and elements that lie before one another are not reduced. */
static bool is_for_all(const struct call* call) {
    const bool sum = call->operation == SUM_FLOAT || call->operation == SUM_DOUBLE;
    const bool downwards = call->operation <= COMPOSE_MAPS && call->type == DOWNWARDS;
    return !is_reduction(call->collective) || (!downwards && (!sum || call->reproducible == 0));
}

/* Counts who did a call since then. Whether that was the component, or would have been had there been data. */
static bool by_component(const struct call* call, const struct counters* before) {
    const struct counters now = counters_read();
    const bool ran = now.runs[call->collective] > before->runs[call->collective];
    const bool passed_on = !ran && now.fallbacks > before->fallbacks;
    totals.calls++;
    totals.by_component += ran;
    totals.passed_on += passed_on;
    totals.without_data += !ran && !passed_on;
    return !passed_on;
}

/* What any rank has found, all ranks know afterwards. */
static struct verdict agree(struct verdict own) {
    enum { WORDS = sizeof own / sizeof own.wrong };
    struct verdict theirs;
    if (session.rank != 0) {
        MPI_Send(&own, WORDS, MPI_UINT64_T, 0, TAG_VERDICT, MPI_COMM_WORLD);
        MPI_Recv(&own, WORDS, MPI_UINT64_T, 0, TAG_OF_ALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return own;
    }
    for (int peer = 1; peer < session.ranks; peer++) {
        MPI_Recv(&theirs, WORDS, MPI_UINT64_T, peer, TAG_VERDICT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        own.wrong |= theirs.wrong;
        own.previous_wrong |= theirs.previous_wrong;
        own.stock_wrong |= theirs.stock_wrong;
    }
    for (int peer = 1; peer < session.ranks; peer++)
        MPI_Send(&own, WORDS, MPI_UINT64_T, peer, TAG_OF_ALL, MPI_COMM_WORLD);
    return own;
}

struct verdict run_group(const struct call* calls, int number, bool stock, bool loud, const char* origin) {
    struct verdict verdict = {0};
    last_words_begin(origin, "while communicators are made");
    const MPI_Comm communicator = communicator_new(&calls[0]);
    const MPI_Comm other = stock ? communicator_without_component(&calls[0]) : MPI_COMM_NULL;
    parameters_set(calls, number);
    for (int i = 0; i < number && communicator != MPI_COMM_NULL; i++) {
        char text[CALL_TEXT], why[160] = "";
        const struct counters before = counters_read();
        call_write(&calls[i], text);
        last_words_begin(origin, text);
        const bool right = run_call(&calls[i], communicator, why, sizeof why);
        uint64_t* wrong = by_component(&calls[i], &before) ? &verdict.wrong : &verdict.previous_wrong;
        if (!right && (wrong == &verdict.wrong || is_for_all(&calls[i]))) *wrong |= UINT64_C(1) << i;
        if (!right && loud) fprintf(stderr, "rank %d of %d: %s: %s\n", session.rank, session.ranks, text, why);
        last_words_begin("without the component", text);
        if (stock && is_for_all(&calls[i]) && !run_call(&calls[i], other, why, sizeof why))
            verdict.stock_wrong |= UINT64_C(1) << i;
    }
    last_words_begin(origin, "after it, waiting for other ranks");
    verdict = agree(verdict);
    communicator_free(communicator);
    last_words_end();
    return verdict;
}
