/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/pieces.h"

void pieces_describe(struct pieces* pieces, int k, const struct description* described_as, int numbers) {
    pieces->described_as[k] = described_as;
    pieces->types[k] = described_as->type;
    pieces->numbers[k] = numbers;
    pieces->counts[k] = numbers / described_as->numbers;
}

/* Makes the buffer hold piece k, with all that its elements reach. */
static void enclose(struct pieces* pieces, int k) {
    const struct description* as = pieces->described_as[k];
    const ptrdiff_t begin = pieces->offsets[k] - as->before;
    const ptrdiff_t end = pieces->offsets[k] + pieces->counts[k] * as->extent + as->beyond;
    if (-begin > pieces->before) {
        pieces->size += -begin - pieces->before;
        pieces->before = -begin;
    }
    if (end + pieces->before > pieces->size) pieces->size = end + pieces->before;
}

static void enclose_all(struct pieces* pieces, int ranks) {
    pieces->before = pieces->size = 0;
    for (int k = 0; k < ranks; k++)
        if (pieces->counts[k] > 0) enclose(pieces, k);
}

void pieces_place_in_a_row(struct pieces* pieces, int ranks) {
    for (int k = 0; k < ranks; k++) {
        pieces->displacements[k] = k * pieces->counts[k];
        pieces->offsets[k] = pieces->displacements[k] * pieces->described_as[k]->extent;
    }
    enclose_all(pieces, ranks);
}

void pieces_place_in_extents(struct pieces* pieces, int ranks) {
    enum { GAP = 3 };
    int at = GAP;
    for (int k = ranks - 1; k >= 0; k--) {
        pieces->displacements[k] = at;
        pieces->offsets[k] = at * pieces->described_as[k]->extent;
        at += pieces->counts[k] + GAP;
    }
    enclose_all(pieces, ranks);
}

void pieces_place_in_bytes(struct pieces* pieces, int ranks) {
    enum { GAP = 20 };
    int at = -GAP; /* MPI allows negative displacements */
    for (int k = ranks - 1; k >= 0; k--) {
        const struct description* as = pieces->described_as[k];
        at += (int)as->before;
        pieces->displacements[k] = at;
        pieces->offsets[k] = at;
        at += (int)(pieces->counts[k] * as->extent + as->beyond) + GAP;
    }
    enclose_all(pieces, ranks);
}

struct guarded pieces_memory(const struct pieces* pieces) {
    return guarded_new((size_t)pieces->size);
}

void pieces_write(const struct pieces* pieces, int k, struct guarded* memory, long long first) {
    write_numbers(pieces->described_as[k], memory->data + pieces->before + pieces->offsets[k], first,
                  pieces->numbers[k]);
}
