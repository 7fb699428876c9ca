/* SPDX-License-Identifier: BSD-3-Clause */
/* Gatherv and scatterv: only the root knows the sizes of all pieces. The choice does not depend on them; where ranks
 * pass on the pieces of others, the plan runs twice, first with the sizes in place of the pieces, so that every rank
 * learns those of the pieces that pass through it. Where no rank does, each knows the size of its own. */
#include "coll_topo/mca/call/gathered_pieces.h"
#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/call/rooted_pieces.h"
#include "coll_topo/mca/module/collectives.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

#include <stdlib.h>
#include <string.h>

/* One call as this rank sees it. */
struct unequal {
    struct coll_topo_module* module;
    struct ompi_communicator_t* communicator;
    coll_topo_plan* plan;
    int collective, root, rank, ranks;
    struct coll_topo_piece_list pieces; /* at the root */
    struct coll_topo_piece own;         /* to send, or to receive into */
    bool in_place;                      /* the root's own piece is among `pieces` */
    size_t* sizes;                      /* by rank: packed bytes; of a piece that does not pass here, 0 */
    size_t* begin;                      /* packed bytes before each piece, and of all */
};

static bool gathers(const struct unequal* call) {
    return call->collective == COLL_TOPO_GATHERV;
}

static bool is_root(const struct unequal* call) {
    return call->rank == call->root;
}

/* Without elements, a type need not be one. */
static size_t packed_bytes(const struct coll_topo_piece* piece) {
    return piece->count == 0 ? 0 : piece->count * coll_topo_datatype_bytes(piece->type);
}

/* Sizes as this rank knows them before any message. */
static void set_known_sizes(struct unequal* call) {
    memset(call->sizes, 0, (size_t)call->ranks * sizeof *call->sizes);
    if (is_root(call)) {
        coll_topo_pieces_packed_begins(&call->pieces, call->ranks, call->begin);
        for (int rank = 0; rank < call->ranks; ++rank) {
            call->sizes[rank] = call->begin[rank + 1] - call->begin[rank];
        }
    } else {
        call->sizes[call->rank] = packed_bytes(&call->own);
    }
}

static int learn_sizes(struct unequal* call) {
    struct coll_topo_pml_transport transport;
    if (coll_topo_plan_is_direct(call->plan)) {
        return OMPI_SUCCESS;
    }
    if (gathers(call) && is_root(call) && !call->in_place) {
        call->sizes[call->rank] = packed_bytes(&call->own);
    }
    coll_topo_pml_transport_bytes(&transport, call->communicator);
    coll_topo_use_host_memory(&transport, call->module->memory);
    const int error =
        coll_topo_exchange_sizes(call->module->plans, call->plan, &transport.base, call->root, call->sizes);
    if (error == COLL_TOPO_OK) {
        return OMPI_SUCCESS;
    }
    return transport.error != OMPI_SUCCESS ? transport.error : coll_topo_error_of(error);
}

/* Whether a piece is longer than the memory that it is for. */
static bool is_too_long(const struct unequal* call) {
    if (!gathers(call)) {
        return !(is_root(call) && call->in_place) && call->sizes[call->rank] > packed_bytes(&call->own);
    }
    bool too_long = false;
    for (int rank = 0; is_root(call) && rank < call->ranks; ++rank) {
        too_long = too_long || call->sizes[rank] > call->begin[rank + 1] - call->begin[rank];
    }
    return too_long;
}

/* Whether pieces are as long as the root's counts say; then `begin` is of these sizes. */
static bool sizes_are_as_counted(const struct unequal* call) {
    bool same = true;
    for (int rank = 0; is_root(call) && rank < call->ranks; ++rank) {
        same = same && call->sizes[rank] == call->begin[rank + 1] - call->begin[rank];
    }
    return same;
}

static void set_begins(struct unequal* call) {
    call->begin[0] = 0;
    for (int rank = 0; rank < call->ranks; ++rank) {
        call->begin[rank + 1] = call->begin[rank] + call->sizes[rank];
    }
}

/* This rank's own piece: what it sends of a gather, or gets of a scatter. Where it lies as it is sent, it need not be
 * packed. */
static void* set_own(struct unequal* call, struct coll_topo_gathered_pieces* transport,
                     struct coll_topo_packed_view* view) {
    static char nothing;
    char* bytes = &nothing;
    if (call->own.count > 0) {
        coll_topo_packed_view_set(view, call->own.buffer, call->own.count, call->own.type);
        bytes = coll_topo_pml_bytes_of(&transport->pml, view);
    }
    if (bytes != NULL && gathers(call)) {
        transport->pml.base.pack = NULL;
    } else if (bytes != NULL) {
        transport->pml.base.unpack = NULL;
    }
    return bytes != NULL ? bytes : call->own.buffer;
}

/* The root's pieces, in its receive buffer or send buffer. */
static void* set_all(struct unequal* call, struct coll_topo_gathered_pieces* transport, bool as_counted,
                     struct coll_topo_packed_view* view) {
    char* const first = as_counted ? coll_topo_pieces_in_a_row(transport) : NULL;
    char* bytes = NULL;
    if (first != NULL) {
        coll_topo_packed_view_set(view, first, call->begin[call->ranks] / coll_topo_datatype_bytes(call->pieces.type),
                                  call->pieces.type);
        bytes = coll_topo_pml_bytes_of(&transport->pml, view);
    }
    if (gathers(call)) {
        transport->pml.base.unpack = bytes != NULL ? NULL : coll_topo_pieces_unpack;
    } else {
        transport->pml.base.pack = bytes != NULL ? NULL : coll_topo_pieces_pack;
    }
    return bytes != NULL ? bytes : call->pieces.buffer;
}

