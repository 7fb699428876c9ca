/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/reduction_call.h"

#include "coll_topo/mca/call/device_operands.h"
#include "coll_topo/mca/call/operands.h"
#include "coll_topo/mca/call/packed_reduction.h"
#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/call/reduction_transport.h"
#include "coll_topo/mca/module/counters.h"
#include "coll_topo/mca/module/report.h"
#include "coll_topo/mca/transport/memory_transport.h"
#include "coll_topo/mca/transport/unpacking_transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"

#include <stdlib.h>
#include <string.h>

/* How a call is served. */
struct way {
    int method; /* COLL_TOPO_AS_THEY_ARE ... */
    int operation, operand;
    int collective;            /* that of the plan: the call's, or an allreduce that stands for it */
    coll_topo_plan* plan;      /* NULL: the previous module's */
    coll_topo_plan* allreduce; /* of encoded reductions */
};

static int find_plan(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                     const struct coll_topo_reduction_call* call, int method, int collective, coll_topo_plan** plan) {
    const size_t bytes = call->elements * coll_topo_datatype_bytes(call->datatype);
    const int root = collective == call->collective ? call->root : 0;
    const int commutative = method == COLL_TOPO_ENCODED || ompi_op_is_commute(call->operation);
    return coll_topo_plan_by(method == COLL_TOPO_BY_COORDINATES ? coll_topo_choose_fixed_order : module->choose, module,
                             communicator, collective, bytes, root, commutative, plan);
}

/* Where results must be reproducible and there is no schedule for a collective, an allreduce stands for it, but not for
 * a scan, whose results differ by rank. */
static int find_reproducible(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                             const struct coll_topo_reduction_call* call, struct way* way) {
    const bool encoded = way->method == COLL_TOPO_ENCODED;
    if (coll_topo_is_prefix(call->collective)) {
        way->plan = encoded ? NULL : way->plan;
    } else if (call->collective == COLL_TOPO_ALLREDUCE) {
        way->allreduce = way->plan;
    } else if (encoded || way->plan == NULL) {
        const int error = find_plan(module, communicator, call, way->method, COLL_TOPO_ALLREDUCE, &way->allreduce);
        if (error != OMPI_SUCCESS) {
            return error;
        }
    }
    if (!coll_topo_is_prefix(call->collective) && (way->plan == NULL || (encoded && way->allreduce == NULL))) {
        way->collective = COLL_TOPO_ALLREDUCE;
        way->plan = way->allreduce;
    }
    if (way->plan == NULL && ompi_comm_rank(communicator) == 0) {
        coll_topo_report_not_reproducible(communicator);
    }
    return OMPI_SUCCESS;
}

static int find_way(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                    const struct coll_topo_reduction_call* call, struct way* way) {
    *way = (struct way){.method = COLL_TOPO_AS_THEY_ARE, .collective = call->collective};
    int error = coll_topo_decided(module, communicator);
    if (error != OMPI_SUCCESS || module->decision != COLL_TOPO_OURS) {
        return error;
    }
    if (OPAL_UNLIKELY(module->reproducible != COLL_TOPO_ANY_ORDER)) {
        way->operation = coll_topo_operation(call->operation);
        way->operand = coll_topo_operand(call->datatype);
        way->method = coll_topo_reduction_method(module->reproducible, way->operation, way->operand);
    }
    error = find_plan(module, communicator, call, way->method, call->collective, &way->plan);
    if (error == OMPI_SUCCESS && way->method != COLL_TOPO_AS_THEY_ARE) {
        error = find_reproducible(module, communicator, call, way);
    }
    return error;
}

const void* coll_topo_operands_of(const struct coll_topo_reduction_call* call) {
    return call->send_buffer == MPI_IN_PLACE ? call->receive_buffer : call->send_buffer;
}

/* Memory for the whole vector that is kept with the communicator; NULL if there is none. */
static char* take_vector(struct coll_topo_module* module, const coll_topo_transport* of_elements, size_t elements) {
    char* memory =
        coll_topo_temporary(module->plans, elements * (size_t)of_elements->extent + (size_t)of_elements->scratch_tail);
    return memory != NULL ? memory + of_elements->scratch_lead : NULL;
}

static int copy_operands(const struct coll_topo_reduction_call* call, void* target) {
    const void* operands = coll_topo_operands_of(call);
    return target == operands
               ? OMPI_SUCCESS
               : ompi_datatype_copy_content_same_ddt(call->datatype, call->elements, target, (char*)operands);
}

bool coll_topo_reduction_buffers(const struct coll_topo_reduction_call* call, int collective,
                                 const coll_topo_plan* plan, coll_topo_buffers* buffers) {
    *buffers = (coll_topo_buffers){.output = call->receive_buffer, .elements = call->elements};
    const void* const operands = coll_topo_operands_of(call);
    if (coll_topo_scatters(collective)) {
        buffers->input = operands;
        buffers->operands = operands == call->receive_buffer ? NULL : operands;
        buffers->piece_elements = call->piece_elements;
        if (!coll_topo_has_piece_counts(call->piece_elements)) {
            buffers->elements = call->own_end - call->own_begin;
        }
        return true;
    }
    const bool stands_in = collective != call->collective;
    const bool gets_nothing = call->own_end == 0;
    if (gets_nothing && !stands_in && coll_topo_plan_keeps_output(plan)) {
        buffers->output = (void*)operands; /* only read */
        return true;
    }
    const bool elsewhere = stands_in || gets_nothing;
    buffers->operands = operands == call->receive_buffer && !elsewhere ? NULL : operands;
    return !elsewhere;
}

