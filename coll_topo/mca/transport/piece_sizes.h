/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of the pieces for, or of, all ranks, or the neighbours of this rank. */
#ifndef COLL_TOPO_MCA_PIECE_SIZES_H
#define COLL_TOPO_MCA_PIECE_SIZES_H

#include "coll_topo/mca/compatibility.h"

#include <stddef.h>

struct ompi_communicator_t;
struct ompi_datatype_t;

/* Of all ranks, with a datatype for each if datatypes is not NULL. */
size_t coll_topo_bytes_of_pieces(coll_topo_counts counts, struct ompi_datatype_t* datatype,
                                 struct ompi_datatype_t* const* datatypes, struct ompi_communicator_t* communicator);

/* Of equal pieces of neighbours. A communicator without neighbours has calls to those of a graph, which are passed on:
 * then of one.
 */
size_t coll_topo_bytes_of_neighbors(coll_topo_count count, struct ompi_datatype_t* datatype,
                                    const struct ompi_communicator_t* communicator);

/* With a datatype for each neighbour if datatypes is not NULL. Entries of neighbours that there are not do not count.
 */
size_t coll_topo_bytes_of_neighbor_pieces(coll_topo_counts counts, struct ompi_datatype_t* datatype,
                                          struct ompi_datatype_t* const* datatypes,
                                          const struct ompi_communicator_t* communicator);

#endif
