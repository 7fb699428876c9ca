/* SPDX-License-Identifier: BSD-3-Clause */
/* The pieces that a rank sends to all others, or to its neighbours, or those it receives, as the calls of the alltoall
 * family, allgatherv and those to neighbours describe them. */
#ifndef COLL_TOPO_MCA_PIECE_LIST_H
#define COLL_TOPO_MCA_PIECE_LIST_H

#include "coll_topo/mca/compatibility.h"

#include <stddef.h>

/* The piece of rank k is counts[k] elements of types[k], displacements[k] * unit bytes from the buffer. */
struct coll_topo_piece_list {
    char* buffer;
    ptrdiff_t unit;
    coll_topo_displacements displacements; /* NULL: 0, 1, 2, ... */
    coll_topo_counts counts;               /* NULL: all are `count` */
    coll_topo_count count;
    struct ompi_datatype_t* const* types; /* NULL: all are `type` */
    struct ompi_datatype_t* type;
    coll_topo_byte_displacements byte_displacements; /* in place of displacements; NULL: there are none */
    /* Piece k is of neighbour k in this Cartesian communicator: where there is none, so there is no piece, and its type
     * need not be one. NULL: they are of all ranks. */
    const struct ompi_communicator_t* neighbors_of;
};

/* As in alltoall, alltoallv and alltoallw. */
struct coll_topo_piece_list coll_topo_equal_pieces(const void* buffer, coll_topo_count count,
                                                   struct ompi_datatype_t* type);
struct coll_topo_piece_list coll_topo_unequal_pieces(const void* buffer, coll_topo_counts counts,
                                                     coll_topo_displacements displacements,
                                                     struct ompi_datatype_t* type);
struct coll_topo_piece_list coll_topo_typed_pieces(const void* buffer, coll_topo_counts counts,
                                                   coll_topo_displacements displacements,
                                                   struct ompi_datatype_t* const* types);

/* As in neighbor_alltoallw. */
struct coll_topo_piece_list coll_topo_pieces_at_bytes(const void* buffer, coll_topo_counts counts,
                                                      coll_topo_byte_displacements displacements,
                                                      struct ompi_datatype_t* const* types);

struct coll_topo_piece {
    char* buffer;
    size_t count;
    struct ompi_datatype_t* type;
};

struct coll_topo_piece coll_topo_piece_of(const struct coll_topo_piece_list* list, int rank);

/* Packed bytes of all pieces together. */
size_t coll_topo_pieces_packed_size(const struct coll_topo_piece_list* list, int ranks);

/* Packed bytes before each piece, and of all: ranks + 1 numbers. */
void coll_topo_pieces_packed_begins(const struct coll_topo_piece_list* list, int ranks, size_t* begin);

#endif
