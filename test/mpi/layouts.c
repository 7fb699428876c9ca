/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/layouts.h"

#include "test/mpi/session.h"

#include <string.h>

enum { MODULUS = 65521, COLUMNS = 120 };

struct affine_map affine_compose(struct affine_map first, struct affine_map then) {
    return (struct affine_map){first.a * then.a % MODULUS, (first.b * then.a + then.b) % MODULUS};
}

struct affine_map affine_add(struct affine_map left, struct affine_map right) {
    return (struct affine_map){(left.a + right.a) % MODULUS, (left.b + right.b) % MODULUS};
}

struct affine_map affine_input(int rank, uint64_t number) {
    const uint64_t hash = mix((uint64_t)rank + 1, number);
    return (struct affine_map){1 + (uint32_t)(hash % (MODULUS - 1)), (uint32_t)(hash >> 32) % MODULUS};
}

/* Aligned or not. */
static struct affine_map load(const char* at) {
    struct affine_map map;
    memcpy(&map, at, sizeof map);
    return map;
}

void layout_combine(const struct layout* layout, combination combine, const void* in, void* inout, int elements) {
    for (ptrdiff_t i = 0; i < elements; i++)
        for (int m = 0; m < layout->maps; m++) {
            const ptrdiff_t at = i * layout->extent + layout->offsets[m];
            const struct affine_map result = combine(load((const char*)in + at), load((char*)inout + at));
            memcpy((char*)inout + at, &result, sizeof result);
        }
}

/* `layout` with its type resized, and where its bytes lie. Takes over `raw`. */
static void finish(struct layout* layout, MPI_Datatype raw, ptrdiff_t lower_bound, ptrdiff_t extent) {
    MPI_Type_create_resized(raw, lower_bound, extent, &layout->type);
    MPI_Type_commit(&layout->type);
    MPI_Type_free(&raw);
    layout->extent = extent;
    layout->low = lower_bound;
    layout->high = extent + lower_bound;
    for (int i = 0; i < layout->maps; i++) {
        const ptrdiff_t end = layout->offsets[i] + (ptrdiff_t)sizeof(struct affine_map);
        if (layout->offsets[i] < layout->low) layout->low = layout->offsets[i];
        if (end > layout->high) layout->high = end;
    }
}

/* Maps at even distances. */
static void regular(struct layout* layout, const char* name, int maps, ptrdiff_t begin, ptrdiff_t stride,
                    ptrdiff_t lower_bound, ptrdiff_t extent) {
    MPI_Aint displacements[MOST_MAPS];
    MPI_Datatype raw;
    *layout = (struct layout){.name = name, .maps = maps};
    for (int i = 0; i < maps; i++) displacements[i] = layout->offsets[i] = begin + i * stride;
    MPI_Type_create_hindexed_block(maps, 2, displacements, MPI_UINT32_T, &raw);
    finish(layout, raw, lower_bound, extent);
}

static void contiguous(struct layout* layout) {
    MPI_Datatype raw;
    *layout = (struct layout){.name = "contiguous of 40 maps", .maps = 40};
    for (int i = 0; i < layout->maps; i++) layout->offsets[i] = i * (ptrdiff_t)sizeof(struct affine_map);
    MPI_Type_contiguous(2 * layout->maps, MPI_UINT32_T, &raw);
    finish(layout, raw, 0, layout->maps * (ptrdiff_t)sizeof(struct affine_map));
}

static void vector(struct layout* layout) {
    MPI_Datatype raw;
    *layout = (struct layout){.name = "vector with gaps", .maps = 3, .offsets = {0, 12, 24}};
    MPI_Type_vector(3, 2, 3, MPI_UINT32_T, &raw);
    finish(layout, raw, 0, 36);
}

/* A byte before each map, as a compiler would pad it; the map's halves are members of their own. */
static void structure(struct layout* layout) {
    const int lengths[4] = {1, 1, 1, 1};
    const MPI_Aint displacements[4] = {4, 8, 20, 24};
    const MPI_Datatype types[4] = {MPI_UINT32_T, MPI_UINT32_T, MPI_UINT32_T, MPI_UINT32_T};
    MPI_Datatype raw;
    *layout = (struct layout){.name = "struct with padding", .maps = 2, .offsets = {4, 20}};
    MPI_Type_create_struct(4, lengths, displacements, types, &raw);
    finish(layout, raw, 0, 32);
}

/* Columns of a matrix with four rows. */
static void columns(struct layout* layout, const char* name, ptrdiff_t begin, ptrdiff_t extent) {
    regular(layout, name, 4, begin, COLUMNS * (ptrdiff_t)sizeof(struct affine_map), begin, extent);
    layout->most = COLUMNS;
}

void layouts_new(struct layout layouts[LAYOUTS]) {
    const ptrdiff_t map = sizeof(struct affine_map), far = (ptrdiff_t)1 << 44;
    contiguous(&layouts[0]);
    vector(&layouts[1]);
    structure(&layouts[2]);
    regular(&layouts[3], "negative lower bound", 2, -16, 12, -20, 40);
    regular(&layouts[4], "gap at the end", 1, 0, map, 0, 3 * map);
    regular(&layouts[5], "data before its address only", 2, -64, 24, -64, 48);
    /* The maps of one element lie between those of its neighbours: it reaches beyond the next one. */
    regular(&layouts[6], "interleaved elements", 2, 0, 3 * map, 0, 2 * map);
    columns(&layouts[7], "columns of a matrix", 0, map);
    columns(&layouts[8], "columns, from right to left", 0, -map);
    columns(&layouts[9], "columns whose last map is at their address", -3 * COLUMNS * map, map);
    regular(&layouts[10], "elements one below the other", 2, -4, map, -4, -3 * map);
    regular(&layouts[11], "extent 0", 3, 0, 2 * map, 0, 0);
    layouts[11].most = 1;
    /* As of absolute addresses, with MPI_BOTTOM. */
    regular(&layouts[12], "data far behind its address", 2, far, map, far, 3 * map);
    regular(&layouts[13], "data across its address", 1, -12, map, -16, 2 * map);
}

void layouts_free(struct layout layouts[LAYOUTS]) {
    for (int i = 0; i < LAYOUTS; i++) MPI_Type_free(&layouts[i].type);
}