/* Where a plan runs, and where it finds the rank's operands. */
static int set_up(struct coll_topo_module* module, const struct coll_topo_reduction_call* call, const struct way* way,
                  const coll_topo_transport* of_elements, coll_topo_buffers* buffers) {
    if (!coll_topo_reduction_buffers(call, way->collective, way->plan, buffers)) {
        buffers->output = take_vector(module, of_elements, call->elements);
        if (buffers->output == NULL) {
            return OMPI_ERR_OUT_OF_RESOURCE;
        }
    }
    if (OPAL_LIKELY(way->method != COLL_TOPO_ENCODED) || coll_topo_scatters(way->collective)) {
        return OMPI_SUCCESS;
    }
    buffers->operands = NULL;
    /* Sums of fixed point scale the operands from where they are into memory of their own. */
    const bool scaled = way->operation == COLL_TOPO_SUM && module->reproducible == COLL_TOPO_FIXED_POINT;
    return scaled ? OMPI_SUCCESS : copy_operands(call, buffers->output);
}

/* The operands of an exact sum are needed again where it was not certain, so they must outlive what is written. A rank
 * that gets nothing may name any receive buffer. */
static int keep_operands(struct coll_topo_module* module, const struct coll_topo_reduction_call* call,
                         const struct way* way, const coll_topo_transport* of_elements,
                         const coll_topo_buffers* buffers, const void** kept) {
    *kept = coll_topo_operands_of(call);
    const bool written = *kept == buffers->output && call->own_begin < call->own_end;
    if (!written || way->operation != COLL_TOPO_SUM || module->reproducible != COLL_TOPO_EXACT) {
        return OMPI_SUCCESS;
    }
    char* copy = take_vector(module, of_elements, call->elements);
    *kept = copy;
    return copy != NULL ? copy_operands(call, copy) : OMPI_ERR_OUT_OF_RESOURCE;
}

static int most_lanes(const struct way* way) {
    const int lanes = coll_topo_plan_lanes(way->plan), of_allreduce = coll_topo_plan_lanes(way->allreduce);
    return lanes > of_allreduce ? lanes : of_allreduce;
}

static int run_encoded(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                       const struct coll_topo_reduction_call* call, const struct way* way,
                       const coll_topo_transport* of_elements, const coll_topo_buffers* buffers) {
    coll_topo_encoded_reduction reduction = {
        .reproducible = module->reproducible,
        .operation = way->operation,
        .operand = way->operand,
        .elements = call->elements,
        .has_result = way->collective != COLL_TOPO_REDUCE || ompi_comm_rank(communicator) == call->root};
    const int error = keep_operands(module, call, way, of_elements, buffers, &reduction.operands);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    struct coll_topo_pml_transport bytes;
    coll_topo_pml_transport_bytes(&bytes, communicator);
    coll_topo_use_host_memory(&bytes, module->memory);
    coll_topo_pml_transport_for_lanes(&bytes, most_lanes(way));
    return coll_topo_ran(
        call->collective,
        coll_topo_run_encoded(module->plans, way->plan, way->allreduce, &bytes.base, buffers, &reduction), &bytes);
}

static int run(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
               const struct coll_topo_reduction_call* call, const struct way* way) {
    coll_topo_buffers buffers;
    struct coll_topo_pml_transport of_this_call;
    struct coll_topo_pml_transport* const transport =
        coll_topo_reduction_transport(module, communicator, call->datatype, call->operation, &of_this_call);
    if (transport == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    int error = set_up(module, call, way, &transport->base, &buffers);
    if (error == OMPI_SUCCESS) {
        error = way->method == COLL_TOPO_ENCODED
                    ? run_encoded(module, communicator, call, way, &transport->base, &buffers)
                    : coll_topo_run_call(module, call->collective, way->plan, transport, &buffers);
    }
    if (error != OMPI_SUCCESS || way->collective == call->collective || call->own_end == call->own_begin) {
        return error;
    }
    const char* result = (const char*)buffers.output + (ptrdiff_t)call->own_begin * transport->base.extent;
    return ompi_datatype_copy_content_same_ddt(call->datatype, call->own_end - call->own_begin, call->receive_buffer,
                                               (char*)result);
}

/* The processor combines operands, so those of a device are brought to it. Other ranks need not know: messages are the
 * same, and a rank cannot leave a call to the previous module by where its own buffers are. */
static int run_for_device(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                          const struct coll_topo_reduction_call* call, const struct way* way) {
    struct coll_topo_fetched_operands fetched;
    int error = coll_topo_make_room_for_operands(call, &fetched);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    error = coll_topo_fetch_operands(call, &fetched);
    if (error == OMPI_SUCCESS) {
        error = run(module, communicator, &fetched.call, way);
    }
    error = coll_topo_return_results(call, &fetched, error);
    free(fetched.memory);
    return error;
}

int coll_topo_reduce_by_plan(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                             const struct coll_topo_reduction_call* call, bool* passed_on) {
    struct way way;
    const size_t bytes = call->elements * coll_topo_datatype_bytes(call->datatype);
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    if (bytes < module->least_bytes[call->collective]) {
        coll_topo_count_fallback();
        *passed_on = true;
        return OMPI_SUCCESS;
    }
    int error = find_way(module, communicator, call, &way);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (way.plan == NULL) {
        coll_topo_count_fallback();
        *passed_on = true;
        return OMPI_SUCCESS;
    }
    if (coll_topo_needs_unpacking(call->datatype)) {
        return coll_topo_reduce_packed(module, communicator, call, way.collective, way.plan);
    }
    if (OPAL_UNLIKELY(coll_topo_reduces_on_device(call))) {
        return run_for_device(module, communicator, call, &way);
    }
    return run(module, communicator, call, &way);
}
