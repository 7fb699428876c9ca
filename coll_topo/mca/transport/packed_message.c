/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/packed_message.h"

#include "coll_topo/mca/transport/memory_transport.h"

#include <stdint.h>
#include <stdlib.h>

/* The bit of a request that marks packed messages; it is 0 in all others. */
#define PACKED_MARK ((uintptr_t)2)

static bool is_packed(void* request) {
    return ((uintptr_t)request & PACKED_MARK) != 0;
}

static struct coll_topo_packed_message* message_of(void* request) {
    return (struct coll_topo_packed_message*)((uintptr_t)request & ~PACKED_MARK);
}

struct coll_topo_packed_message* coll_topo_packed_message_new(size_t bytes) {
    struct coll_topo_packed_message* message = malloc(sizeof *message + bytes);
    if (message != NULL) {
        message->request = NULL;
        message->bytes = bytes;
    }
    return message;
}

/* What became of posting it. */
static int posted(struct coll_topo_packed_message* message, int error, void** request) {
    if (error != COLL_TOPO_OK) {
        free(message);
        return error;
    }
    *request = (void*)((uintptr_t)message | PACKED_MARK);
    return COLL_TOPO_OK;
}

int coll_topo_packed_message_send(struct coll_topo_pml_transport* transport, struct coll_topo_packed_message* message,
                                  int peer, int lane, void** request) {
    message->receives = false;
    return posted(message,
                  coll_topo_bytes_send(transport, message->packed, message->bytes, peer, lane, &message->request),
                  request);
}

int coll_topo_packed_message_receive(struct coll_topo_pml_transport* transport,
                                     struct coll_topo_packed_message* message, const struct coll_topo_packed_view* view,
                                     size_t at, int peer, int lane, void** request) {
    message->receives = true;
    message->view = *view;
    message->at = at;
    return posted(message,
                  coll_topo_bytes_receive(transport, message->packed, message->bytes, peer, lane, &message->request),
                  request);
}

int coll_topo_packed_message_test(coll_topo_transport* transport, void** request) {
    if (!is_packed(*request)) {
        return coll_topo_bytes_test(transport, request);
    }
    struct coll_topo_packed_message* message = message_of(*request);
    int state = coll_topo_bytes_test(transport, &message->request);
    if (state == 0) {
        return 0;
    }
    if (state > 0 && message->receives) {
        const int error = coll_topo_packed_view_write(&message->view, message->packed, message->at, message->bytes);
        state = coll_topo_pml_note(transport, error) == COLL_TOPO_OK ? 1 : COLL_TOPO_FAILED;
    }
    free(message);
    *request = NULL;
    return state;
}

/* Its peer may still look for what a send has: its memory is left to it. */
void coll_topo_packed_message_cancel(coll_topo_transport* transport, void** request) {
    if (!is_packed(*request)) {
        coll_topo_bytes_cancel(transport, request);
        return;
    }
    struct coll_topo_packed_message* message = message_of(*request);
    coll_topo_bytes_cancel(transport, &message->request);
    if (message->receives) {
        free(message);
    }
    *request = NULL;
}
