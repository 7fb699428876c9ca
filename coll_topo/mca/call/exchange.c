/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/exchange.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/transport/memory_transport.h"
#include "coll_topo/mca/transport/neighbors.h"
#include "coll_topo/mca/transport/piece_transport.h"

#include "ompi/communicator/communicator.h"

/* ---- what is exchanged ------------------------------------------------------------------------------------------- */

bool coll_topo_has_equal_pieces(int collective) {
    return collective == COLL_TOPO_ALLTOALL || collective == COLL_TOPO_NEIGHBOR_ALLTOALL ||
           collective == COLL_TOPO_NEIGHBOR_ALLGATHER;
}

static bool is_to_neighbors(int collective) {
    return collective != COLL_TOPO_ALLTOALL && collective != COLL_TOPO_ALLTOALLV && collective != COLL_TOPO_ALLTOALLW;
}

static bool is_one_for_all(int collective) {
    return collective == COLL_TOPO_NEIGHBOR_ALLGATHER || collective == COLL_TOPO_NEIGHBOR_ALLGATHERV;
}

int coll_topo_exchange_partners(struct ompi_communicator_t* communicator, int collective) {
    return is_to_neighbors(collective) ? coll_topo_neighbors(communicator) : ompi_comm_size(communicator);
}

static bool is_in_place(int collective, const struct coll_topo_arguments* arguments) {
    return !is_to_neighbors(collective) && arguments->send_buffer == MPI_IN_PLACE;
}

/* ---- equal pieces ------------------------------------------------------------------------------------------------ */

size_t coll_topo_exchange_bytes(struct ompi_communicator_t* communicator, int collective,
                                const struct coll_topo_arguments* arguments) {
    return (size_t)coll_topo_exchange_partners(communicator, collective) * (size_t)arguments->receive_count *
           coll_topo_datatype_bytes(arguments->receive_type);
}

struct coll_topo_packed_view coll_topo_exchange_input(struct ompi_communicator_t* communicator, int collective,
                                                      const struct coll_topo_arguments* arguments) {
    const int pieces = is_one_for_all(collective) ? 1 : coll_topo_exchange_partners(communicator, collective);
    struct coll_topo_packed_view view;
    coll_topo_packed_view_set(&view, arguments->send_buffer, (size_t)pieces * (size_t)arguments->send_count,
                              arguments->send_type);
    return view;
}

struct coll_topo_packed_view coll_topo_exchange_output(struct ompi_communicator_t* communicator, int collective,
                                                       const struct coll_topo_arguments* arguments) {
    const int pieces = coll_topo_exchange_partners(communicator, collective);
    struct coll_topo_packed_view view;
    coll_topo_packed_view_set(&view, arguments->receive_buffer, (size_t)pieces * (size_t)arguments->receive_count,
                              arguments->receive_type);
    return view;
}

bool coll_topo_exchange_where_it_is(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                                    int collective, const struct coll_topo_arguments* arguments,
                                    coll_topo_host_memory* memory, coll_topo_buffers* buffers) {
    if (!coll_topo_has_equal_pieces(collective) || is_in_place(collective, arguments)) {
        return false;
    }
    const struct coll_topo_packed_view input = coll_topo_exchange_input(communicator, collective, arguments);
    const struct coll_topo_packed_view output = coll_topo_exchange_output(communicator, collective, arguments);
    coll_topo_pml_transport_bytes(transport, communicator);
    coll_topo_use_host_memory(transport, memory);
    *buffers = (coll_topo_buffers){
        .input = coll_topo_pml_bytes_of(transport, &input),
        .output = coll_topo_pml_bytes_of(transport, &output),
        .elements = (size_t)arguments->receive_count * coll_topo_datatype_bytes(arguments->receive_type)};
    return buffers->input != NULL && buffers->output != NULL;
}

/* ---- any pieces -------------------------------------------------------------------------------------------------- */

static struct coll_topo_piece_list input_of(int collective, const struct coll_topo_arguments* a) {
    if (coll_topo_has_equal_pieces(collective) || is_one_for_all(collective)) {
        return coll_topo_equal_pieces(a->send_buffer, a->send_count, a->send_type);
    }
    switch (collective) {
        case COLL_TOPO_ALLTOALLW:
            return coll_topo_typed_pieces(a->send_buffer, a->send_counts, a->send_displacements, a->send_types);
        case COLL_TOPO_NEIGHBOR_ALLTOALLW:
            return coll_topo_pieces_at_bytes(a->send_buffer, a->send_counts, a->send_byte_displacements, a->send_types);
        default:
            return coll_topo_unequal_pieces(a->send_buffer, a->send_counts, a->send_displacements, a->send_type);
    }
}

static struct coll_topo_piece_list output_of(int collective, const struct coll_topo_arguments* a) {
    if (coll_topo_has_equal_pieces(collective)) {
        return coll_topo_equal_pieces(a->receive_buffer, a->receive_count, a->receive_type);
    }
    switch (collective) {
        case COLL_TOPO_ALLTOALLW:
            return coll_topo_typed_pieces(a->receive_buffer, a->receive_counts, a->receive_displacements,
                                          a->receive_types);
        case COLL_TOPO_NEIGHBOR_ALLTOALLW:
            return coll_topo_pieces_at_bytes(a->receive_buffer, a->receive_counts, a->receive_byte_displacements,
                                             a->receive_types);
        default:
            return coll_topo_unequal_pieces(a->receive_buffer, a->receive_counts, a->receive_displacements,
                                            a->receive_type);
    }
}

