/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/numbers.h"

#include "test/mpi/session.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

static void store(const struct number* number, void* values, size_t i, long double value) {
    if (number->size == sizeof(float))
        ((float*)values)[i] = (float)value;
    else if (number->size == sizeof(double))
        ((double*)values)[i] = (double)value;
    else
        ((long double*)values)[i] = value;
}

long double number_load(const struct number* number, const void* values, size_t i) {
    if (number->size == sizeof(float)) return ((const float*)values)[i];
    if (number->size == sizeof(double)) return ((const double*)values)[i];
    return ((const long double*)values)[i];
}

static bool same_bits(const struct number* number, const void* left, const void* right, size_t i) {
    const size_t significant = number->size == sizeof(long double) && LDBL_MANT_DIG == 64 ? 10 : number->size;
    const size_t at = i * number->size;
    return memcmp((const char*)left + at, (const char*)right + at, significant) == 0;
}

static long double random_value(const struct number* number, uint64_t first, uint64_t second) {
    const uint64_t bits = mix(first, second);
    const int range = session.bytes > 0 ? 40 : number->highest - number->lowest - 70;
    const int exponent = session.bytes > 0 ? -20 : number->lowest + 5;
    return ldexpl((long double)(int64_t)(bits >> 1 << (64 - number->digits) | UINT64_C(1) << 63) * 0x1p-63L,
                  exponent + (int)(bits % (uint64_t)range));
}

long double hard_operand(const struct number* number, int rank, uint64_t i) {
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

long double cancelling_operand(const struct number* number, int rank, uint64_t i) {
    if (rank == 0) return 1.0L + ldexpl((long double)(mix(i, 3) % 1000 * 2 + 1), 1 - number->digits);
    if (rank == 1) return ldexpl(i % 2 == 0 ? 1 : -1, -number->digits - (i % 3 == 0 ? 0 : 50));
    if (rank == session.ranks - 1 && rank % 2 == 0) return 0;
    const long double random = random_value(number, (uint64_t)rank / 2, i);
    return rank % 2 == 0 ? random : -random;
}

void fill_operands(const struct number* number, operand_source* source, void* values, size_t count) {
    for (size_t i = 0; i < count; i++) store(number, values, i, source(number, session.rank, i));
}

/* Sums of operands [first, last), as one rank has them. */
static void sum_exactly(const struct number* number, operand_source* source, void* sums, size_t first, size_t last) {
    mpfr_t sum, exact_term;
    /* From the last bit of the smallest subnormal number to the carries of a sum of the largest. */
    mpfr_init2(sum, number->highest - number->lowest + number->digits + 64);
    mpfr_init2(exact_term, LDBL_MANT_DIG);
    void* one = malloc(number->size);
    for (size_t i = first; i < last; i++) {
        bool all_negative_zeros = true;
        mpfr_set_zero(sum, 1);
        for (int rank = 0; rank < session.ranks; rank++) {
            store(number, one, 0, source(number, rank, i));
            const long double term = number_load(number, one, 0);
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

/* Where a rank's share of all sums begins; that of the next rank is its end. */
static size_t share_begin(size_t count, int rank) {
    return count * (size_t)rank / (size_t)session.ranks;
}

void exact_sums(const struct number* number, operand_source* source, void* sums, size_t count) {
    const size_t own = share_begin(count, session.rank), own_end = share_begin(count, session.rank + 1);
    char* all = sums;
    sum_exactly(number, source, sums, own, own_end);
    for (int step = 1; step < session.ranks; step++) {
        const int to = (session.rank + step) % session.ranks;
        const int from = (session.rank + session.ranks - step) % session.ranks;
        const size_t theirs = share_begin(count, from), theirs_end = share_begin(count, from + 1);
        MPI_Sendrecv(all + own * number->size, (int)((own_end - own) * number->size), MPI_BYTE, to, 4,
                     all + theirs * number->size, (int)((theirs_end - theirs) * number->size), MPI_BYTE, from, 4,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void compare_numbers(const struct number* number, const void* found, const void* expected, size_t first, size_t count,
                     const char* text) {
    const char* of_part = (const char*)expected + first * number->size;
    size_t i = 0;
    while (i < count && same_bits(number, found, of_part, i)) i++;
    check(i == count, "%s of %s: value %zu is %.21Lg (%La), not %.21Lg (%La)", text, number->name, first + i,
          i < count ? number_load(number, found, i) : 0, i < count ? number_load(number, found, i) : 0,
          i < count ? number_load(number, of_part, i) : 0, i < count ? number_load(number, of_part, i) : 0);
}
