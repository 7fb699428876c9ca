/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/unequal_pieces.h"

#include <string.h>

static char* cell_of(const struct coll_topo_unequal* call, int rank) {
    return call->cells.all + (size_t)rank * coll_topo_cell_bytes(&call->cells);
}

/* All of it has a value, as all of it is sent. */
static int fill(const struct coll_topo_unequal* call, char* cell, const struct coll_topo_piece* piece, size_t size) {
    struct coll_topo_packed_view view;
    const size_t held = size <= call->cells.short_bytes ? size : 0;
    memcpy(cell, &size, sizeof size);
    memset(cell + sizeof size + held, 0, call->cells.short_bytes - held);
    if (held == 0) {
        return OMPI_SUCCESS;
    }
    coll_topo_packed_view_set(&view, piece->buffer, piece->count, piece->type);
    return coll_topo_packed_view_read(&view, cell + sizeof size, 0, held);
}

/* The bytes of the longest piece that goes in a cell that this rank sends. */
static size_t longest_short(const struct coll_topo_unequal* call) {
    const bool one = coll_topo_unequal_gathers(call);
    const int begin = one ? call->rank : 0, end = one ? call->rank + 1 : call->ranks;
    size_t longest = 0;
    for (int rank = begin; rank < end; ++rank) {
        if (call->sizes[rank] <= call->most_short && call->sizes[rank] > longest) {
            longest = call->sizes[rank];
        }
    }
    return longest;
}

int coll_topo_unequal_fill_cells(struct coll_topo_unequal* call, bool directly) {
    if (directly && coll_topo_unequal_is_root(call) != coll_topo_unequal_gathers(call)) {
        call->cells.short_bytes = longest_short(call);
    }
    if (coll_topo_unequal_gathers(call)) {
        return fill(call, call->cells.own, &call->own, call->sizes[call->rank]);
    }
    int error = OMPI_SUCCESS;
    for (int rank = 0; coll_topo_unequal_is_root(call) && rank < call->ranks && error == OMPI_SUCCESS; ++rank) {
        const struct coll_topo_piece piece = coll_topo_piece_of(&call->pieces, rank);
        error = fill(call, cell_of(call, rank), &piece, call->sizes[rank]);
    }
    return error;
}

static int take(const struct coll_topo_unequal* call, const char* cell, const struct coll_topo_piece* piece,
                size_t size) {
    struct coll_topo_packed_view view;
    if (size == 0 || size > call->most_short) {
        return OMPI_SUCCESS;
    }
    coll_topo_packed_view_set(&view, piece->buffer, piece->count, piece->type);
    return coll_topo_packed_view_write(&view, cell + sizeof size, 0, size);
}

static int take_all(const struct coll_topo_unequal* call) {
    if (!coll_topo_unequal_gathers(call)) {
        return coll_topo_unequal_is_root(call) && call->in_place
                   ? OMPI_SUCCESS
                   : take(call, call->cells.own, &call->own, call->sizes[call->rank]);
    }
    int error = OMPI_SUCCESS;
    for (int rank = 0; coll_topo_unequal_is_root(call) && rank < call->ranks && error == OMPI_SUCCESS; ++rank) {
        const struct coll_topo_piece piece = coll_topo_piece_of(&call->pieces, rank);
        const bool is_there = rank == call->root && call->in_place;
        error = is_there ? OMPI_SUCCESS : take(call, cell_of(call, rank), &piece, call->sizes[rank]);
    }
    return error;
}

int coll_topo_unequal_take_short(struct coll_topo_unequal* call, bool wanted) {
    const int error = wanted ? take_all(call) : OMPI_SUCCESS;
    for (int rank = 0; rank < call->ranks; ++rank) {
        if (call->sizes[rank] <= call->most_short) {
            call->sizes[rank] = 0;
        }
    }
    return error;
}
