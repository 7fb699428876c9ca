/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/call/gathered_pieces.h"

#include "coll_topo/mca/transport/memory_transport.h"

#include "ompi/communicator/communicator.h"

/* The piece that holds packed byte `at`. */
static int piece_at(const struct coll_topo_gathered_pieces* transport, size_t at) {
    int first = 0, last = transport->ranks - 1;
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (transport->begin[middle + 1] > at) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

/* Reads packed bytes from pieces, or writes them there. */
static int move(coll_topo_transport* base, char* packed, size_t at, size_t bytes, bool reads) {
    const struct coll_topo_gathered_pieces* const transport = (const struct coll_topo_gathered_pieces*)base;
    for (int rank = piece_at(transport, at); bytes > 0; ++rank) {
        const size_t in_piece = at - transport->begin[rank], rest = transport->begin[rank + 1] - at;
        const size_t now = rest < bytes ? rest : bytes;
        if (now == 0) {
            continue;
        }
        const struct coll_topo_piece piece = coll_topo_piece_of(&transport->pieces, rank);
        struct coll_topo_packed_view view;
        coll_topo_packed_view_set(&view, piece.buffer, piece.count, piece.type);
        const int error = coll_topo_pml_note(base, reads ? coll_topo_packed_view_read(&view, packed, in_piece, now)
                                                         : coll_topo_packed_view_write(&view, packed, in_piece, now));
        if (error != COLL_TOPO_OK) {
            return error;
        }
        packed += now;
        at += now;
        bytes -= now;
    }
    return COLL_TOPO_OK;
}

int coll_topo_pieces_pack(coll_topo_transport* base, void* packed, size_t at, size_t bytes) {
    return move(base, packed, at, bytes, true);
}

int coll_topo_pieces_unpack(coll_topo_transport* base, const void* packed, size_t at, size_t bytes) {
    return move(base, (char*)packed /* only read */, at, bytes, false);
}

char* coll_topo_pieces_in_a_row(const struct coll_topo_gathered_pieces* transport) {
    const size_t element_bytes = coll_topo_datatype_bytes(transport->pieces.type);
    char* next = NULL;
    char* first = NULL;
    for (int rank = 0; rank < transport->ranks; ++rank) {
        const struct coll_topo_piece piece = coll_topo_piece_of(&transport->pieces, rank);
        if (piece.count == 0) {
            continue;
        }
        if (next != NULL && piece.buffer != next) {
            return NULL;
        }
        first = first != NULL ? first : piece.buffer;
        next = piece.buffer + (ptrdiff_t)(piece.count * element_bytes);
    }
    return first;
}

static bool all_equal(const struct coll_topo_gathered_pieces* transport) {
    const size_t first = transport->begin[1];
    for (int rank = 1; rank < transport->ranks; ++rank) {
        if (transport->begin[rank + 1] - transport->begin[rank] != first) {
            return false;
        }
    }
    return true;
}

size_t coll_topo_gathered_pieces_memory(int ranks) {
    return (2 * (size_t)ranks + 1) * sizeof(size_t);
}

/* Of the pieces of all ranks; they are told apart by size only where they differ. */
static coll_topo_buffers buffers_of(const struct coll_topo_gathered_pieces* transport, size_t* sizes) {
    if (all_equal(transport)) {
        return (coll_topo_buffers){.elements = transport->begin[1]};
    }
    for (int rank = 0; rank < transport->ranks; ++rank) {
        sizes[rank] = transport->begin[rank + 1] - transport->begin[rank];
    }
    return (coll_topo_buffers){.elements = transport->begin[transport->ranks], .piece_elements = {.sizes = sizes}};
}

void coll_topo_gathered_pieces_set(struct coll_topo_gathered_pieces* transport,
                                   struct ompi_communicator_t* communicator, coll_topo_host_memory* host_memory,
                                   const void* send_buffer, coll_topo_count send_count,
                                   struct ompi_datatype_t* send_type, const struct coll_topo_piece_list* pieces,
                                   void* memory, coll_topo_buffers* buffers) {
    struct coll_topo_pml_transport* const pml = &transport->pml;
    size_t* const begin = memory;
    const int ranks = ompi_comm_size(communicator);
    struct coll_topo_piece own = {
        .buffer = (char*)send_buffer /* only read */, .count = (size_t)send_count, .type = send_type};
    if (send_buffer == MPI_IN_PLACE) {
        own = coll_topo_piece_of(pieces, ompi_comm_rank(communicator));
    }
    coll_topo_pml_transport_packed(pml, communicator);
    coll_topo_use_host_memory(pml, host_memory);
    coll_topo_pieces_packed_begins(pieces, ranks, begin);
    transport->pieces = *pieces;
    transport->begin = begin;
    transport->ranks = ranks;
    *buffers = buffers_of(transport, begin + ranks + 1);

    const size_t element_bytes = coll_topo_datatype_bytes(pieces->type);
    char* const first = coll_topo_pieces_in_a_row(transport);
    coll_topo_packed_view_set(&pml->send_view, own.buffer, own.count, own.type);
    coll_topo_packed_view_set(&pml->receive_view, first != NULL ? first : pieces->buffer, begin[ranks] / element_bytes,
                              pieces->type);
    char* const input = coll_topo_pml_bytes_of(pml, &pml->send_view);
    char* const output = first != NULL ? coll_topo_pml_bytes_of(pml, &pml->receive_view) : NULL;
    /* Pieces may be received where they belong, or else be written there. */
    pml->base.unpack = output != NULL ? NULL : coll_topo_pieces_unpack;
    buffers->output = output != NULL ? output : pieces->buffer;
    if (input != NULL) {
        pml->base.pack = NULL;
    }
    buffers->input = input != NULL ? input : own.buffer;
}
