/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/piece_list.h"

#include "coll_topo/mca/transport/extents.h"
#include "coll_topo/mca/transport/neighbors.h"
#include "coll_topo/mca/transport/packed_view.h"

struct coll_topo_piece_list coll_topo_equal_pieces(const void* buffer, coll_topo_count count,
                                                   struct ompi_datatype_t* type) {
    return (struct coll_topo_piece_list){.buffer = (char*)buffer,
                                         .unit = (ptrdiff_t)count * coll_topo_extents_of(type).extent,
                                         .count = count,
                                         .type = type};
}

struct coll_topo_piece_list coll_topo_unequal_pieces(const void* buffer, coll_topo_counts counts,
                                                     coll_topo_displacements displacements,
                                                     struct ompi_datatype_t* type) {
    return (struct coll_topo_piece_list){.buffer = (char*)buffer,
                                         .unit = coll_topo_extents_of(type).extent,
                                         .displacements = displacements,
                                         .counts = counts,
                                         .type = type};
}

struct coll_topo_piece_list coll_topo_typed_pieces(const void* buffer, coll_topo_counts counts,
                                                   coll_topo_displacements displacements,
                                                   struct ompi_datatype_t* const* types) {
    return (struct coll_topo_piece_list){
        .buffer = (char*)buffer, .unit = 1, .displacements = displacements, .counts = counts, .types = types};
}

struct coll_topo_piece_list coll_topo_pieces_at_bytes(const void* buffer, coll_topo_counts counts,
                                                      coll_topo_byte_displacements displacements,
                                                      struct ompi_datatype_t* const* types) {
    return (struct coll_topo_piece_list){
        .buffer = (char*)buffer, .unit = 1, .byte_displacements = displacements, .counts = counts, .types = types};
}

static ptrdiff_t displacement_of(const struct coll_topo_piece_list* list, int rank) {
    if (list->byte_displacements != COLL_TOPO_NO_BYTE_DISPLACEMENTS) {
        return coll_topo_byte_displacement_of(list->byte_displacements, rank);
    }
    return list->displacements != COLL_TOPO_NO_DISPLACEMENTS ? coll_topo_displacement_of(list->displacements, rank)
                                                             : rank;
}

struct coll_topo_piece coll_topo_piece_of(const struct coll_topo_piece_list* list, int rank) {
    return (struct coll_topo_piece){
        .buffer = list->buffer + displacement_of(list, rank) * list->unit,
        .count = list->counts != COLL_TOPO_NO_COUNTS ? coll_topo_count_of(list->counts, rank) : (size_t)list->count,
        .type = list->types != NULL ? list->types[rank] : list->type,
    };
}

static size_t packed_size(const struct coll_topo_piece_list* list, int rank) {
    if (list->neighbors_of != NULL && !coll_topo_has_neighbor(list->neighbors_of, rank)) {
        return 0;
    }
    const struct coll_topo_piece piece = coll_topo_piece_of(list, rank);
    /* Without elements, the type need not be one. */
    return piece.count == 0 ? 0 : piece.count * coll_topo_datatype_bytes(piece.type);
}

size_t coll_topo_pieces_packed_size(const struct coll_topo_piece_list* list, int ranks) {
    size_t size = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        size += packed_size(list, rank);
    }
    return size;
}

void coll_topo_pieces_packed_begins(const struct coll_topo_piece_list* list, int ranks, size_t* begin) {
    begin[0] = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        begin[rank + 1] = begin[rank] + packed_size(list, rank);
    }
}
