/* SPDX-License-Identifier: BSD-3-Clause */
/* The transport of reductions whose elements do not lie one behind the other: those of interleaved columns, or such
 * that go downwards. Parts of such a vector cannot be kept apart by addresses, so the executor's buffers hold packed
 * elements. MPI wants the user's function to see the caller's datatype: to be combined, they are unpacked. */
#ifndef COLL_TOPO_MCA_UNPACKING_TRANSPORT_H
#define COLL_TOPO_MCA_UNPACKING_TRANSPORT_H

#include "coll_topo/mca/transport/pml_transport.h"

/* Made for one collective call. */
struct coll_topo_unpacking_transport {
    struct coll_topo_pml_transport pml;       /* first; its messages are packed elements */
    struct coll_topo_packed_view left, right; /* memory for `at_once` elements, in which they are combined */
    size_t at_once;
};

/* Whether elements of this type need it: some in a row reach into each other, or do not go upwards. Ranks need not
 * agree, for messages are the same either way. */
bool coll_topo_needs_unpacking(struct ompi_datatype_t* datatype);

/* Memory to combine elements in, bytes, if so many in a row have no byte in common. */
size_t coll_topo_unpacking_transport_memory(struct ompi_datatype_t* datatype, size_t apart);
/* With that memory. Errors of a reduction are in pml.error, even if the core does not fail. */
void coll_topo_unpacking_transport_set(struct coll_topo_unpacking_transport* transport,
                                       struct ompi_communicator_t* communicator, struct ompi_datatype_t* datatype,
                                       struct ompi_op_t* operation, size_t apart, char* memory);

#endif
