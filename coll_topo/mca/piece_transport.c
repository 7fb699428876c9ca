/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/piece_transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"

#include <stdint.h>
#include <stdlib.h>

/* A message that is part of a piece whose data are not contiguous, packed. A type cannot say "from byte 1000 on", and
 * the peer's type may have other elements. */
struct part {
    void* request;
    struct coll_topo_packed_view view; /* of the piece */
    size_t at;
    size_t bytes;
    bool receives;
    char packed[];
};

/* The bit of a request by which a part is told from a message of the PML. */
#define PART_MARK ((uintptr_t)2)

static struct coll_topo_piece_transport* pieces(coll_topo_transport* transport) {
    return (struct coll_topo_piece_transport*)transport;
}

static bool is_part(void* request) {
    return ((uintptr_t)request & PART_MARK) != 0;
}

static struct part* part_of(void* request) {
    return (struct part*)((uintptr_t)request & ~PART_MARK);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static int post_part(coll_topo_transport* transport, const struct coll_topo_packed_view* view, size_t at, size_t bytes,
                     int peer, int lane, bool receives, void** request) {
    struct coll_topo_pml_transport* pml = &pieces(transport)->pml;
    struct part* part = malloc(sizeof *part + bytes);
    int error = COLL_TOPO_OK;
    if (part == NULL) {
        return coll_topo_pml_note(transport, OMPI_ERR_OUT_OF_RESOURCE);
    }
    part->view = *view;
    part->at = at;
    part->bytes = bytes;
    part->receives = receives;
    if (receives) {
        error = coll_topo_pml_receive(pml, part->packed, bytes, &ompi_mpi_byte.dt, peer, lane, &part->request);
    } else {
        error = coll_topo_pml_note(transport, coll_topo_packed_view_read(view, part->packed, at, bytes));
        if (error == COLL_TOPO_OK) {
            error = coll_topo_pml_send(pml, part->packed, bytes, &ompi_mpi_byte.dt, peer, lane, &part->request);
        }
    }
    if (error != COLL_TOPO_OK) {
        free(part);
        return error;
    }
    *request = (void*)((uintptr_t)part | PART_MARK);
    return COLL_TOPO_OK;
}

/* Bytes [at, at + bytes) of a piece; the whole piece is left to its datatype. */
static int post(coll_topo_transport* transport, const struct coll_topo_piece* piece, size_t at, size_t bytes, int peer,
                int lane, bool receives, void** request) {
    struct coll_topo_pml_transport* pml = &pieces(transport)->pml;
    struct ompi_datatype_t* type = piece->type;
    char* data = piece->buffer;
    size_t count = piece->count;
    if (bytes != count * coll_topo_datatype_bytes(type)) {
        struct coll_topo_packed_view view;
        coll_topo_packed_view_set(&view, data, count, type);
        if (view.bytes == NULL) {
            return post_part(transport, &view, at, bytes, peer, lane, receives, request);
        }
        data = view.bytes + at;
        count = bytes;
        type = &ompi_mpi_byte.dt;
    }
    return receives ? coll_topo_pml_receive(pml, data, count, type, peer, lane, request)
                    : coll_topo_pml_send(pml, data, count, type, peer, lane, request);
}

static int send_piece(coll_topo_transport* transport, size_t at, size_t bytes, int peer, int lane, void** request) {
    const struct coll_topo_piece_transport* own = pieces(transport);
    if (own->packed_input != NULL) {
        const char* data = own->packed_input + own->pieces.input_begin[peer] + at;
        return coll_topo_pml_send(&pieces(transport)->pml, data, bytes, &ompi_mpi_byte.dt, peer, lane, request);
    }
    const struct coll_topo_piece piece = coll_topo_piece_of(&own->input, peer);
    return post(transport, &piece, at, bytes, peer, lane, false, request);
}

static int receive_piece(coll_topo_transport* transport, size_t at, size_t bytes, int peer, int lane, void** request) {
    const struct coll_topo_piece piece = coll_topo_piece_of(&pieces(transport)->output, peer);
    return post(transport, &piece, at, bytes, peer, lane, true, request);
}

static int test_piece(coll_topo_transport* transport, void** request) {
    if (!is_part(*request)) {
        return coll_topo_pml_test(transport, request);
    }
    struct part* part = part_of(*request);
    int state = coll_topo_pml_test(transport, &part->request);
    if (state == 0) {
        return 0;
    }
    if (state > 0 && part->receives) {
        const int error = coll_topo_packed_view_write(&part->view, part->packed, part->at, part->bytes);
        state = coll_topo_pml_note(transport, error) == COLL_TOPO_OK ? 1 : COLL_TOPO_FAILED;
    }
    free(part);
    *request = NULL;
    return state;
}

/* A send is left to the PML, and with it the memory it is sent from. */
static void cancel_piece(coll_topo_transport* transport, void** request) {
    if (!is_part(*request)) {
        coll_topo_pml_cancel(transport, request);
        return;
    }
    struct part* part = part_of(*request);
    coll_topo_pml_cancel(transport, &part->request);
    if (part->receives) {
        free(part);
    }
    *request = NULL;
}

static int copy_own_piece(coll_topo_transport* transport) {
    const struct coll_topo_piece_transport* own = pieces(transport);
    const int rank = ompi_comm_rank(own->pml.communicator);
    if (own->packed_input != NULL) {
        return COLL_TOPO_OK; /* it is in its place */
    }
    const struct coll_topo_piece from = coll_topo_piece_of(&own->input, rank);
    const struct coll_topo_piece to = coll_topo_piece_of(&own->output, rank);
    return coll_topo_pml_note(
        transport, ompi_datatype_sndrcv(from.buffer, (int)from.count, from.type, to.buffer, (int)to.count, to.type));
}

/* ---- setting up -------------------------------------------------------------------------------------------------- */

size_t coll_topo_piece_transport_memory(const struct coll_topo_piece_list* output, bool in_place, int ranks) {
    const size_t tables = 2 * ((size_t)ranks + 1) * sizeof(size_t);
    return tables + (in_place ? coll_topo_pieces_packed_size(output, ranks) : 0);
}

/* The whole of it: which pieces are received over before they are sent depends on the order of the schedule. */
static int pack_all(const struct coll_topo_piece_transport* transport) {
    const int ranks = ompi_comm_size(transport->pml.communicator);
    int error = OMPI_SUCCESS;
    for (int rank = 0; rank < ranks && error == OMPI_SUCCESS; ++rank) {
        const size_t* begin = &transport->pieces.output_begin[rank];
        const struct coll_topo_piece piece = coll_topo_piece_of(&transport->output, rank);
        if (begin[1] > begin[0] && rank != ompi_comm_rank(transport->pml.communicator)) {
            struct coll_topo_packed_view view;
            coll_topo_packed_view_set(&view, piece.buffer, piece.count, piece.type);
            error = coll_topo_packed_view_read(&view, transport->packed_input + begin[0], 0, begin[1] - begin[0]);
        }
    }
    return error;
}

int coll_topo_piece_transport_set(struct coll_topo_piece_transport* transport, struct ompi_communicator_t* communicator,
                                  const struct coll_topo_piece_list* input, const struct coll_topo_piece_list* output,
                                  void* memory) {
    const int ranks = ompi_comm_size(communicator);
    size_t* const output_begin = memory;
    size_t* const input_begin = output_begin + ranks + 1;
    coll_topo_pieces_packed_begins(output, ranks, output_begin);
    coll_topo_pieces_packed_begins(input != NULL ? input : output, ranks, input_begin);
    coll_topo_pml_transport_bytes(&transport->pml, communicator);
    transport->pieces = (coll_topo_pieces){.input_begin = input_begin,
                                           .output_begin = output_begin,
                                           .send = send_piece,
                                           .receive = receive_piece,
                                           .copy_own = copy_own_piece};
    transport->pml.base.extent = 0;
    transport->pml.base.test = test_piece;
    transport->pml.base.cancel = cancel_piece;
    transport->pml.base.pieces = &transport->pieces;
    transport->output = *output;
    transport->packed_input = NULL;
    if (input != NULL) {
        transport->input = *input;
        return OMPI_SUCCESS;
    }
    transport->packed_input = (char*)(input_begin + ranks + 1);
    return pack_all(transport);
}
