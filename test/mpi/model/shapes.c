/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const shape_names[SHAPES + 1] = {"plain",
                                             "vector_with_gaps",
                                             "padded_struct",
                                             "negative_lower_bound",
                                             "gap_at_end",
                                             "data_before_address",
                                             "interleaved",
                                             "column",
                                             "column_below",
                                             "downwards",
                                             NULL};

enum { UNIT = sizeof(struct affine_map) };

static struct layout layouts[LAYOUTS];
static MPI_Datatype map_type;

void shapes_open(void) {
    layouts_new(layouts);
    MPI_Type_contiguous(2, MPI_UINT32_T, &map_type);
    MPI_Type_commit(&map_type);
}

void shapes_close(void) {
    layouts_free(layouts);
    MPI_Type_free(&map_type);
}

/* A column of a matrix, resized so that the next element is the next column. */
static struct shape column(int rows, int columns, ptrdiff_t first) {
    struct shape shape = {.layout = {.maps = rows, .extent = UNIT}, .owns_type = true, .unit = UNIT};
    const ptrdiff_t row = (ptrdiff_t)(columns > 0 ? columns : 1) * UNIT;
    MPI_Aint places[3];
    MPI_Datatype raw;
    for (int i = 0; i < rows; i++) places[i] = shape.layout.offsets[i] = first * row + i * row;
    MPI_Type_create_hindexed_block(rows, 1, places, map_type, &raw);
    MPI_Type_create_resized(raw, first * row, UNIT, &shape.layout.type);
    MPI_Type_free(&raw);
    return shape;
}

/* Each element lies before the one before it. */
static struct shape downwards(void) {
    struct shape shape = {.layout = {.maps = 1, .extent = -2 * UNIT}, .owns_type = true, .unit = UNIT};
    MPI_Type_create_resized(map_type, 0, -2 * UNIT, &shape.layout.type);
    return shape;
}

struct shape shape_new(int number, int columns) {
    struct shape shape;
    if (number == PLAIN) return (struct shape){{.type = map_type, .maps = 1, .extent = UNIT}, .unit = UNIT};
    if (number < COLUMN) return (struct shape){.layout = layouts[number], .unit = UNIT};
    if (number == DOWNWARDS)
        shape = downwards();
    else
        shape = number == COLUMN ? column(3, columns, 0) : column(2, columns, -1);
    MPI_Type_commit(&shape.layout.type);
    return shape;
}

struct shape shape_predefined(MPI_Datatype type, size_t unit) {
    MPI_Aint lower_bound, extent;
    MPI_Type_get_extent(type, &lower_bound, &extent);
    return (struct shape){{.type = type, .maps = 1, .extent = extent}, false, unit, (size_t)extent - unit};
}

void shape_free(struct shape* shape) {
    if (shape->owns_type) MPI_Type_free(&shape->layout.type);
    shape->owns_type = false;
}

struct span span_of(const struct piece* piece) {
    const struct layout* layout = &piece->shape.layout;
    struct span span = {0, 0};
    if (piece->count == 0) return span;
    const ptrdiff_t last = (ptrdiff_t)(piece->count - 1) * layout->extent;
    for (int i = 0; i < layout->maps; i++) {
        const ptrdiff_t first = layout->offsets[i], low = last < 0 ? first + last : first;
        const ptrdiff_t high =
            (last < 0 ? first : first + last) + (ptrdiff_t)(piece->shape.unit + piece->shape.padding);
        if (i == 0 || low < span.low) span.low = low;
        if (i == 0 || high > span.high) span.high = high;
    }
    return span;
}

static char pattern(size_t i) {
    return (char)(i * 31 + i / 256 + 7);
}

struct memory memory_new(const struct piece* pieces, int number) {
    struct memory memory = {.low = 0};
    ptrdiff_t high = 0;
    for (int i = 0; i < number; i++) {
        const struct span span = span_of(&pieces[i]);
        if (pieces[i].count > 0 && pieces[i].at + span.low < memory.low) memory.low = pieces[i].at + span.low;
        if (pieces[i].count > 0 && pieces[i].at + span.high > high) high = pieces[i].at + span.high;
    }
    /* Guards begin at any address that the data may have. */
    memory.low = memory.low / 16 * 16 - 16;
    const size_t size = (size_t)(high - memory.low);
    memory.actual = guarded_new(size);
    memory.expected = malloc(size);
    memory.undefined = calloc(size, 1);
    memory.address = memory.actual.data - memory.low;
    for (size_t i = 0; i < size; i++) memory.actual.data[i] = memory.expected[i] = pattern(i);
    return memory;
}

void memory_free(struct memory* memory) {
    guarded_free(&memory->actual);
    free(memory->expected);
    free(memory->undefined);
}

static ptrdiff_t place_of(const struct memory* memory, const struct piece* piece, int number) {
    const struct layout* layout = &piece->shape.layout;
    return piece->at + (ptrdiff_t)(number / layout->maps) * layout->extent + layout->offsets[number % layout->maps] -
           memory->low;
}

void memory_write(struct memory* memory, const struct piece* piece, int number, const void* unit, bool also_actual) {
    const ptrdiff_t at = place_of(memory, piece, number);
    memcpy(memory->expected + at, unit, piece->shape.unit);
    if (also_actual) memcpy(memory->actual.data + at, unit, piece->shape.unit);
    memset(memory->undefined + at + piece->shape.unit, 1, piece->shape.padding);
}

void memory_permit(struct memory* memory, const struct piece* piece, int number) {
    memset(memory->undefined + place_of(memory, piece, number), 1, piece->shape.unit);
}

bool memory_check(const struct memory* memory, const char* name, char* why, size_t size) {
    if (!guarded_intact(&memory->actual)) {
        snprintf(why, size, "bytes outside of the %s were written", name);
        return false;
    }
    for (size_t i = 0; i < memory->actual.size; i++) {
        if (memory->undefined[i] || memory->actual.data[i] == memory->expected[i]) continue;
        snprintf(why, size, "byte %td of the %s is 0x%02x, not 0x%02x%s", (ptrdiff_t)i + memory->low, name,
                 (unsigned char)memory->actual.data[i], (unsigned char)memory->expected[i],
                 memory->expected[i] == pattern(i) ? " (perhaps a gap)" : "");
        return false;
    }
    return true;
}
