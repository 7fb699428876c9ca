/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/neighbor_case.h"

#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- communicators ----------------------------------------------------------------------------------------------- */

bool cartesian_new(struct cartesian* cartesian, int dimensions, const int* sizes, const int* periods) {
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 0, &cartesian->communicator);
    if (cartesian->communicator == MPI_COMM_NULL) return false;
    MPI_Comm_rank(cartesian->communicator, &cartesian->rank);
    cartesian->dimensions = dimensions;
    cartesian->neighbors = 2 * dimensions;
    int used = 0;
    for (int d = 0; d < dimensions; d++) {
        cartesian->sizes[d] = sizes[d];
        cartesian->periods[d] = periods[d];
        MPI_Cart_shift(cartesian->communicator, d, 1, &cartesian->neighbor[2 * d], &cartesian->neighbor[2 * d + 1]);
        used += snprintf(cartesian->text + used, sizeof cartesian->text - (size_t)used, "%s%d%s", d > 0 ? "x" : "",
                         sizes[d], periods[d] ? "p" : "");
    }
    return true;
}

void cartesian_free(struct cartesian* cartesian) {
    MPI_Comm_free(&cartesian->communicator);
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

enum { AS_THEY_ARE, BY_THREES, WITH_GAPS };

struct form {
    MPI_Datatype type;
    int numbers; /* in an element of the type */
    int extent;  /* ints from one element to the next */
    int stride;  /* ints from one number to the next in it */
};
static struct form forms[FORMS];

void forms_new(void) {
    MPI_Datatype pair;
    forms[AS_THEY_ARE] = (struct form){MPI_INT, 1, 1, 1};
    forms[BY_THREES] = (struct form){MPI_INT, 3, 3, 1};
    MPI_Type_contiguous(3, MPI_INT, &forms[BY_THREES].type);
    MPI_Type_commit(&forms[BY_THREES].type);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    forms[WITH_GAPS] = (struct form){MPI_INT, 2, 4, 2};
    MPI_Type_create_resized(pair, 0, 4 * (MPI_Aint)sizeof(int), &forms[WITH_GAPS].type);
    MPI_Type_commit(&forms[WITH_GAPS].type);
    MPI_Type_free(&pair);
}

void forms_free(void) {
    MPI_Type_free(&forms[BY_THREES].type);
    MPI_Type_free(&forms[WITH_GAPS].type);
}

/* A form that can hold so many numbers. */
static int form_for(int numbers, int wish) {
    const int form = wish % FORMS;
    return numbers % forms[form].numbers == 0 ? form : AS_THEY_ARE;
}

/* ---- sides ------------------------------------------------------------------------------------------------------- */

enum { UNTOUCHED = 0x5a5a5a5a, GAP = 3 };

static bool is_equal(enum collective collective) {
    return collective == NEIGHBOR_ALLGATHER || collective == NEIGHBOR_ALLTOALL;
}

static bool is_one_for_all(enum collective collective) {
    return collective == NEIGHBOR_ALLGATHER || collective == NEIGHBOR_ALLGATHERV;
}

/* What a rank sends to one of its neighbours; where that is not there, a number that must not matter. */
static int numbers_from(const struct neighbor_call* call, int numbers, int rank, int neighbor) {
    if (is_equal(call->collective)) return numbers;
    const int which = is_one_for_all(call->collective) ? 0 : neighbor;
    return numbers * ((rank + which + call->salt) % 3) + (numbers > 0 ? (rank + which) % 2 : 0);
}

static int number_of(const struct neighbor_call* call, int rank, int neighbor, int index) {
    const int which = is_one_for_all(call->collective) ? 0 : neighbor;
    return (int)(mix((uint64_t)rank * 64 + (uint64_t)which, (uint64_t)index * 4096 + (uint64_t)call->salt) &
                 0x3fffffff);
}

/* Equal pieces lie one behind the other; others apart, the last one first. */
static void lay_out(struct side* side, bool equal, bool typed, int wish) {
    int end = 0;
    for (int i = 0; i < side->pieces; i++) {
        const int k = equal ? i : side->pieces - 1 - i;
        side->form[k] = form_for(side->numbers[k], typed ? wish + k : wish);
        for (int other = 0; !typed && other < side->pieces; other++)
            if (form_for(side->numbers[other], wish) != wish % FORMS) side->form[k] = AS_THEY_ARE;
        const struct form* form = &forms[side->form[k]];
        const int blocks = side->numbers[k] / form->numbers;
        if (!equal) end += GAP * form->extent;
        while (!equal && end % form->extent != 0) end++;
        side->types[k] = form->type;
        side->counts[k] = blocks;
        side->byte_displacements[k] = end * (MPI_Aint)sizeof(int);
        side->displacements[k] = end / form->extent;
        end += blocks * form->extent;
    }
    side->ints = end + GAP;
    side->memory = malloc((size_t)side->ints * sizeof *side->memory);
}

/* The numbers of a piece, one after the other. */
struct cursor {
    int* number;
    const struct form* form;
    int of_element; /* its place among those of its element */
};

static struct cursor first_number(const struct side* side, int piece) {
    return (struct cursor){side->memory + side->byte_displacements[piece] / (MPI_Aint)sizeof(int),
                           &forms[side->form[piece]], 0};
}

static void advance(struct cursor* cursor) {
    const struct form* form = cursor->form;
    cursor->number += form->stride;
    if (++cursor->of_element < form->numbers) return;
    cursor->number += form->extent - form->numbers * form->stride;
    cursor->of_element = 0;
}

static void clear(struct side* side) {
    for (int i = 0; i < side->ints; i++) side->memory[i] = UNTOUCHED;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

void neighbor_call_new(struct neighbor_call* call, enum collective collective, const struct cartesian* cartesian,
                       int numbers, int salt) {
    const bool equal = is_equal(collective), typed = collective == NEIGHBOR_ALLTOALLW;
    *call = (struct neighbor_call){.collective = collective, .cartesian = cartesian, .salt = salt};
    call->sent.pieces = is_one_for_all(collective) ? 1 : cartesian->neighbors;
    call->received.pieces = cartesian->neighbors;
    for (int k = 0; k < cartesian->neighbors; k++) {
        const int from = cartesian->neighbor[k];
        call->sent.numbers[k] = numbers_from(call, numbers, cartesian->rank, k);
        call->received.numbers[k] =
            from == MPI_PROC_NULL ? (equal ? numbers : 7) : numbers_from(call, numbers, from, k ^ 1);
    }
    lay_out(&call->sent, equal, typed, salt);
    lay_out(&call->received, equal, typed, salt / FORMS);
    clear(&call->sent);
    for (int k = 0; k < call->sent.pieces; k++) {
        struct cursor at = first_number(&call->sent, k);
        for (int i = 0; i < call->sent.numbers[k]; i++, advance(&at))
            *at.number = number_of(call, cartesian->rank, k, i);
    }
    neighbor_call_clear(call);
}

void neighbor_call_clear(struct neighbor_call* call) {
    clear(&call->received);
}

void neighbor_call_check(const struct neighbor_call* call, const char* what) {
    const struct side* side = &call->received;
    int wrong = 0, touched = 0;
    for (int k = 0; k < side->pieces; k++) {
        const int from = call->cartesian->neighbor[k];
        struct cursor at = first_number(side, k);
        for (int i = 0; from != MPI_PROC_NULL && i < side->numbers[k]; i++, advance(&at)) {
            if (*at.number != number_of(call, from, k ^ 1, i)) wrong++;
            *at.number = UNTOUCHED;
        }
    }
    for (int i = 0; i < side->ints; i++)
        if (side->memory[i] != UNTOUCHED) touched++;
    check(wrong == 0 && touched == 0, "%s %s on %s, %d numbers: %d wrong, %d written elsewhere",
          collective_names[call->collective], what, call->cartesian->text, side->numbers[0], wrong, touched);
}

void neighbor_call_free(struct neighbor_call* call) {
    free(call->sent.memory);
    free(call->received.memory);
}
