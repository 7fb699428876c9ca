/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/reduction_transport.h"

#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

#include <stdlib.h>

/* To set a transport up is a part of the shortest calls that they notice. Of what MPI itself has, neither the type nor
 * the operation can be freed and another be made at the same address. */
struct coll_topo_pml_transport* coll_topo_reduction_transport(struct coll_topo_module* module,
                                                              struct ompi_communicator_t* communicator,
                                                              struct ompi_datatype_t* datatype,
                                                              struct ompi_op_t* operation,
                                                              struct coll_topo_pml_transport* of_this_call) {
    struct coll_topo_pml_transport* transport = module->kept_transport;
    if (OPAL_LIKELY(transport != NULL && transport->datatype == datatype && transport->operation == operation)) {
        transport->error = OMPI_SUCCESS;
        return transport;
    }
    if (!ompi_datatype_is_predefined(datatype) || !ompi_op_is_intrinsic(operation)) {
        transport = of_this_call;
    } else if (transport == NULL) {
        transport = module->kept_transport = malloc(sizeof *transport);
        if (transport == NULL) {
            return NULL;
        }
    }
    coll_topo_pml_transport_typed(transport, communicator, datatype, operation);
    coll_topo_use_host_memory(transport, module->memory);
    return transport;
}
