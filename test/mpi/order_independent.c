/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions that must not depend on the order of operands (coll_topo_reproducible exact or fixed_point): sums are
 * compared with those of MPFR, to the bit, and extremes with their rules. Prints a hash of sums that are the same on
 * any number of ranks. With --bytes N the operands are such that fixed_point is exact, too.
 */
#include "test/mpi/counters.h"
#include "test/mpi/numbers.h"
#include "test/mpi/session.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

static MPI_Comm communicator; /* all ranks */

/* ---- the collectives -------------------------------------------------------------------------------------------- */

struct sums {
    const struct number* number;
    int count; /* elements of one piece */
    size_t values, piece;
    void *input, *output, *expected;
};

static void* refill(struct sums* sums, bool in_place) {
    memcpy(sums->output, sums->input, sums->values * sums->number->size);
    return in_place ? MPI_IN_PLACE : sums->input;
}

static void check_collectives(struct sums* sums, bool in_place) {
    const struct number* number = sums->number;
    const int whole = sums->count * session.ranks, root = sums->count % session.ranks;
    int* counts = malloc(sizeof(int) * (size_t)session.ranks);
    size_t own_first = 0;
    for (int rank = 0, left = whole; rank < session.ranks; rank++) {
        counts[rank] = rank == session.ranks - 1 ? left : sums->count * (rank % 2) + sums->count / 2 * (1 - rank % 2);
        left -= counts[rank];
        if (rank < session.rank) own_first += (size_t)counts[rank] * (size_t)number->components;
    }
    const struct counters before = counters_read();
    MPI_Allreduce(refill(sums, in_place), sums->output, whole, number->type, MPI_SUM, communicator);
    counters_check(&before, ALLREDUCE, 1, session.ranks > 1 ? DUTY_COMPONENT : DUTY_NOBODY, number->name);
    compare_numbers(number, sums->output, sums->expected, 0, sums->values,
                    in_place ? "allreduce in place" : "allreduce");
    void* send = refill(sums, in_place && session.rank == root);
    MPI_Reduce(send, sums->output, whole, number->type, MPI_SUM, root, communicator);
    if (session.rank == root) compare_numbers(number, sums->output, sums->expected, 0, sums->values, "reduce");
    /* Where it gets nothing, a rank may name its operands as the receive buffer. */
    refill(sums, false);
    send = session.rank == root ? MPI_IN_PLACE : sums->output;
    MPI_Reduce(send, sums->output, whole, number->type, MPI_SUM, root, communicator);
    if (session.rank == root)
        compare_numbers(number, sums->output, sums->expected, 0, sums->values, "reduce, one buffer");
    MPI_Reduce_scatter(refill(sums, in_place), sums->output, counts, number->type, MPI_SUM, communicator);
    compare_numbers(number, sums->output, sums->expected, own_first,
                    (size_t)counts[session.rank] * (size_t)number->components, "reduce_scatter");
    MPI_Reduce_scatter_block(refill(sums, in_place), sums->output, sums->count, number->type, MPI_SUM, communicator);
    compare_numbers(number, sums->output, sums->expected, sums->piece * (size_t)session.rank, sums->piece,
                    "reduce_scatter_block");
    free(counts);
}

static uint64_t hash_values(const struct number* number, const void* values, size_t count) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        const double value = (double)number_load(number, values, i);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

static void check_number(const struct number* number, int count) {
    struct sums sums = {.number = number, .count = count};
    sums.piece = (size_t)count * (size_t)number->components;
    sums.values = sums.piece * (size_t)session.ranks;
    sums.input = calloc(sums.values, number->size);
    sums.output = calloc(sums.values, number->size);
    sums.expected = calloc(sums.values, number->size);
    fill_operands(number, hard_operand, sums.input, sums.values);
    exact_sums(number, hard_operand, sums.expected, sums.values);
    check_collectives(&sums, false);
    check_collectives(&sums, true);
    /* Of one piece, whose size does not depend on the number of ranks. */
    fill_operands(number, cancelling_operand, sums.input, sums.piece);
    exact_sums(number, cancelling_operand, sums.expected, sums.piece);
    MPI_Allreduce(sums.input, sums.output, count, number->type, MPI_SUM, communicator);
    if (session.bytes == 0) {
        compare_numbers(number, sums.output, sums.expected, 0, sums.piece, "allreduce of cancelling operands");
        if (session.rank == 0)
            printf("hash of %d %s: %016llx\n", count, number->name,
                   (unsigned long long)hash_values(number, sums.output, sums.piece));
    }
    free(sums.input);
    free(sums.output);
    free(sums.expected);
}

