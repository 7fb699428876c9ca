/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/piece_transport.h"

#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"

#include <stdlib.h>
#include <string.h>

static struct coll_topo_piece_transport* self(coll_topo_transport* transport) {
    return (struct coll_topo_piece_transport*)transport;
}

static struct coll_topo_packed_view view_of(const struct coll_topo_piece* piece) {
    struct coll_topo_packed_view view;
    coll_topo_packed_view_set(&view, piece->buffer, piece->count, piece->type);
    return view;
}

/* Bytes [at, at + bytes) of a piece in memory of their own; NULL on an error, which is noted. */
static struct coll_topo_packed_message* packed(coll_topo_transport* transport, const struct coll_topo_packed_view* view,
                                               size_t at, size_t bytes) {
    struct coll_topo_packed_message* message = coll_topo_packed_message_new(bytes);
    if (message == NULL) {
        coll_topo_pml_note(transport, OMPI_ERR_OUT_OF_RESOURCE);
        return NULL;
    }
    const int error = coll_topo_packed_view_read(view, message->packed, at, bytes);
    if (coll_topo_pml_note(transport, error) != COLL_TOPO_OK) {
        free(message);
        return NULL;
    }
    return message;
}

/* ---- in place ---------------------------------------------------------------------------------------------------- */

static size_t size_for(const struct coll_topo_piece_transport* own, int number) {
    return own->pieces.input_begin[number + 1] - own->pieces.input_begin[number];
}

/* Copies the piece for a rank, whose place is to be received over, unless it is posted to its end. */
static int keep_piece(coll_topo_transport* transport, int number) {
    struct coll_topo_piece_transport* own = self(transport);
    const size_t size = size_for(own, number);
    if (own->posted[number] == size || own->copies[number] != NULL) {
        return COLL_TOPO_OK;
    }
    const struct coll_topo_piece piece = coll_topo_piece_of(&own->output, number);
    const struct coll_topo_packed_view view = view_of(&piece);
    own->copies[number] = packed(transport, &view, 0, size);
    return own->copies[number] != NULL ? COLL_TOPO_OK : COLL_TOPO_FAILED;
}

/* A copy of bytes [at, at + bytes) of the piece for a rank; NULL on an error. */
static struct coll_topo_packed_message* take_copy(coll_topo_transport* transport, size_t at, size_t bytes, int number) {
    struct coll_topo_piece_transport* own = self(transport);
    struct coll_topo_packed_message* const whole = own->copies[number];
    if (whole == NULL) {
        const struct coll_topo_piece piece = coll_topo_piece_of(&own->output, number);
        const struct coll_topo_packed_view view = view_of(&piece);
        return packed(transport, &view, at, bytes);
    }
    struct coll_topo_packed_message* part = whole;
    if (bytes < whole->bytes) {
        part = coll_topo_packed_message_new(bytes);
        if (part == NULL) {
            coll_topo_pml_note(transport, OMPI_ERR_OUT_OF_RESOURCE);
            return NULL;
        }
        memcpy(part->packed, whole->packed + at, bytes);
    }
    if (at + bytes == whole->bytes) {
        own->copies[number] = NULL;
        if (part != whole) {
            free(whole);
        }
    }
    return part;
}

