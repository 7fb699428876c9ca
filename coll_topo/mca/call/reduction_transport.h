/* SPDX-License-Identifier: BSD-3-Clause */
/* The transport of blocking reductions, which the communicator keeps from call to call. */
#ifndef COLL_TOPO_MCA_REDUCTION_TRANSPORT_H
#define COLL_TOPO_MCA_REDUCTION_TRANSPORT_H

#include "coll_topo/mca/module/module.h"
#include "coll_topo/mca/transport/pml_transport.h"

/* For elements of a datatype that an operation combines: that of the last call, if it was for the same, else set up
 * again; `of_this_call` where it cannot be kept. NULL: no memory. */
struct coll_topo_pml_transport* coll_topo_reduction_transport(struct coll_topo_module* module,
                                                              struct ompi_communicator_t* communicator,
                                                              struct ompi_datatype_t* datatype,
                                                              struct ompi_op_t* operation,
                                                              struct coll_topo_pml_transport* of_this_call);

#endif
