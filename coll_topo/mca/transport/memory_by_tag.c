/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/memory_by_tag.h"

#include "coll_topo/mca/transport/memory_transport.h"

static struct coll_topo_pml_transport* pml(coll_topo_transport* transport) {
    return (struct coll_topo_pml_transport*)transport;
}

/* Marks the request that has been posted; what the core says otherwise goes on. */
static int posted(int error, void** request) {
    *request = error == COLL_TOPO_OK ? coll_topo_memory_request(*request) : NULL;
    return error;
}

int coll_topo_tagged_bytes_send(struct coll_topo_pml_transport* transport, const void* data, size_t bytes, int peer,
                                int lane, void** request) {
    ++transport->memory_messages;
    return posted(coll_topo_tagged_send(transport->memory, data, bytes, peer, transport->first_tag - lane, request),
                  request);
}

int coll_topo_tagged_bytes_receive(struct coll_topo_pml_transport* transport, void* data, size_t bytes, int peer,
                                   int lane, void** request) {
    return posted(coll_topo_tagged_receive(transport->memory, data, bytes, peer, transport->first_tag - lane, request),
                  request);
}

static int send_elements(coll_topo_transport* transport, const void* data, size_t elements, int peer, int lane,
                         void** request) {
    return coll_topo_goes_through_memory(pml(transport), peer)
               ? coll_topo_tagged_bytes_send(pml(transport), data, elements * transport->element_bytes, peer, lane,
                                             request)
               : coll_topo_pml_send(pml(transport), data, elements, pml(transport)->datatype, peer, lane, request);
}

static int receive_elements(coll_topo_transport* transport, void* data, size_t elements, int peer, int lane,
                            void** request) {
    return coll_topo_goes_through_memory(pml(transport), peer)
               ? coll_topo_tagged_bytes_receive(pml(transport), data, elements * transport->element_bytes, peer, lane,
                                                request)
               : coll_topo_pml_receive(pml(transport), data, elements, pml(transport)->datatype, peer, lane, request);
}

/* ---- what is read where the sender has it --------------------------------------------------------------------------
 */

static int can_be_read(coll_topo_transport* transport, size_t elements, int peer) {
    return coll_topo_goes_through_memory(pml(transport), peer) &&
           coll_topo_tagged_stays(elements * transport->element_bytes);
}

static int receive_to_read(coll_topo_transport* transport, size_t elements, int peer, int lane, void** request) {
    return coll_topo_tagged_bytes_receive(pml(transport), NULL, elements * transport->element_bytes, peer, lane,
                                          request);
}

static int read_elements(coll_topo_transport* transport, void* request, size_t at, void* operands, size_t elements) {
    return coll_topo_tagged_read(pml(transport)->memory, coll_topo_of_memory_request(request),
                                 at * transport->element_bytes, operands, elements * transport->element_bytes);
}

static void release(coll_topo_transport* transport, void** request) {
    void* message = coll_topo_of_memory_request(*request);
    coll_topo_tagged_release(pml(transport)->memory, &message);
    *request = NULL;
}

static const coll_topo_readable_peers readable_peers = {
    .serves = can_be_read, .receive = receive_to_read, .read = read_elements, .release = release};

void coll_topo_memory_by_tag(struct coll_topo_pml_transport* transport) {
    coll_topo_transport* const base = &transport->base;
    transport->by_tag = true;
    transport->memory_messages = 0;
    base->send = send_elements;
    base->receive = receive_elements;
    base->test = base->test == coll_topo_memory_test ? coll_topo_bytes_test : base->test;
    base->readable = &readable_peers;
    base->at_hand_bytes = 0;
}
