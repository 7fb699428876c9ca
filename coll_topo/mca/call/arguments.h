/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of MPI, whichever it is. */
#ifndef COLL_TOPO_MCA_ARGUMENTS_H
#define COLL_TOPO_MCA_ARGUMENTS_H

#include "coll_topo/mca/compatibility.h"

/* What the program has given; which of them there are depends on the collective. */
struct coll_topo_arguments {
    const void* send_buffer;
    coll_topo_count send_count, receive_count;
    void* receive_buffer; /* of bcast: the buffer */
    coll_topo_counts send_counts, receive_counts;
    coll_topo_displacements send_displacements, receive_displacements;
    coll_topo_byte_displacements send_byte_displacements, receive_byte_displacements; /* of neighbor_alltoallw */
    struct ompi_datatype_t *send_type, *receive_type;
    struct ompi_datatype_t *const *send_types, *const *receive_types;
    struct ompi_op_t* operation;
    int root;
};

#endif
