/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/unequal_pieces.h"

#include "coll_topo/mca/call/rooted_pieces.h"
#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

#include <string.h>

/* Without elements, a type need not be one. */
static size_t packed_bytes(const struct coll_topo_piece* piece) {
    return piece->count == 0 ? 0 : piece->count * coll_topo_datatype_bytes(piece->type);
}

/* ---- the call -----------------------------------------------------------------------------------------------------
 */

static void set(struct coll_topo_unequal* call, struct ompi_communicator_t* communicator, int collective, int root,
                bool in_place) {
    *call = (struct coll_topo_unequal){.communicator = communicator,
                                       .collective = collective,
                                       .root = root,
                                       .rank = ompi_comm_rank(communicator),
                                       .ranks = ompi_comm_size(communicator),
                                       .in_place = in_place};
}

void coll_topo_unequal_set_gatherv(struct coll_topo_unequal* call, struct ompi_communicator_t* communicator,
                                   const void* send_buffer, coll_topo_count send_count,
                                   struct ompi_datatype_t* send_type, void* receive_buffer,
                                   coll_topo_counts receive_counts, coll_topo_displacements displacements,
                                   struct ompi_datatype_t* receive_type, int root) {
    set(call, communicator, COLL_TOPO_GATHERV, root, send_buffer == MPI_IN_PLACE);
    if (coll_topo_unequal_is_root(call)) {
        call->pieces = coll_topo_unequal_pieces(receive_buffer, receive_counts, displacements, receive_type);
    }
    if (call->in_place) {
        call->own = coll_topo_piece_of(&call->pieces, root);
    } else {
        call->own = (struct coll_topo_piece){(char*)send_buffer /* only read */, (size_t)send_count, send_type};
    }
}

void coll_topo_unequal_set_scatterv(struct coll_topo_unequal* call, struct ompi_communicator_t* communicator,
                                    const void* send_buffer, coll_topo_counts send_counts,
                                    coll_topo_displacements displacements, struct ompi_datatype_t* send_type,
                                    void* receive_buffer, coll_topo_count receive_count,
                                    struct ompi_datatype_t* receive_type, int root) {
    set(call, communicator, COLL_TOPO_SCATTERV, root, receive_buffer == MPI_IN_PLACE);
    if (coll_topo_unequal_is_root(call)) {
        call->pieces = coll_topo_unequal_pieces(send_buffer, send_counts, displacements, send_type);
    }
    if (!call->in_place) {
        call->own = (struct coll_topo_piece){receive_buffer, (size_t)receive_count, receive_type};
    }
}

/* ---- sizes --------------------------------------------------------------------------------------------------------
 */

static size_t numbers(const struct coll_topo_unequal* call) {
    return 3 * (size_t)call->ranks + 1;
}

size_t coll_topo_unequal_memory(const struct coll_topo_unequal* call, const coll_topo_plan* plan) {
    const coll_topo_cells cells = {.short_bytes = coll_topo_short_piece_bytes(plan)};
    const size_t all = coll_topo_unequal_is_root(call) ? (size_t)call->ranks : 0;
    return numbers(call) * sizeof(size_t) + (1 + all) * coll_topo_cell_bytes(&cells) + all;
}

void coll_topo_unequal_use(struct coll_topo_unequal* call, const coll_topo_plan* plan, void* memory) {
    const coll_topo_cells cells = {.short_bytes = coll_topo_short_piece_bytes(plan)};
    const size_t all = coll_topo_unequal_is_root(call) ? (size_t)call->ranks : 0;
    call->sizes = memory;
    call->begin = call->sizes + call->ranks;
    call->answer_sizes = call->begin + call->ranks + 1;
    call->cells = cells;
    call->cells.own = (char*)(call->sizes + numbers(call));
    call->cells.all = all > 0 ? call->cells.own + coll_topo_cell_bytes(&cells) : NULL;
    call->answers = call->cells.own + (1 + all) * coll_topo_cell_bytes(&cells);
}

void coll_topo_unequal_set_known_sizes(struct coll_topo_unequal* call, const coll_topo_plan* plan) {
    call->most_short = coll_topo_short_piece_bytes(plan);
    call->cells.short_bytes = call->most_short;
    memset(call->sizes, 0, (size_t)call->ranks * sizeof *call->sizes);
    if (!coll_topo_unequal_is_root(call)) {
        call->sizes[call->rank] = packed_bytes(&call->own);
        return;
    }
    coll_topo_pieces_packed_begins(&call->pieces, call->ranks, call->begin);
    for (int rank = 0; rank < call->ranks; ++rank) {
        call->sizes[rank] = call->begin[rank + 1] - call->begin[rank];
    }
    /* What the root sends itself may be shorter than the place for it. */
    if (coll_topo_unequal_gathers(call) && !call->in_place && !coll_topo_plan_is_direct(plan)) {
        call->sizes[call->rank] = packed_bytes(&call->own);
    }
}

