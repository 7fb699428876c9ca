/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/device_operands.h"

#include "coll_topo/mca/transport/pml_transport.h"

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

#include <stdlib.h>

static size_t results_of(const struct coll_topo_reduction_call* call) {
    return call->own_end - call->own_begin;
}

/* By where the data of element 0 are, which can be far from its address. */
bool coll_topo_reduces_on_device(const struct coll_topo_reduction_call* call) {
    ptrdiff_t before = 0, extent = 0;
    ompi_datatype_get_true_extent(call->datatype, &before, &extent);
    return coll_topo_is_on_device((const char*)coll_topo_operands_of(call) + before) ||
           (results_of(call) > 0 && coll_topo_is_on_device((const char*)call->receive_buffer + before));
}

int coll_topo_make_room_for_operands(const struct coll_topo_reduction_call* call,
                                     struct coll_topo_fetched_operands* fetched) {
    struct coll_topo_pml_transport layout;
    coll_topo_pml_transport_typed(&layout, NULL, call->datatype, call->operation);
    const size_t extent = (size_t)layout.base.extent, tail = (size_t)layout.base.scratch_tail;
    const size_t alignment = COLL_TOPO_ELEMENT_ALIGNMENT;
    const size_t operands = (call->elements * extent + tail + alignment - 1) / alignment * alignment;
    fetched->memory = malloc(operands + results_of(call) * extent + tail);
    if (fetched->memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    char* const first = fetched->memory + layout.base.scratch_lead;
    fetched->call = *call;
    fetched->call.send_buffer = first;
    fetched->call.receive_buffer = first + operands;
    return OMPI_SUCCESS;
}

int coll_topo_fetch_operands(const struct coll_topo_reduction_call* call,
                             const struct coll_topo_fetched_operands* fetched) {
    return ompi_datatype_copy_content_same_ddt(call->datatype, call->elements, (char*)fetched->call.send_buffer,
                                               (char*)coll_topo_operands_of(call));
}

int coll_topo_return_results(const struct coll_topo_reduction_call* call,
                             const struct coll_topo_fetched_operands* fetched, int error) {
    if (error == OMPI_SUCCESS && results_of(call) > 0) {
        error = ompi_datatype_copy_content_same_ddt(call->datatype, results_of(call), call->receive_buffer,
                                                    fetched->call.receive_buffer);
    }
    return error;
}
