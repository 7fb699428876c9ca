/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions that must not depend on the order of operands (coll_topo_reproducible exact or fixed_point): sums are
 * compared with those of MPFR, to the bit, and extremes with their rules. Prints a hash of sums that are the same on
 * any number of ranks. With --bytes N the operands are such that fixed_point is exact, too.
 */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <complex.h>
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

static MPI_Comm communicator; /* all ranks */

enum { PRECISION = 33000 }; /* bits: the whole range of an x87 long double */

/* A type of numbers; complex ones are pairs of the same. */
struct number {
    const char* name;
    MPI_Datatype type;
    size_t size; /* of a component */
    int components;
    int digits, lowest, highest; /* exponents of two that operands may have */
};

static void store(const struct number* number, void* values, size_t i, long double value) {
    if (number->size == sizeof(float))
        ((float*)values)[i] = (float)value;
    else if (number->size == sizeof(double))
        ((double*)values)[i] = (double)value;
    else
        ((long double*)values)[i] = value;
}

static long double load(const struct number* number, const void* values, size_t i) {
    if (number->size == sizeof(float)) return ((const float*)values)[i];
    if (number->size == sizeof(double)) return ((const double*)values)[i];
    return ((const long double*)values)[i];
}

static bool same_bits(const struct number* number, const void* left, const void* right, size_t i) {
    const size_t significant = number->size == sizeof(long double) && LDBL_MANT_DIG == 64 ? 10 : number->size;
    const size_t at = i * number->size;
    return memcmp((const char*)left + at, (const char*)right + at, significant) == 0;
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static long double random_value(const struct number* number, uint64_t first, uint64_t second) {
    const uint64_t bits = mix(first, second);
    const int range = session.bytes > 0 ? 40 : number->highest - number->lowest - 70;
    const int exponent = session.bytes > 0 ? -20 : number->lowest + 5;
    return ldexpl((long double)(int64_t)(bits >> 1 << (64 - number->digits) | UINT64_C(1) << 63) * 0x1p-63L,
                  exponent + (int)(bits % (uint64_t)range));
}

/* Every rank's own; sums cancel, overflow on the way, hang on a tie, or are no numbers. */
static long double operand(const struct number* number, int rank, uint64_t i) {
    const long double random = random_value(number, (uint64_t)rank, i);
    const long double largest = ldexpl(1.0L - ldexpl(1, -number->digits), number->highest);
    if (session.bytes > 0) return random;
    switch (i % 16) {
        case 3:
            return rank % 2 == 0 ? largest : -largest / 2;
        case 5:
            return rank % 2 == 1 ? -random_value(number, (uint64_t)rank - 1, i) : random;
        case 7:
            return rank % 3 == 0 ? 1.0L : ldexpl(1, -number->digits - 40 * (rank % 3));
        case 9:
            return rank == session.ranks / 2 ? (long double)INFINITY : random;
        case 11:
            return rank % 2 == 0 ? -(long double)INFINITY : (long double)INFINITY;
        case 12:
            return rank == 0 ? (long double)NAN : random;
        case 13:
            return -0.0L;
        case 14:
            return rank == session.ranks - 1 ? 0.0L : -0.0L;
        default:
            return random;
    }
}

/* A number, what decides how it is rounded, and pairs that cancel: the exact sum is the same on any number of ranks. */
static long double cancelling(const struct number* number, int rank, uint64_t i) {
    if (rank == 0) return 1.0L + ldexpl((long double)(mix(i, 3) % 1000 * 2 + 1), 1 - number->digits);
    if (rank == 1) return ldexpl(i % 2 == 0 ? 1 : -1, -number->digits - (i % 3 == 0 ? 0 : 50));
    if (rank == session.ranks - 1 && rank % 2 == 0) return 0;
    const long double random = random_value(number, (uint64_t)rank / 2, i);
    return rank % 2 == 0 ? random : -random;
}

typedef long double source(const struct number*, int, uint64_t);

static void fill(const struct number* number, source* from, void* values, size_t count) {
    for (size_t i = 0; i < count; i++) store(number, values, i, from(number, session.rank, i));
}

/* ---- what sums must be ------------------------------------------------------------------------------------------ */

static void exact_sums(const struct number* number, source* from, void* sums, size_t count) {
    mpfr_t sum, exact_term;
    mpfr_init2(sum, PRECISION);
    mpfr_init2(exact_term, LDBL_MANT_DIG);
    void* one = malloc(number->size);
    for (size_t i = 0; i < count; i++) {
        bool all_negative_zeros = true;
        mpfr_set_zero(sum, 1);
        for (int rank = 0; rank < session.ranks; rank++) {
            store(number, one, 0, from(number, rank, i));
            const long double term = load(number, one, 0);
            all_negative_zeros &= term == 0 && signbit(term);
            mpfr_set_ld(exact_term, term, MPFR_RNDN);
            mpfr_add(sum, sum, exact_term, MPFR_RNDN);
        }
        long double result = all_negative_zeros ? -0.0L : 0.0L;
        if (number->size == sizeof(float))
            result = mpfr_zero_p(sum) ? result : mpfr_get_flt(sum, MPFR_RNDN);
        else if (number->size == sizeof(double))
            result = mpfr_zero_p(sum) ? result : mpfr_get_d(sum, MPFR_RNDN);
        else
            result = mpfr_zero_p(sum) ? result : mpfr_get_ld(sum, MPFR_RNDN);
        store(number, sums, i, isnan(result) ? (long double)NAN : result);
    }
    free(one);
    mpfr_clear(sum);
    mpfr_clear(exact_term);
}

static void compare(const struct number* number, const void* found, const void* expected, size_t first, size_t count,
                    const char* text) {
    const char* of_part = (const char*)expected + first * number->size;
    size_t i = 0;
    while (i < count && same_bits(number, found, of_part, i)) i++;
    check(i == count, "%s of %s: value %zu is %.21Lg (%La), not %.21Lg (%La)", text, number->name, first + i,
          i < count ? load(number, found, i) : 0, i < count ? load(number, found, i) : 0,
          i < count ? load(number, of_part, i) : 0, i < count ? load(number, of_part, i) : 0);
}

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
    compare(number, sums->output, sums->expected, 0, sums->values, in_place ? "allreduce in place" : "allreduce");
    void* send = refill(sums, in_place && session.rank == root);
    MPI_Reduce(send, sums->output, whole, number->type, MPI_SUM, root, communicator);
    if (session.rank == root) compare(number, sums->output, sums->expected, 0, sums->values, "reduce");
    /* Where it gets nothing, a rank may name its operands as the receive buffer. */
    refill(sums, false);
    send = session.rank == root ? MPI_IN_PLACE : sums->output;
    MPI_Reduce(send, sums->output, whole, number->type, MPI_SUM, root, communicator);
    if (session.rank == root) compare(number, sums->output, sums->expected, 0, sums->values, "reduce, one buffer");
    MPI_Reduce_scatter(refill(sums, in_place), sums->output, counts, number->type, MPI_SUM, communicator);
    compare(number, sums->output, sums->expected, own_first, (size_t)counts[session.rank] * (size_t)number->components,
            "reduce_scatter");
    MPI_Reduce_scatter_block(refill(sums, in_place), sums->output, sums->count, number->type, MPI_SUM, communicator);
    compare(number, sums->output, sums->expected, sums->piece * (size_t)session.rank, sums->piece,
            "reduce_scatter_block");
    free(counts);
}