/* ---- with the sizes known -----------------------------------------------------------------------------------------
 */

bool coll_topo_unequal_is_too_long(const struct coll_topo_unequal* call) {
    if (!coll_topo_unequal_gathers(call)) {
        return !(coll_topo_unequal_is_root(call) && call->in_place) &&
               call->sizes[call->rank] > packed_bytes(&call->own);
    }
    bool too_long = false;
    for (int rank = 0; coll_topo_unequal_is_root(call) && rank < call->ranks; ++rank) {
        too_long = too_long || call->sizes[rank] > call->begin[rank + 1] - call->begin[rank];
    }
    return too_long;
}

size_t coll_topo_unequal_bytes(const struct coll_topo_unequal* call) {
    size_t bytes = 0;
    for (int rank = 0; rank < call->ranks; ++rank) {
        bytes += call->sizes[rank];
    }
    return bytes;
}

/* Whether pieces are as long as the root's counts say; then `begin` is of these sizes. */
static bool sizes_are_as_counted(const struct coll_topo_unequal* call) {
    bool same = true;
    for (int rank = 0; coll_topo_unequal_is_root(call) && rank < call->ranks; ++rank) {
        same = same && call->sizes[rank] == call->begin[rank + 1] - call->begin[rank];
    }
    return same;
}

static void set_begins(struct coll_topo_unequal* call) {
    call->begin[0] = 0;
    for (int rank = 0; rank < call->ranks; ++rank) {
        call->begin[rank + 1] = call->begin[rank] + call->sizes[rank];
    }
}

/* ---- transport and buffers ----------------------------------------------------------------------------------------
 */

/* This rank's own piece: what it sends of a gather, or gets of a scatter. Where it lies as it is sent, it need not be
 * packed. */
static void* set_own(struct coll_topo_unequal* call, struct coll_topo_gathered_pieces* transport,
                     struct coll_topo_packed_view* view) {
    static char nothing;
    char* bytes = &nothing;
    if (call->own.count > 0) {
        coll_topo_packed_view_set(view, call->own.buffer, call->own.count, call->own.type);
        bytes = coll_topo_pml_bytes_of(&transport->pml, view);
    }
    if (bytes != NULL && coll_topo_unequal_gathers(call)) {
        transport->pml.base.pack = NULL;
    } else if (bytes != NULL) {
        transport->pml.base.unpack = NULL;
    }
    return bytes != NULL ? bytes : call->own.buffer;
}

/* The root's pieces, in its receive buffer or send buffer. */
static void* set_all(struct coll_topo_unequal* call, struct coll_topo_gathered_pieces* transport, bool as_counted,
                     struct coll_topo_packed_view* view) {
    char* const first = as_counted ? coll_topo_pieces_in_a_row(transport) : NULL;
    char* bytes = NULL;
    if (first != NULL) {
        coll_topo_packed_view_set(view, first, call->begin[call->ranks] / coll_topo_datatype_bytes(call->pieces.type),
                                  call->pieces.type);
        bytes = coll_topo_pml_bytes_of(&transport->pml, view);
    }
    if (coll_topo_unequal_gathers(call)) {
        transport->pml.base.unpack = bytes != NULL ? NULL : coll_topo_pieces_unpack;
    } else {
        transport->pml.base.pack = bytes != NULL ? NULL : coll_topo_pieces_pack;
    }
    return bytes != NULL ? bytes : call->pieces.buffer;
}

void coll_topo_unequal_set(struct coll_topo_unequal* call, struct coll_topo_gathered_pieces* transport,
                           coll_topo_host_memory* memory, void* instead, coll_topo_buffers* buffers) {
    const bool as_counted = sizes_are_as_counted(call);
    coll_topo_pml_transport_packed(&transport->pml, call->communicator);
    coll_topo_use_host_memory(&transport->pml, memory);
    set_begins(call);
    transport->pieces = call->pieces;
    transport->begin = call->begin;
    transport->ranks = call->ranks;
    *buffers = (coll_topo_buffers){.elements = call->begin[call->ranks], .piece_elements = {.sizes = call->sizes}};
    struct coll_topo_packed_view* const sent = &transport->pml.send_view;
    struct coll_topo_packed_view* const received = &transport->pml.receive_view;
    if (coll_topo_unequal_gathers(call)) {
        buffers->input = set_own(call, transport, sent);
        buffers->output = coll_topo_unequal_is_root(call) ? set_all(call, transport, as_counted, received) : NULL;
    } else {
        buffers->input = coll_topo_unequal_is_root(call) ? set_all(call, transport, as_counted, sent) : NULL;
        buffers->output = call->in_place ? NULL : set_own(call, transport, received);
        if (call->in_place) {
            transport->pml.base.unpack = coll_topo_leave_in_place;
        }
    }
    if (instead != NULL) {
        buffers->output = instead;
        transport->pml.base.unpack = NULL;
    }
}
