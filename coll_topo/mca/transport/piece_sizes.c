/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/piece_sizes.h"

#include "coll_topo/mca/transport/neighbors.h"
#include "coll_topo/mca/transport/packed_view.h"

size_t coll_topo_bytes_of_pieces(coll_topo_counts counts, struct ompi_datatype_t* datatype,
                                 struct ompi_datatype_t* const* datatypes, struct ompi_communicator_t* communicator) {
    const int ranks = ompi_comm_size(communicator);
    size_t bytes = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        bytes +=
            coll_topo_count_of(counts, rank) * coll_topo_datatype_bytes(datatypes != NULL ? datatypes[rank] : datatype);
    }
    return bytes;
}

size_t coll_topo_bytes_of_neighbors(coll_topo_count count, struct ompi_datatype_t* datatype,
                                    const struct ompi_communicator_t* communicator) {
    const int neighbors = coll_topo_neighbors(communicator);
    return (size_t)count * coll_topo_datatype_bytes(datatype) * (neighbors > 0 ? (size_t)neighbors : 1);
}

size_t coll_topo_bytes_of_neighbor_pieces(coll_topo_counts counts, struct ompi_datatype_t* datatype,
                                          struct ompi_datatype_t* const* datatypes,
                                          const struct ompi_communicator_t* communicator) {
    size_t bytes = 0;
    for (int number = 0; number < coll_topo_neighbors(communicator); ++number) {
        if (coll_topo_has_neighbor(communicator, number)) {
            bytes += coll_topo_count_of(counts, number) *
                     coll_topo_datatype_bytes(datatypes != NULL ? datatypes[number] : datatype);
        }
    }
    return bytes;
}