struct coll_topo_exchange coll_topo_exchange_of(struct ompi_communicator_t* communicator, int collective,
                                                const struct coll_topo_arguments* arguments) {
    const bool one_for_all = is_one_for_all(collective);
    const int partners = coll_topo_exchange_partners(communicator, collective);
    struct coll_topo_exchange exchange = {.output = output_of(collective, arguments),
                                          .inputs = one_for_all ? 1 : partners,
                                          .outputs = partners,
                                          .in_place = is_in_place(collective, arguments)};
    exchange.input = exchange.in_place ? exchange.output : input_of(collective, arguments);
    if (is_to_neighbors(collective) && !coll_topo_has_equal_pieces(collective)) {
        exchange.input.neighbors_of = one_for_all ? NULL : communicator;
        exchange.output.neighbors_of = communicator;
    }
    return exchange;
}

/* ---- blocking ---------------------------------------------------------------------------------------------------- */

/* A direct schedule, on pieces where they are. */
static int exchange_pieces(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
                           struct ompi_communicator_t* communicator, const struct coll_topo_arguments* arguments) {
    const struct coll_topo_exchange exchange = coll_topo_exchange_of(communicator, collective, arguments);
    const coll_topo_buffers buffers = {.elements = 0};
    struct coll_topo_piece_transport transport;
    void* memory =
        coll_topo_temporary(module->plans, coll_topo_piece_transport_memory(exchange.inputs, exchange.outputs));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_piece_transport_begin(&transport, communicator, exchange.in_place ? NULL : &exchange.input,
                                    exchange.inputs, &exchange.output, exchange.outputs, module->memory, memory);
    const int error = coll_topo_run_call(module, collective, plan, &transport.pml, &buffers);
    coll_topo_piece_transport_end(&transport);
    return error;
}

/* Any schedule, on equal pieces as packed bytes. What is not contiguous is packed into temporary memory or unpacked
 * from it. In place the input is a copy of what is received over. */
static int exchange_packed(struct coll_topo_module* module, int collective, coll_topo_plan* plan,
                           struct ompi_communicator_t* communicator, const struct coll_topo_arguments* arguments) {
    struct coll_topo_pml_transport transport;
    const bool in_place = is_in_place(collective, arguments);
    const struct coll_topo_packed_view output_view = coll_topo_exchange_output(communicator, collective, arguments);
    const struct coll_topo_packed_view input_view =
        in_place ? output_view : coll_topo_exchange_input(communicator, collective, arguments);
    const size_t whole = coll_topo_exchange_bytes(communicator, collective, arguments);
    coll_topo_pml_transport_bytes(&transport, communicator);
    coll_topo_use_host_memory(&transport, module->memory);
    char* input = in_place ? NULL : coll_topo_pml_bytes_of(&transport, &input_view);
    char* output = coll_topo_pml_bytes_of(&transport, &output_view);
    const bool unpacks = output == NULL;
    char* temporary = coll_topo_temporary(module->plans, input == NULL && unpacks ? 2 * whole : whole);
    int error = OMPI_SUCCESS;
    if (temporary == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    if (unpacks) {
        output = temporary;
        temporary += whole;
    }
    if (input == NULL) {
        input = temporary;
        error = coll_topo_packed_view_read(&input_view, input, 0, whole);
    }
    if (error == OMPI_SUCCESS) {
        const size_t piece = whole / (size_t)coll_topo_exchange_partners(communicator, collective);
        const coll_topo_buffers buffers = {.input = input, .output = output, .elements = piece};
        error = coll_topo_run_call(module, collective, plan, &transport, &buffers);
    }
    return error == OMPI_SUCCESS && unpacks ? coll_topo_packed_view_write(&output_view, output, 0, whole) : error;
}

bool coll_topo_exchanged(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int collective,
                         const struct coll_topo_arguments* arguments, int* error) {
    struct coll_topo_pml_transport transport;
    coll_topo_buffers buffers;
    coll_topo_plan* plan = NULL;
    const bool equal = coll_topo_has_equal_pieces(collective);
    const size_t bytes = equal ? coll_topo_exchange_bytes(communicator, collective, arguments) : 0;
    *error = OMPI_SUCCESS;
    if (equal && bytes == 0 && coll_topo_exchange_partners(communicator, collective) > 0) {
        return true;
    }
    *error = coll_topo_plan_call(module, communicator, collective, bytes, 0, 1, &plan);
    if (*error != OMPI_SUCCESS || plan == NULL) {
        return *error != OMPI_SUCCESS;
    }
    if (coll_topo_exchange_where_it_is(&transport, communicator, collective, arguments, module->memory, &buffers)) {
        *error = coll_topo_run_call(module, collective, plan, &transport, &buffers);
    } else if (coll_topo_plan_is_direct(plan)) {
        *error = exchange_pieces(module, collective, plan, communicator, arguments);
    } else {
        *error = exchange_packed(module, collective, plan, communicator, arguments);
    }
    return true;
}