/* With the sizes known. `instead`: memory for what is too long for the receive buffer, else NULL. */
static int run(struct unequal* call, void* instead) {
    struct coll_topo_gathered_pieces transport;
    const bool as_counted = sizes_are_as_counted(call);
    coll_topo_pml_transport_packed(&transport.pml, call->communicator);
    coll_topo_use_host_memory(&transport.pml, call->module->memory);
    set_begins(call);
    transport.pieces = call->pieces;
    transport.begin = call->begin;
    transport.ranks = call->ranks;
    coll_topo_buffers buffers = {.elements = call->begin[call->ranks], .piece_elements = {.sizes = call->sizes}};
    struct coll_topo_packed_view* const sent = &transport.pml.send_view;
    struct coll_topo_packed_view* const received = &transport.pml.receive_view;
    if (gathers(call)) {
        buffers.input = set_own(call, &transport, sent);
        buffers.output = is_root(call) ? set_all(call, &transport, as_counted, received) : NULL;
    } else {
        buffers.input = is_root(call) ? set_all(call, &transport, as_counted, sent) : NULL;
        buffers.output = call->in_place ? NULL : set_own(call, &transport, received);
        if (call->in_place) {
            transport.pml.base.unpack = coll_topo_leave_in_place;
        }
    }
    if (instead != NULL) {
        buffers.output = instead;
        transport.pml.base.unpack = NULL;
    }
    return coll_topo_run_call(call->module, call->collective, call->plan, &transport.pml, &buffers);
}

static int run_with_sizes(struct unequal* call) {
    const size_t ranks = (size_t)call->ranks;
    call->sizes = coll_topo_temporary(call->module->plans, (2 * ranks + 1) * sizeof *call->sizes);
    if (call->sizes == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    call->begin = call->sizes + ranks;
    set_known_sizes(call);
    const int error = learn_sizes(call);
    if (error != OMPI_SUCCESS || !is_too_long(call)) {
        return error != OMPI_SUCCESS ? error : run(call, NULL);
    }
    size_t bytes = 0;
    for (size_t rank = 0; rank < ranks; ++rank) {
        bytes += call->sizes[rank];
    }
    void* const instead = malloc(bytes); /* other ranks go on */
    const int end = instead != NULL ? run(call, instead) : OMPI_ERR_OUT_OF_RESOURCE;
    free(instead);
    return end != OMPI_SUCCESS ? end : MPI_ERR_TRUNCATE;
}

int coll_topo_gatherv(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                      void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                      struct ompi_datatype_t* receive_type, int root, struct ompi_communicator_t* communicator,
                      mca_coll_base_module_t* base) {
    struct unequal call = {.module = (struct coll_topo_module*)base,
                           .communicator = communicator,
                           .collective = COLL_TOPO_GATHERV,
                           .root = root,
                           .rank = ompi_comm_rank(communicator),
                           .ranks = ompi_comm_size(communicator),
                           .in_place = send_buffer == MPI_IN_PLACE};
    const int error = coll_topo_plan_call(call.module, communicator, COLL_TOPO_GATHERV, 0, root, 1, &call.plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (call.plan == NULL) {
        return call.module->previous_gatherv(send_buffer, send_count, send_type, receive_buffer, receive_counts,
                                             displacements, receive_type, root, communicator,
                                             call.module->previous_gatherv_module);
    }
    if (is_root(&call)) {
        call.pieces = coll_topo_unequal_pieces(receive_buffer, receive_counts, displacements, receive_type);
    }
    if (call.in_place) {
        call.own = coll_topo_piece_of(&call.pieces, root);
    } else {
        call.own = (struct coll_topo_piece){(char*)send_buffer /* only read */, (size_t)send_count, send_type};
    }
    return run_with_sizes(&call);
}

int coll_topo_scatterv(const void* send_buffer, coll_topo_counts send_counts, coll_topo_displacements displacements,
                       struct ompi_datatype_t* send_type, void* receive_buffer, coll_topo_count receive_count,
                       struct ompi_datatype_t* receive_type, int root, struct ompi_communicator_t* communicator,
                       mca_coll_base_module_t* base) {
    struct unequal call = {.module = (struct coll_topo_module*)base,
                           .communicator = communicator,
                           .collective = COLL_TOPO_SCATTERV,
                           .root = root,
                           .rank = ompi_comm_rank(communicator),
                           .ranks = ompi_comm_size(communicator),
                           .in_place = receive_buffer == MPI_IN_PLACE};
    const int error = coll_topo_plan_call(call.module, communicator, COLL_TOPO_SCATTERV, 0, root, 1, &call.plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (call.plan == NULL) {
        return call.module->previous_scatterv(send_buffer, send_counts, displacements, send_type, receive_buffer,
                                              receive_count, receive_type, root, communicator,
                                              call.module->previous_scatterv_module);
    }
    if (is_root(&call)) {
        call.pieces = coll_topo_unequal_pieces(send_buffer, send_counts, displacements, send_type);
    }
    if (!call.in_place) {
        call.own = (struct coll_topo_piece){receive_buffer, (size_t)receive_count, receive_type};
    }
    return run_with_sizes(&call);
}