/* Fortran's compiler decides how long its numbers are; Open MPI without Fortran has none. */
static bool has_bytes(MPI_Datatype type, size_t bytes) {
    int size = 0;
    if (type != MPI_DATATYPE_NULL) MPI_Type_size(type, &size);
    return size == (int)bytes;
}

static void check_fortran_numbers(void) {
    const struct number numbers[] = {
        {"MPI_REAL", MPI_REAL, sizeof(float), 1, 24, -126, 128},
        {"MPI_DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, sizeof(double), 1, 53, -1022, 1024},
    };
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (has_bytes(numbers[n].type, numbers[n].size)) check_number(&numbers[n], 16);
}

/* ---- the floating-point environment of the caller ---------------------------------------------------------------- */

static void check_environments(void) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    double inputs[64], expected[64], sums[64];
    const struct number number = {"double", MPI_DOUBLE, sizeof(double), 1, 53, -1074, 1024};
    fill_operands(&number, hard_operand, inputs, 64);
    inputs[1] = 0x1p-1060 * (session.rank + 1); /* subnormal */
    MPI_Allreduce(inputs, expected, 64, MPI_DOUBLE, MPI_SUM, communicator);
    for (int flush = 0; flush < 2; flush++)
        for (int i = 0; i < 4; i++) {
            fesetround(modes[i]);
#ifdef __SSE2__
            _mm_setcsr((_mm_getcsr() & ~0x8040u) | (flush ? 0x8040u : 0));
            const unsigned before = _mm_getcsr() & ~0x3fu;
#endif
            MPI_Allreduce(inputs, sums, 64, MPI_DOUBLE, MPI_SUM, communicator);
            const bool kept = fegetround() == modes[i];
#ifdef __SSE2__
            check((_mm_getcsr() & ~0x3fu) == before, "MXCSR is not as it was");
            _mm_setcsr(_mm_getcsr() & ~0x8040u);
#endif
            fesetround(FE_TONEAREST);
            check(kept, "rounding mode %d is not as it was", i);
            check(memcmp(sums, expected, sizeof sums) == 0, "other sums with rounding mode %d, flush to zero %d", i,
                  flush);
        }
}

/* ---- extremes ---------------------------------------------------------------------------------------------------- */

struct located {
    double value;
    int index;
};

static void check_extremes(void) {
    const double zero = 0.0, not_a_number = NAN;
    /* -0 below +0, whichever rank has which. */
    double mine = session.rank % 2 == 0 ? -zero : zero, extreme = 5;
    MPI_Allreduce(&mine, &extreme, 1, MPI_DOUBLE, MPI_MAX, communicator);
    check(extreme == 0 && signbit(extreme) == (session.ranks == 1), "the maximum of both zeros is not +0");
    MPI_Allreduce(&mine, &extreme, 1, MPI_DOUBLE, MPI_MIN, communicator);
    check(extreme == 0 && signbit(extreme), "the minimum of both zeros is not -0");
    /* One NaN, of any bits, makes it the one NaN. */
    uint64_t bits = 0xfff0000000000123u;
    double odd_nan;
    memcpy(&odd_nan, &bits, sizeof odd_nan);
    mine = session.rank == session.ranks - 1 ? odd_nan : session.rank;
    MPI_Allreduce(&mine, &extreme, 1, MPI_DOUBLE, MPI_MAX, communicator);
    memcpy(&bits, &extreme, sizeof bits);
    check(bits == 0x7ff8000000000000u, "the maximum with a NaN has the bits %llx", (unsigned long long)bits);
    /* The lowest index of equal values, and NaN first. */
    struct located own = {session.rank == 0 ? -1 : 7, 100 - session.rank}, best = {0, 0};
    MPI_Allreduce(&own, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, communicator);
    check(session.ranks == 1 || (best.value == 7 && best.index == 101 - session.ranks),
          "the place of the maximum is %d", best.index);
    if (session.rank > 0) own.value = not_a_number;
    MPI_Allreduce(&own, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, communicator);
    check(session.ranks == 1 || (isnan(best.value) && best.index == 101 - session.ranks), "the place of NaN is %d",
          best.index);
    for (int odd = 0; has_bytes(MPI_2REAL, 2 * sizeof(float)) && odd < session.ranks; odd++) {
        float pair[2] = {session.rank == odd ? NAN : 7, (float)session.rank}, best_pair[2] = {0, 0};
        MPI_Allreduce(pair, best_pair, 1, MPI_2REAL, MPI_MINLOC, communicator);
        check(isnan(best_pair[0]) && best_pair[1] == (float)odd, "the place of NaN in MPI_2REAL is %g, not %d",
              (double)best_pair[1], odd);
    }
}

