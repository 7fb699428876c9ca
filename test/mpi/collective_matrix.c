/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every predefined operation x every predefined type that has it x sizes x in place or not, in allreduce,
 * reduce_scatter and reduce_scatter_block, and every type in allgather. Results are compared with what each rank
 * computes from the known inputs of all ranks, exactly.
 */
#include "test/mpi/counters.h"
#include "test/mpi/guarded.h"
#include "test/mpi/operations.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>

/* Inputs repeat with this period, a prime that falls in with no cut of the vector. */
enum { PERIOD = 1009, SIZES = 6, SAMPLED_PAIRS = 11 };

static const int sizes[SIZES] = {0, 1, 2, 7, 1000, 100003};

struct pair {
    const struct operation* operation; /* NULL: no reduction */
    const struct element* element;
    struct value input[PERIOD];  /* of this rank */
    struct value result[PERIOD]; /* of all ranks */
};

struct size_case {
    int count;
    bool in_place;
    char text[160];
};

static enum duty duty_for(long long elements) {
    return session.ranks > 1 && elements > 0 ? DUTY_COMPONENT : DUTY_NOBODY;
}

static void fill(const struct pair* pair, char* target, long long count) {
    for (long long i = 0; i < count; i++)
        element_store(pair->element, target + (size_t)i * pair->element->extent, pair->input[i % PERIOD]);
}

static void check_values(const struct pair* pair, const struct value* expected, const struct guarded* buffer,
                         long long first, long long count, const char* where, const struct size_case* size) {
    long long i = 0;
    while (i < count && element_equals(pair->element, buffer->data + (size_t)i * pair->element->extent,
                                       expected[(first + i) % PERIOD]))
        i++;
    check(i == count, "%s: element %lld of %lld in the %s is wrong", size->text, i, count, where);
    check(guarded_intact(buffer), "%s: bytes outside of the %s were written", size->text, where);
}

/* The buffers of one call. The whole vector is sent; in place, it lies in the receive buffer. */
struct call {
    struct guarded send, receive;
    const void* send_argument;
    struct counters before;
};

static struct call call_begin(const struct pair* pair, long long vector, long long piece,
                              const struct size_case* size) {
    struct call call = {{0}, {0}, MPI_IN_PLACE, counters_read()};
    call.receive = guarded_new((size_t)(size->in_place ? vector : piece) * pair->element->extent);
    if (size->in_place) {
        fill(pair, call.receive.data, vector);
    } else {
        call.send = guarded_new((size_t)vector * pair->element->extent);
        fill(pair, call.send.data, vector);
        call.send_argument = call.send.data;
    }
    return call;
}

static void call_end(const struct pair* pair, struct call* call, enum collective collective, long long vector,
                     long long first, long long piece, const struct size_case* size) {
    counters_check(&call->before, collective, 1, duty_for(vector), size->text);
    check_values(pair, pair->result, &call->receive, first, piece, "receive buffer", size);
    if (!size->in_place) {
        check_values(pair, pair->input, &call->send, 0, vector, "send buffer", size);
        guarded_free(&call->send);
    }
    guarded_free(&call->receive);
}

static void test_allreduce(const struct pair* pair, const struct size_case* size) {
    struct call call = call_begin(pair, size->count, size->count, size);
    MPI_Allreduce(call.send_argument, call.receive.data, size->count, pair->element->type, pair->operation->op,
                  MPI_COMM_WORLD);
    call_end(pair, &call, ALLREDUCE, size->count, 0, size->count, size);
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
    struct call call = call_begin(pair, size->count, pieces[session.rank], size);
    MPI_Reduce_scatter(call.send_argument, call.receive.data, pieces, pair->element->type, pair->operation->op,
                       MPI_COMM_WORLD);
    call_end(pair, &call, REDUCE_SCATTER, size->count, first, pieces[session.rank], size);
}

/* Keeps what has to be computed for the largest size in bounds: there the whole vector has that size. */
static int piece_size(const struct size_case* size) {
    return size->count <= 1000 ? size->count : size->count / session.ranks;
}

