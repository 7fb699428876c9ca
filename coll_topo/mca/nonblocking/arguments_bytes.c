/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/nonblocking/request.h"
#include "coll_topo/mca/transport/packed_view.h"
#include "coll_topo/mca/transport/piece_sizes.h"

#include "ompi/communicator/communicator.h"

/* Of one buffer. */
static size_t sent(const struct coll_topo_arguments* a) {
    return (size_t)a->send_count * coll_topo_datatype_bytes(a->send_type);
}

static size_t received(const struct coll_topo_arguments* a) {
    return (size_t)a->receive_count * coll_topo_datatype_bytes(a->receive_type);
}

size_t coll_topo_arguments_bytes(struct ompi_communicator_t* communicator, int collective,
                                 const struct coll_topo_arguments* a) {
    const int ranks = ompi_comm_size(communicator);
    const bool is_root = ompi_comm_rank(communicator) == a->root, in_place = a->send_buffer == MPI_IN_PLACE;
    switch (collective) {
        case COLL_TOPO_ALLREDUCE:
        case COLL_TOPO_REDUCE:
        case COLL_TOPO_SCAN:
        case COLL_TOPO_EXSCAN:
            return sent(a);
        case COLL_TOPO_REDUCE_SCATTER:
            return coll_topo_bytes_of_pieces(a->receive_counts, a->send_type, NULL, communicator);
        case COLL_TOPO_REDUCE_SCATTER_BLOCK:
            return (size_t)a->receive_count * coll_topo_datatype_bytes(a->send_type) * (size_t)ranks;
        case COLL_TOPO_ALLGATHER:
        case COLL_TOPO_ALLTOALL:
            return received(a) * (size_t)ranks;
        case COLL_TOPO_BCAST:
            return received(a);
        case COLL_TOPO_ALLGATHERV:
            return coll_topo_bytes_of_pieces(a->receive_counts, a->receive_type, NULL, communicator);
        case COLL_TOPO_GATHER:
            return (is_root ? received(a) : sent(a)) * (size_t)ranks;
        case COLL_TOPO_SCATTER:
            return (is_root ? sent(a) : received(a)) * (size_t)ranks;
        case COLL_TOPO_GATHERV:
            return is_root ? coll_topo_bytes_of_pieces(a->receive_counts, a->receive_type, NULL, communicator)
                           : sent(a);
        case COLL_TOPO_SCATTERV:
            return is_root ? coll_topo_bytes_of_pieces(a->send_counts, a->send_type, NULL, communicator) : received(a);
        case COLL_TOPO_ALLTOALLV:
        case COLL_TOPO_ALLTOALLW:
            return in_place
                       ? coll_topo_bytes_of_pieces(a->receive_counts, a->receive_type, a->receive_types, communicator)
                       : coll_topo_bytes_of_pieces(a->send_counts, a->send_type, a->send_types, communicator);
        case COLL_TOPO_NEIGHBOR_ALLGATHER:
        case COLL_TOPO_NEIGHBOR_ALLTOALL:
            return coll_topo_bytes_of_neighbors(a->receive_count, a->receive_type, communicator);
        case COLL_TOPO_NEIGHBOR_ALLGATHERV:
            return coll_topo_bytes_of_neighbor_pieces(a->receive_counts, a->receive_type, NULL, communicator);
        case COLL_TOPO_NEIGHBOR_ALLTOALLV:
        case COLL_TOPO_NEIGHBOR_ALLTOALLW:
            return coll_topo_bytes_of_neighbor_pieces(a->send_counts, a->send_type, a->send_types, communicator);
        default:
            return 0;
    }
}