/* Products go in fixed order: the same bits on all ranks. */
static void check_products(void) {
    double mine[100], products[100], first[100];
    const struct number number = {"double", MPI_DOUBLE, sizeof(double), 1, 53, -8, 8};
    for (int i = 0; i < 100; i++) mine[i] = 1 + (double)(mix((uint64_t)session.rank, (uint64_t)i) % 1000) / 999;
    MPI_Allreduce(mine, products, 100, MPI_DOUBLE, MPI_PROD, communicator);
    memcpy(first, products, sizeof first);
    if (session.rank == 0)
        for (int peer = 1; peer < session.ranks; peer++) MPI_Send(products, 100, MPI_DOUBLE, peer, 3, MPI_COMM_WORLD);
    else
        MPI_Recv(first, 100, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compare_numbers(&number, products, first, 0, 100, "allreduce (product)");
    double reduced[100];
    MPI_Reduce(mine, reduced, 100, MPI_DOUBLE, MPI_PROD, 0, communicator);
    if (session.rank == 0) compare_numbers(&number, reduced, products, 0, 100, "reduce (product)");
}

/* With --info KEY=VALUE, or --info set:KEY=VALUE, a communicator that has the key from the start, or gets it later. */
static void make_communicator(void) {
    const char* equals = strchr(session.info, '=');
    communicator = MPI_COMM_WORLD;
    if (equals == NULL) return;
    const bool later = strncmp(session.info, "set:", 4) == 0;
    const char* key_begin = session.info + (later ? 4 : 0);
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)(equals - key_begin), key_begin);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, equals + 1);
    if (later) {
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        MPI_Comm_set_info(communicator, info);
    } else {
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &communicator);
    }
    MPI_Info_free(&info);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    make_communicator();
    const struct number numbers[] = {
        {"double", MPI_DOUBLE, sizeof(double), 1, 53, -1022, 1024},
        {"float", MPI_FLOAT, sizeof(float), 1, 24, -126, 128},
        {"long double", MPI_LONG_DOUBLE, sizeof(long double), 1, LDBL_MANT_DIG, LDBL_MIN_EXP, LDBL_MAX_EXP},
        {"float complex", MPI_C_FLOAT_COMPLEX, sizeof(float), 2, 24, -126, 128},
        {"double complex", MPI_C_DOUBLE_COMPLEX, sizeof(double), 2, 53, -1022, 1024},
        {"long double complex", MPI_C_LONG_DOUBLE_COMPLEX, sizeof(long double), 2, LDBL_MANT_DIG, LDBL_MIN_EXP,
         LDBL_MAX_EXP},
    };
    const int counts[] = {1, 16, 97, session.scale == SCALE_FULL ? 3000 : 130};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) check_number(&numbers[n], counts[c]);
    check_fortran_numbers();
    if (session.bytes == 0) check_environments();
    check_extremes();
    check_products();
    if (communicator != MPI_COMM_WORLD) MPI_Comm_free(&communicator);
    counters_close();
    return session_finish("order_independent");
}
