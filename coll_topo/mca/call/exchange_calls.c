/* SPDX-License-Identifier: BSD-3-Clause */
/* The alltoall family, and calls to the neighbours of a Cartesian communicator, whose dimensions all ranks know. Ranks
 * may pass different counts and datatypes of equal signature, so that only packed bytes are the same on both sides of a
 * message: those decide where all pieces are equal, and those are cut into messages. Of unequal pieces no rank knows
 * all sizes, so none may decide by those it knows. */
#include "coll_topo/mca/call/exchange.h"
#include "coll_topo/mca/module/collectives.h"

/* What a call is given of one side, `send` or `receive`, whose buffer has this type: as parameters, as the previous
 * module's arguments, and written down. Member by member, as an initializer would zero the whole first. */
#define EQUAL_PARAMETERS(side, pointer) pointer side##_buffer, coll_topo_count side##_count, ONE_TYPE(side)
#define EQUAL_VALUES(side) side##_buffer, side##_count, side##_type
#define EQUAL_SET(side)                      \
    arguments.side##_buffer = side##_buffer; \
    arguments.side##_count = side##_count;   \
    arguments.side##_type = side##_type

#define UNEQUAL_PARAMETERS(side, pointer) \
    pointer side##_buffer, coll_topo_counts side##_counts, PLACES(side), ONE_TYPE(side)
#define UNEQUAL_VALUES(side) side##_buffer, side##_counts, side##_displacements, side##_type
#define UNEQUAL_SET(side)                                  \
    arguments.side##_buffer = side##_buffer;               \
    arguments.side##_counts = side##_counts;               \
    arguments.side##_displacements = side##_displacements; \
    arguments.side##_type = side##_type

#define TYPED_PARAMETERS(side, pointer) pointer side##_buffer, coll_topo_counts side##_counts, PLACES(side), TYPES(side)
#define TYPED_VALUES(side) side##_buffer, side##_counts, side##_displacements, side##_types
#define TYPED_SET(side)                                    \
    arguments.side##_buffer = side##_buffer;               \
    arguments.side##_counts = side##_counts;               \
    arguments.side##_displacements = side##_displacements; \
    arguments.side##_types = side##_types

#define AT_BYTES_PARAMETERS(side, pointer) \
    pointer side##_buffer, coll_topo_counts side##_counts, PLACES_IN_BYTES(side), TYPES(side)
#define AT_BYTES_VALUES(side) TYPED_VALUES(side)
#define AT_BYTES_SET(side)                                      \
    arguments.side##_buffer = side##_buffer;                    \
    arguments.side##_counts = side##_counts;                    \
    arguments.side##_byte_displacements = side##_displacements; \
    arguments.side##_types = side##_types

#define ONE_TYPE(side) struct ompi_datatype_t* side##_type
#define TYPES(side) struct ompi_datatype_t* const* side##_types
#define PLACES(side) coll_topo_displacements side##_displacements
#define PLACES_IN_BYTES(side) coll_topo_byte_displacements side##_displacements

#define CALL(function, collective, sent, received)                                                              \
    int coll_topo_##function(sent##_PARAMETERS(send, const void*), received##_PARAMETERS(receive, void*),       \
                             struct ompi_communicator_t* communicator, mca_coll_base_module_t* base) {          \
        struct coll_topo_module* const module = (struct coll_topo_module*)base;                                 \
        struct coll_topo_arguments arguments;                                                                   \
        int error = OMPI_SUCCESS;                                                                               \
        sent##_SET(send);                                                                                       \
        received##_SET(receive);                                                                                \
        return coll_topo_exchanged(module, communicator, collective, &arguments, &error)                        \
                   ? error                                                                                      \
                   : module->previous_##function(sent##_VALUES(send), received##_VALUES(receive), communicator, \
                                                 module->previous_##function##_module);                         \
    }

CALL(alltoall, COLL_TOPO_ALLTOALL, EQUAL, EQUAL)
CALL(alltoallv, COLL_TOPO_ALLTOALLV, UNEQUAL, UNEQUAL)
CALL(alltoallw, COLL_TOPO_ALLTOALLW, TYPED, TYPED)
CALL(neighbor_allgather, COLL_TOPO_NEIGHBOR_ALLGATHER, EQUAL, EQUAL)
CALL(neighbor_alltoall, COLL_TOPO_NEIGHBOR_ALLTOALL, EQUAL, EQUAL)
CALL(neighbor_allgatherv, COLL_TOPO_NEIGHBOR_ALLGATHERV, EQUAL, UNEQUAL)
CALL(neighbor_alltoallv, COLL_TOPO_NEIGHBOR_ALLTOALLV, UNEQUAL, UNEQUAL)
CALL(neighbor_alltoallw, COLL_TOPO_NEIGHBOR_ALLTOALLW, AT_BYTES, AT_BYTES)