static int send_copy(coll_topo_transport* transport, size_t at, size_t bytes, int number, int peer, int lane,
                     void** request) {
    struct coll_topo_piece_transport* own = self(transport);
    struct coll_topo_packed_message* message = take_copy(transport, at, bytes, number);
    if (message == NULL) {
        return COLL_TOPO_FAILED;
    }
    own->posted[number] = at + bytes;
    return coll_topo_packed_message_send(&own->pml, message, peer, lane, request);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* A part of a piece. Where its data is not contiguous, it is packed: a type cannot say "from byte 1000 on", and the
 * peer's type may have other elements. */
static int post_part(coll_topo_transport* transport, const struct coll_topo_piece* piece, size_t at, size_t bytes,
                     int peer, int lane, bool receives, void** request) {
    struct coll_topo_pml_transport* pml = &self(transport)->pml;
    const struct coll_topo_packed_view view = view_of(piece);
    if (view.bytes != NULL) {
        char* data = view.bytes + at;
        return receives ? coll_topo_bytes_receive(pml, data, bytes, peer, lane, request)
                        : coll_topo_bytes_send(pml, data, bytes, peer, lane, request);
    }
    if (!receives) {
        struct coll_topo_packed_message* message = packed(transport, &view, at, bytes);
        return message != NULL ? coll_topo_packed_message_send(pml, message, peer, lane, request) : COLL_TOPO_FAILED;
    }
    struct coll_topo_packed_message* message = coll_topo_packed_message_new(bytes);
    if (message == NULL) {
        return coll_topo_pml_note(transport, OMPI_ERR_OUT_OF_RESOURCE);
    }
    return coll_topo_packed_message_receive(pml, message, &view, at, peer, lane, request);
}

/* Whether the PML can be told to send or receive so many bytes of a piece as elements of its type. */
static bool goes_as_elements(coll_topo_transport* transport, const struct coll_topo_piece* piece, size_t bytes,
                             int peer) {
    return bytes == piece->count * coll_topo_datatype_bytes(piece->type) &&
           !coll_topo_goes_through_memory(&self(transport)->pml, peer);
}

static int send_piece(coll_topo_transport* transport, size_t at, size_t bytes, int number, int peer, int lane,
                      void** request) {
    if (self(transport)->in_place) {
        return send_copy(transport, at, bytes, number, peer, lane, request);
    }
    const struct coll_topo_piece piece = coll_topo_piece_of(&self(transport)->input, number);
    if (!goes_as_elements(transport, &piece, bytes, peer)) {
        return post_part(transport, &piece, at, bytes, peer, lane, false, request);
    }
    return coll_topo_pml_send(&self(transport)->pml, piece.buffer, piece.count, piece.type, peer, lane, request);
}

static int receive_piece(coll_topo_transport* transport, size_t at, size_t bytes, int number, int peer, int lane,
                         void** request) {
    const struct coll_topo_piece piece = coll_topo_piece_of(&self(transport)->output, number);
    if (self(transport)->in_place && at == 0 && keep_piece(transport, number) != COLL_TOPO_OK) {
        return COLL_TOPO_FAILED;
    }
    if (!goes_as_elements(transport, &piece, bytes, peer)) {
        return post_part(transport, &piece, at, bytes, peer, lane, true, request);
    }
    return coll_topo_pml_receive(&self(transport)->pml, piece.buffer, piece.count, piece.type, peer, lane, request);
}

static int copy_piece(coll_topo_transport* transport, int from_number, int to_number) {
    const struct coll_topo_piece_transport* own = self(transport);
    if (own->in_place) {
        return COLL_TOPO_OK;
    }
    const struct coll_topo_piece from = coll_topo_piece_of(&own->input, from_number);
    const struct coll_topo_piece to = coll_topo_piece_of(&own->output, to_number);
    const coll_topo_count sent = (coll_topo_count)from.count, received = (coll_topo_count)to.count;
    return coll_topo_pml_note(transport,
                              ompi_datatype_sndrcv(from.buffer, sent, from.type, to.buffer, received, to.type));
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

size_t coll_topo_piece_transport_memory(int inputs, int outputs) {
    const size_t tables = ((size_t)inputs + 1 + (size_t)outputs + 1) * sizeof(size_t);
    return tables + (size_t)outputs * (sizeof(size_t) + sizeof(struct coll_topo_packed_message*));
}

void coll_topo_piece_transport_begin(struct coll_topo_piece_transport* transport,
                                     struct ompi_communicator_t* communicator, const struct coll_topo_piece_list* input,
                                     int inputs, const struct coll_topo_piece_list* output, int outputs,
                                     coll_topo_host_memory* host_memory, void* memory) {
    size_t* const output_begin = memory;
    size_t* const input_begin = output_begin + outputs + 1;
    transport->posted = input_begin + inputs + 1;
    transport->copies = (struct coll_topo_packed_message**)(transport->posted + outputs);
    memset(transport->posted, 0, (size_t)outputs * sizeof *transport->posted);
    for (int number = 0; number < outputs; ++number) {
        transport->copies[number] = NULL;
    }
    transport->outputs = outputs;
    transport->in_place = input == NULL;
    transport->output = *output;
    transport->input = input != NULL ? *input : *output;
    coll_topo_pieces_packed_begins(output, outputs, output_begin);
    coll_topo_pieces_packed_begins(&transport->input, inputs, input_begin);
    transport->pieces = (coll_topo_pieces){.input_begin = input_begin,
                                           .output_begin = output_begin,
                                           .send = send_piece,
                                           .receive = receive_piece,
                                           .copy = copy_piece};
    coll_topo_pml_transport_bytes(&transport->pml, communicator);
    coll_topo_use_host_memory(&transport->pml, host_memory);
    transport->pml.base.extent = 0;
    transport->pml.base.test = coll_topo_packed_message_test;
    transport->pml.base.cancel = coll_topo_packed_message_cancel;
    transport->pml.base.pieces = &transport->pieces;
}

void coll_topo_piece_transport_end(struct coll_topo_piece_transport* transport) {
    for (int number = 0; number < transport->outputs && transport->in_place; ++number) {
        free(transport->copies[number]);
        transport->copies[number] = NULL;
        transport->posted[number] = 0;
    }
}
