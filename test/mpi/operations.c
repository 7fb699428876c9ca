/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/operations.h"

#include "test/mpi/session.h"

#define CLASS(class) (1u << (class))

static const unsigned any_integer = CLASS(C_INTEGER) | CLASS(FORTRAN_INTEGER) | CLASS(ADDRESS_INTEGER);

const struct operation* operations(int* number) {
    static struct operation table[12];
    const unsigned ordered = any_integer | CLASS(FLOATING), arithmetic = ordered | CLASS(COMPLEX);
    const unsigned logical = CLASS(C_INTEGER) | CLASS(LOGICAL), bitwise = any_integer | CLASS(BYTE);
    const struct operation all[] = {
        {"MPI_MAX", MPI_MAX, ordered},           {"MPI_MIN", MPI_MIN, ordered},
        {"MPI_SUM", MPI_SUM, arithmetic},        {"MPI_PROD", MPI_PROD, arithmetic},
        {"MPI_LAND", MPI_LAND, logical},         {"MPI_LOR", MPI_LOR, logical},
        {"MPI_LXOR", MPI_LXOR, logical},         {"MPI_BAND", MPI_BAND, bitwise},
        {"MPI_BOR", MPI_BOR, bitwise},           {"MPI_BXOR", MPI_BXOR, bitwise},
        {"MPI_MAXLOC", MPI_MAXLOC, CLASS(PAIR)}, {"MPI_MINLOC", MPI_MINLOC, CLASS(PAIR)},
    };
    *number = sizeof all / sizeof *all;
    for (int i = 0; i < *number; i++) table[i] = all[i];
    return table;
}

/* Few ranks contribute a factor other than a unit, so that the product fits in 8 bits. */
static struct value factor(const struct element* element, uint64_t hash, long long position) {
    if (element->class == COMPLEX) {
        static const struct value units[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        return position < 3 ? (struct value){1, 1} : units[hash % 4];
    }
    if (position < 3) return (struct value){2, 0};
    if (position == 3) return (struct value){3, 0};
    return (struct value){element->first.is_signed && hash % 2 ? -1 : 1, 0};
}

struct value operation_input(const struct operation* operation, const struct element* element, int rank, int ranks,
                             long long i) {
    const uint64_t hash = mix((uint64_t)rank, (uint64_t)i);
    const long long position = (rank + i) % ranks;
    const long long lowest = element->first.is_signed ? 1 : 0;
    const long long truth = element->class == LOGICAL ? 1 : 1 + (long long)(hash % 100);
    const long long bit = (long long)(1ull << (hash % 64));
    const MPI_Op op = operation->op;

    if (op == MPI_SUM)
        return (struct value){(long long)(hash % 3) - lowest,
                              element->class == COMPLEX ? (long long)(hash / 3 % 3) : 0};
    if (op == MPI_PROD) return factor(element, hash, position);
    if (op == MPI_MAX || op == MPI_MIN) return (struct value){(long long)(hash % 201) - 100 * lowest, 0};
    if (op == MPI_LAND) return (struct value){position == 0 && hash / 100 % 2 ? 0 : truth, 0};
    if (op == MPI_LOR) return (struct value){position == 0 && hash / 100 % 2 ? truth : 0, 0};
    if (op == MPI_LXOR) return (struct value){hash / 100 % 2 ? truth : 0, 0};
    if (op == MPI_BAND) return (struct value){~bit, 0};
    if (op == MPI_BOR) return (struct value){bit, 0};
    if (op == MPI_BXOR) return (struct value){(long long)hash, 0};
    return (struct value){(long long)(hash % 7), ranks - 1 - rank}; /* MAXLOC, MINLOC: equal values are common */
}

static struct value combine(MPI_Op op, struct value a, struct value b) {
    const bool greater = b.first > a.first, less = b.first < a.first;
    if (op == MPI_SUM) return (struct value){a.first + b.first, a.second + b.second};
    if (op == MPI_PROD)
        return (struct value){a.first * b.first - a.second * b.second, a.first * b.second + a.second * b.first};
    if (op == MPI_MAX) return greater ? b : a;
    if (op == MPI_MIN) return less ? b : a;
    if (op == MPI_LAND) return (struct value){a.first && b.first, 0};
    if (op == MPI_LOR) return (struct value){a.first || b.first, 0};
    if (op == MPI_LXOR) return (struct value){!a.first != !b.first, 0};
    if (op == MPI_BAND) return (struct value){a.first & b.first, 0};
    if (op == MPI_BOR) return (struct value){a.first | b.first, 0};
    if (op == MPI_BXOR) return (struct value){a.first ^ b.first, 0};
    if (a.first == b.first) return a.second < b.second ? a : b; /* of equal values the lowest index wins */
    return (op == MPI_MAXLOC ? greater : less) ? b : a;
}

struct value operation_result(const struct operation* operation, const struct element* element, int end, int ranks,
                              long long i) {
    struct value result = operation_input(operation, element, 0, ranks, i);
    for (int rank = 1; rank < end; rank++)
        result = combine(operation->op, result, operation_input(operation, element, rank, ranks, i));
    return result;
}
