/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/request_calls.h"

#include "test/mpi/session.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- data ---------------------------------------------------------------------------------------------------------
 */

static const int strides[LAYOUTS] = {[PLAIN] = 1, [GAPS] = 2, [DOWNWARDS] = -1};

static long long value(const struct request_call* call, int rank, int i) {
    return (long long)(mix((uint64_t)(rank + 1000 * call->salt), (uint64_t)i) % 1000003) - 500001;
}

static long long sum_before(const struct request_call* call, int end, int i) {
    long long sum = 0;
    for (int rank = 0; rank < end; rank++) sum += value(call, rank, i);
    return sum;
}

static long long sum_of(const struct request_call* call, int i) {
    return sum_before(call, call->ranks, i);
}

static long long* element(const struct request_call* call, long long* data, int i) {
    return data + (ptrdiff_t)i * strides[call->layout];
}

/* MPI_SUM is not for types of the program's own. */
static void add(void* left, void* right, int* count, MPI_Datatype* type) {
    MPI_Aint lower, extent;
    MPI_Type_get_extent(*type, &lower, &extent);
    for (int i = 0; i < *count; i++)
        *(long long*)((char*)right + i * extent) += *(long long*)((char*)left + i * extent);
}

static void make_type(struct request_call* call) {
    call->type = MPI_LONG_LONG;
    call->sum = MPI_SUM;
    if (call->layout == PLAIN) return;
    MPI_Type_create_resized(MPI_LONG_LONG, 0, strides[call->layout] * (MPI_Aint)sizeof(long long), &call->type);
    MPI_Type_commit(&call->type);
    MPI_Op_create(add, 1, &call->sum);
}

void make_call_of(struct request_call* call, enum kind kind, MPI_Comm communicator, int count, int salt,
                  enum layout layout, bool in_place) {
    *call = (struct request_call){
        .kind = kind, .communicator = communicator, .count = count, .layout = layout, .in_place = in_place};
    MPI_Comm_rank(communicator, &call->rank);
    MPI_Comm_size(communicator, &call->ranks);
    call->root = salt % call->ranks;
    const ptrdiff_t words = 2 * (ptrdiff_t)count * call->ranks + 1;
    long long* const memory = malloc(2 * (size_t)words * sizeof *memory);
    call->memory = memory;
    call->sent = layout == DOWNWARDS ? memory + words - 1 : memory;
    call->received = call->sent + words;
    call->pieces = malloc((size_t)call->ranks * sizeof *call->pieces);
    call->begins = malloc((size_t)call->ranks * sizeof *call->begins);
    call->byte_begins = malloc((size_t)call->ranks * sizeof *call->byte_begins);
    call->types = malloc((size_t)call->ranks * sizeof *call->types);
    make_type(call);
    for (int rank = 0; rank < call->ranks; rank++) {
        call->pieces[rank] = count;
        call->begins[rank] = rank * count;
        call->byte_begins[rank] = call->begins[rank] * strides[layout] * (int)sizeof *call->sent;
        call->types[rank] = call->type;
    }
    fill_call(call, salt);
}

void make_call(struct request_call* call, enum kind kind, MPI_Comm communicator, int count, int salt) {
    make_call_of(call, kind, communicator, count, salt, PLAIN, false);
}

static bool is_gathered(const struct request_call* call) {
    return call->kind == GATHERED || call->kind == GATHERED_V || call->kind == COLLECTED || call->kind == COLLECTED_V;
}

static bool is_dealt(const struct request_call* call) {
    return call->kind == DEALT || call->kind == DEALT_V;
}

/* Whether the root alone has what a call in place leaves in its receive buffer. */
static bool ends_at_root(const struct request_call* call) {
    return call->kind == LAST_SUM || call->kind == COLLECTED || call->kind == COLLECTED_V;
}

/* Whether element i is to be in `received` before the call. */
static bool is_there(const struct request_call* call, int i) {
    if (call->kind == SPREAD) return call->rank == call->root;
    if (!call->in_place || is_dealt(call) || (ends_at_root(call) && call->rank != call->root)) return false;
    return !is_gathered(call) || i / call->count == call->rank;
}

