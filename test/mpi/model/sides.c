/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/sides.h"

#include <stdlib.h>

struct side side_new(int number) {
    const size_t size = number > 0 ? (size_t)number : 1;
    struct side side = {.number = number};
    side.pieces = calloc(size, sizeof *side.pieces);
    side.counts = calloc(size, sizeof *side.counts);
    side.displacements = calloc(size, sizeof *side.displacements);
    side.types = calloc(size, sizeof(MPI_Datatype));
    return side;
}

void side_free(struct side* side) {
    for (int i = 0; i < side->number; i++) shape_free(&side->pieces[i].shape);
    free(side->pieces);
    free(side->counts);
    free(side->displacements);
    free(side->types);
    memory_free(&side->memory);
}

/* Pieces of one type one after the other, or with gaps between them and the last one first. The first piece owns the
 * type. */
static void place_of_one_type(struct side* side, const int* units, int shape_number, bool apart) {
    int elements = 0;
    struct shape probe = shape_new(shape_number, 1);
    const int per_element = probe.layout.maps;
    shape_free(&probe);
    if (side->number == 0) return;
    for (int i = 0; i < side->number; i++) {
        const int piece = apart ? side->number - 1 - i : i;
        side->counts[piece] = units[piece] / per_element;
        side->displacements[piece] = elements;
        elements += side->counts[piece] + (apart ? 1 : 0);
    }
    struct shape shape = shape_new(shape_number, elements);
    for (int i = 0; i < side->number; i++) {
        side->types[i] = shape.layout.type;
        side->pieces[i] = (struct piece){shape, side->displacements[i] * shape.layout.extent, side->counts[i]};
        shape.owns_type = false;
    }
}

/* Pieces of a type each, placed by bytes. */
static void place_of_types(struct side* side, const int* units, int shape_number) {
    ptrdiff_t end = 0;
    for (int i = 0; i < side->number; i++) {
        struct piece* piece = &side->pieces[i];
        const int number = shape_number == PLAIN ? PLAIN : (shape_number + i) % SHAPES;
        piece->shape = shape_new(number, units[i]);
        piece->count = units[i] / piece->shape.layout.maps;
        const struct span span = span_of(piece);
        piece->at = end - span.low;
        end += span.high - span.low + (ptrdiff_t)sizeof(double);
        side->counts[i] = piece->count;
        side->displacements[i] = (int)piece->at;
        side->types[i] = piece->shape.layout.type;
    }
}

void side_place(struct side* side, enum arrangement arrangement, const int* units, int shape_number) {
    if (arrangement == OF_TYPES)
        place_of_types(side, units, shape_number);
    else
        place_of_one_type(side, units, shape_number, arrangement == APART);
}