static uint64_t hash_values(const struct number* number, const void* values, size_t count) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        const double value = (double)load(number, values, i);
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
    fill(number, operand, sums.input, sums.values);
    exact_sums(number, operand, sums.expected, sums.values);
    check_collectives(&sums, false);
    check_collectives(&sums, true);
    /* Of one piece, whose size does not depend on the number of ranks. */
    fill(number, cancelling, sums.input, sums.piece);
    exact_sums(number, cancelling, sums.expected, sums.piece);
    MPI_Allreduce(sums.input, sums.output, count, number->type, MPI_SUM, communicator);
    if (session.bytes == 0) {
        compare(number, sums.output, sums.expected, 0, sums.piece, "allreduce of cancelling operands");
        if (session.rank == 0)
            printf("hash of %d %s: %016llx\n", count, number->name,
                   (unsigned long long)hash_values(number, sums.output, sums.piece));
    }
    free(sums.input);
    free(sums.output);
    free(sums.expected);
}

/* ---- the floating-point environment of the caller ---------------------------------------------------------------- */

static void check_environments(void) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    double inputs[64], expected[64], sums[64];
    const struct number number = {"double", MPI_DOUBLE, sizeof(double), 1, 53, -1074, 1024};
    fill(&number, operand, inputs, 64);
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
    /* -0 below +0, whoever has which. */
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
    compare(&number, products, first, 0, 100, "allreduce (product)");
    double reduced[100];
    MPI_Reduce(mine, reduced, 100, MPI_DOUBLE, MPI_PROD, 0, communicator);
    if (session.rank == 0) compare(&number, reduced, products, 0, 100, "reduce (product)");
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
    const int counts[] = {1, 16, 97, session.scale == SCALE_FULL ? 3000 : 300};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) check_number(&numbers[n], counts[c]);
    if (session.bytes == 0) check_environments();
    check_extremes();
    check_products();
    if (communicator != MPI_COMM_WORLD) MPI_Comm_free(&communicator);
    counters_close();
    return session_finish("order_independent");
}