void fill_call(struct request_call* call, int salt) {
    const int whole = call->count * call->ranks;
    call->salt = salt;
    for (int i = 0; i < whole; i++) {
        const int number = is_gathered(call) && call->in_place ? i % call->count : i;
        *element(call, call->sent, i) = value(call, call->rank, i);
        *element(call, call->received, i) = is_there(call, i) ? value(call, call->rank, number) : -1;
    }
}

void free_call(struct request_call* call) {
    if (call->layout != PLAIN) {
        MPI_Type_free(&call->type);
        MPI_Op_free(&call->sum);
    }
    free(call->memory);
    free(call->pieces);
    free(call->begins);
    free(call->byte_begins);
    free(call->types);
}

const void* sent_by(const struct request_call* call) {
    const bool from_received = call->in_place && !is_dealt(call) && (!ends_at_root(call) || call->rank == call->root);
    return from_received ? MPI_IN_PLACE : call->sent;
}

void* received_by(const struct request_call* call) {
    return call->in_place && is_dealt(call) && call->rank == call->root ? MPI_IN_PLACE : call->received;
}

/* ---- results ------------------------------------------------------------------------------------------------------
 */

static long long expected(const struct request_call* call, int i) {
    const int from = i / call->count, within = i % call->count;
    switch (call->kind) {
        case SUM:
        case LAST_SUM:
            return sum_of(call, i);
        case PREFIX:
            return sum_before(call, call->rank + 1, i);
        case PREFIX_BEFORE:
            if (call->rank > 0) return sum_before(call, call->rank, i);
            return call->in_place ? value(call, 0, i) : -1;
        case PART:
        case PARTS:
            return sum_of(call, call->rank * call->count + i);
        case GATHERED:
        case GATHERED_V:
        case COLLECTED:
        case COLLECTED_V:
            return value(call, from, within);
        case DEALT:
        case DEALT_V:
            return value(call, call->root, call->rank * call->count + i);
        case SPREAD:
            return value(call, call->root, i);
        default:
            return value(call, from, call->rank * call->count + within);
    }
}

void check_result(const struct request_call* call, const char* what) {
    int elements = call->count * call->ranks, i = 0;
    if (call->kind == PART || call->kind == PARTS || is_dealt(call)) elements = call->count;
    if (call->kind == ENTERED || (ends_at_root(call) && call->rank != call->root)) elements = 0;
    if (received_by(call) != call->received) elements = 0;
    while (i < elements && *element(call, call->received, i) == expected(call, i)) i++;
    check(i == elements, "%s: call of kind %d, layout %d%s, %d ranks: element %d of %d is wrong", what, (int)call->kind,
          (int)call->layout, call->in_place ? " in place" : "", call->ranks, i, elements);
}

/* ---- misuse -------------------------------------------------------------------------------------------------------
 */

MPI_Comm begin_returning_errors(void) {
    MPI_Comm communicator;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return communicator;
}

void end_returning_errors(MPI_Comm* communicator) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(communicator);
}

void check_cannot_be_ended(MPI_Request request, const char* what) {
    int class = MPI_SUCCESS;
    MPI_Request copy = request;
    MPI_Error_class(MPI_Cancel(&request), &class);
    check(class == MPI_ERR_REQUEST, "MPI_Cancel of %s: error class %d", what, class);
    MPI_Error_class(MPI_Request_free(&copy), &class);
    check(class == MPI_ERR_REQUEST && copy == request, "MPI_Request_free of %s: error class %d", what, class);
}

/* ---- what programs of requests need besides ------------------------------------------------------------------------
 */

void larger_of_pairs(void* left, void* right, int* count, MPI_Datatype* type) {
    (void)type;
    long long *const from = left, *const to = right;
    for (int i = 0; i < 2 * *count; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
}

unsigned draw(uint64_t* state, unsigned below) {
    *state = mix(*state, 17);
    return (unsigned)(*state % below);
}