static void test_reduce_scatter_block(const struct pair* pair, const struct size_case* size) {
    const int piece = piece_size(size);
    const long long vector = (long long)piece * session.ranks;
    struct call call = call_begin(pair, vector, piece, size);
    MPI_Reduce_scatter_block(call.send_argument, call.receive.data, piece, pair->element->type, pair->operation->op,
                             MPI_COMM_WORLD);
    call_end(pair, &call, REDUCE_SCATTER_BLOCK, vector, (long long)piece * session.rank, piece, size);
}

/* Every rank sends its part of one known vector, so that each must end with that vector. */
static void test_allgather(const struct pair* pair, const struct size_case* size) {
    const size_t extent = pair->element->extent;
    const int piece = piece_size(size);
    const long long vector = (long long)piece * session.ranks, first = (long long)piece * session.rank;
    struct guarded receive = guarded_new((size_t)vector * extent), send = guarded_new((size_t)piece * extent);
    char* own = size->in_place ? receive.data + (size_t)first * extent : send.data;
    for (int i = 0; i < piece; i++)
        element_store(pair->element, own + (size_t)i * extent, pair->input[(first + i) % PERIOD]);

    const struct counters before = counters_read();
    MPI_Allgather(size->in_place ? MPI_IN_PLACE : send.data, piece, pair->element->type, receive.data, piece,
                  pair->element->type, MPI_COMM_WORLD);
    counters_check(&before, ALLGATHER, 1, duty_for(vector), size->text);
    check_values(pair, pair->input, &receive, 0, vector, "receive buffer", size);
    if (!size->in_place) check_values(pair, pair->input, &send, first, piece, "send buffer", size);
    guarded_free(&send);
    guarded_free(&receive);
}

static void test_size(const struct pair* pair, int count, bool in_place) {
    struct size_case size = {.count = count, .in_place = in_place};
    snprintf(size.text, sizeof size.text, "%s %s, %d elements%s", pair->operation ? pair->operation->name : "gather",
             pair->element->name, count, in_place ? ", in place" : "");
    if (pair->operation) {
        test_allreduce(pair, &size);
        test_reduce_scatter(pair, &size);
        test_reduce_scatter_block(pair, &size);
    } else {
        test_allgather(pair, &size);
    }
}

static void test_pair(const struct pair* pair, int number) {
    for (int s = 0; s < SIZES; s++) {
        if (session.scale == SCALE_FULL) {
            test_size(pair, sizes[s], false);
            test_size(pair, sizes[s], true);
        } else if (sizes[s] == 7 || sizes[s] == 1000 || (number + s) % 8 == 0) {
            test_size(pair, sizes[s], (number + s) % 2 == 0);
        }
    }
}

/* In a sample only one pair of several is tested, and every size with some of them. */
static void test_numbered_pair(struct pair* pair, int number) {
    if (session.scale == SCALE_SAMPLE) {
        if (number % SAMPLED_PAIRS != 0) return;
        number /= SAMPLED_PAIRS;
    }
    static const struct operation gathered = {"gather", MPI_SUM, 0};
    const struct operation* operation = pair->operation ? pair->operation : &gathered;
    for (int i = 0; i < PERIOD; i++) {
        /* What is gathered is the same vector for all. */
        const int contributor = pair->operation ? session.rank : 0;
        pair->input[i] = operation_input(operation, pair->element, contributor, session.ranks, i);
        pair->result[i] = operation_result(operation, pair->element, session.ranks, i);
    }
    test_pair(pair, number);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    if (session.ranks > MOST_RANKS) {
        fprintf(stderr, "at most %d ranks: sums of 8-bit integers would overflow\n", MOST_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    counters_open();

    int operation_count, element_count, number = 0;
    const struct operation* operation = operations(&operation_count);
    const struct element* element = elements(&element_count);
    static struct pair pair;
    for (int e = 0; e < element_count; e++) {
        for (int o = -1; o < operation_count; o++) {
            if (o >= 0 && !(operation[o].classes >> element[e].class & 1u)) continue;
            pair.operation = o >= 0 ? &operation[o] : NULL;
            pair.element = &element[e];
            test_numbered_pair(&pair, number++);
        }
    }

    counters_close();
    return session_finish("collective_matrix");
}
