/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/descriptions.h"

#include "test/mpi/session.h"

#include <stdint.h>
#include <string.h>

/* `description` with its type, resized, and how far it reaches. Takes over `raw`. */
static void finish(struct description* description, const char* name, int numbers, const MPI_Aint* displacements,
                   MPI_Aint extent, MPI_Datatype raw) {
    *description = (struct description){.name = name, .numbers = numbers, .extent = extent};
    for (int i = 0; i < numbers; i++) {
        const ptrdiff_t begin = displacements[i], end = begin + (ptrdiff_t)sizeof(int32_t);
        description->offsets[i] = begin;
        if (-begin > description->before) description->before = -begin;
        if (end - extent > description->beyond) description->beyond = end - extent;
    }
    MPI_Type_create_resized(raw, 0, extent, &description->type);
    MPI_Type_commit(&description->type);
    MPI_Type_free(&raw);
}

static void scattered(struct description* description, const char* name, int numbers, const MPI_Aint* displacements,
                      MPI_Aint extent) {
    MPI_Datatype raw;
    MPI_Type_create_hindexed_block(numbers, 1, displacements, MPI_INT32_T, &raw);
    finish(description, name, numbers, displacements, extent, raw);
}

static void vector(struct description* description) {
    MPI_Datatype raw;
    MPI_Type_vector(3, 2, 3, MPI_INT32_T, &raw);
    finish(description, "a vector with gaps", 6, (MPI_Aint[]){0, 4, 12, 16, 24, 28}, 36, raw);
}

/* As a compiler pads a member of one byte before the numbers. */
static void structure(struct description* description) {
    const int lengths[2] = {1, 2};
    const MPI_Aint displacements[2] = {4, 12};
    const MPI_Datatype types[2] = {MPI_INT32_T, MPI_INT32_T};
    MPI_Datatype raw;
    MPI_Type_create_struct(2, lengths, displacements, types, &raw);
    finish(description, "a struct with padding", 3, (MPI_Aint[]){4, 12, 16}, 24, raw);
}

void descriptions_new(struct description table[DESCRIPTIONS]) {
    scattered(&table[0], "numbers", 1, (MPI_Aint[]){0}, 4);
    scattered(&table[1], "rows of four", 4, (MPI_Aint[]){0, 4, 8, 12}, 16);
    scattered(&table[2], "pairs with a gap between", 2, (MPI_Aint[]){0, 8}, 12);
    scattered(&table[3], "single numbers far apart", 1, (MPI_Aint[]){0}, 20);
    scattered(&table[4], "backwards in memory", 3, (MPI_Aint[]){8, 4, 0}, 12);
    scattered(&table[5], "twelve scattered", 12, (MPI_Aint[]){0, 8, 12, 16, 28, 36, 40, 44, 48, 60, 64, 72}, 80);
    vector(&table[6]);
    structure(&table[7]);
    scattered(&table[8], "data before its address", 2, (MPI_Aint[]){-8, -20}, 24);
    /* The second number of an element lies between those of its neighbours. */
    scattered(&table[9], "interleaved elements", 2, (MPI_Aint[]){0, 12}, 8);
}

void descriptions_free(struct description table[DESCRIPTIONS]) {
    for (int i = 0; i < DESCRIPTIONS; i++) MPI_Type_free(&table[i].type);
}

void write_numbers(const struct description* description, char* target, long long first, long long count) {
    for (long long i = 0; i < count; target += description->extent)
        for (int k = 0; k < description->numbers && i < count; k++, i++) {
            const int32_t number = (int32_t)mix(5, (uint64_t)(first + i));
            memcpy(target + description->offsets[k], &number, sizeof number);
        }
}

struct guarded memory_for(const struct description* description, long long numbers) {
    return guarded_new((size_t)(numbers / description->numbers * description->extent));
}

void check_memory(struct guarded* actual, struct guarded* expected, enum collective collective, const char* which,
                  const char* text) {
    const char* name = collective_names[collective];
    check(memcmp(actual->data, expected->data, actual->size) == 0, "%s %s: the %s has wrong data, or a gap was written",
          name, text, which);
    check(guarded_intact(actual), "%s %s: bytes outside of the %s were written", name, text, which);
    guarded_free(actual);
    guarded_free(expected);
}
