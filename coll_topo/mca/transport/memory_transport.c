/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/memory_transport.h"

#include "coll_topo/mca/transport/memory_by_tag.h"

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/op/op.h"
#include "opal/runtime/opal_progress.h"

#include <sched.h>
#include <stdint.h>

/* Tells requests of memory from those of the PML and of packed messages, which are multiples of 8 with other marks. */
#define MEMORY_MARK ((uintptr_t)4)

static struct coll_topo_pml_transport* pml(coll_topo_transport* transport) {
    return (struct coll_topo_pml_transport*)transport;
}

static bool is_of_memory(const void* request) {
    return ((uintptr_t)request & MEMORY_MARK) != 0;
}

static void* without_mark(const void* request) {
    return (void*)((uintptr_t)request & ~MEMORY_MARK);
}

static void* with_mark(const void* request) {
    return request != NULL ? (void*)((uintptr_t)request | MEMORY_MARK) : NULL;
}

void* coll_topo_of_memory_request(const void* request) {
    return without_mark(request);
}

void* coll_topo_memory_request(const void* request) {
    return with_mark(request);
}

bool coll_topo_goes_through_memory(const struct coll_topo_pml_transport* transport, int peer) {
    return transport->memory != NULL && coll_topo_host_memory_serves(transport->memory, peer);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static int post_send(struct coll_topo_pml_transport* transport, const void* data, size_t bytes, int peer, int lane,
                     void** request) {
    const int error = coll_topo_host_memory_send(transport->memory, data, bytes, peer, lane, request);
    *request = error == COLL_TOPO_OK ? with_mark(*request) : NULL;
    return error;
}

static int post_receive(struct coll_topo_pml_transport* transport, void* data, size_t bytes, int peer, int lane,
                        void** request) {
    const int error = coll_topo_host_memory_receive(transport->memory, data, bytes, peer, lane, request);
    *request = error == COLL_TOPO_OK ? with_mark(*request) : NULL;
    return error;
}

int coll_topo_bytes_send(struct coll_topo_pml_transport* transport, const void* data, size_t bytes, int peer, int lane,
                         void** request) {
    if (!coll_topo_goes_through_memory(transport, peer)) {
        return coll_topo_pml_send(transport, data, bytes, &ompi_mpi_byte.dt, peer, lane, request);
    }
    return transport->by_tag ? coll_topo_tagged_bytes_send(transport, data, bytes, peer, lane, request)
                             : post_send(transport, data, bytes, peer, lane, request);
}

int coll_topo_bytes_receive(struct coll_topo_pml_transport* transport, void* data, size_t bytes, int peer, int lane,
                            void** request) {
    if (!coll_topo_goes_through_memory(transport, peer)) {
        return coll_topo_pml_receive(transport, data, bytes, &ompi_mpi_byte.dt, peer, lane, request);
    }
    return transport->by_tag ? coll_topo_tagged_bytes_receive(transport, data, bytes, peer, lane, request)
                             : post_receive(transport, data, bytes, peer, lane, request);
}

static int send_elements(coll_topo_transport* transport, const void* data, size_t elements, int peer, int lane,
                         void** request) {
    return coll_topo_goes_through_memory(pml(transport), peer)
               ? post_send(pml(transport), data, elements * transport->element_bytes, peer, lane, request)
               : coll_topo_pml_send(pml(transport), data, elements, pml(transport)->datatype, peer, lane, request);
}

static int receive_elements(coll_topo_transport* transport, void* data, size_t elements, int peer, int lane,
                            void** request) {
    return coll_topo_goes_through_memory(pml(transport), peer)
               ? post_receive(pml(transport), data, elements * transport->element_bytes, peer, lane, request)
               : coll_topo_pml_receive(pml(transport), data, elements, pml(transport)->datatype, peer, lane, request);
}

typedef int tester(coll_topo_host_memory* memory, void** request);

static inline int test_by(coll_topo_transport* transport, void** request, tester* test) {
    if (!is_of_memory(*request)) {
        return *request == NULL ? 1 : coll_topo_pml_test(transport, request);
    }
    void* message = without_mark(*request);
    const int state = test(pml(transport)->memory, &message);
    *request = with_mark(message);
    if (state == 0) {
        return coll_topo_given_up(transport, request, coll_topo_bytes_cancel);
    }
    pml(transport)->vain_looks = 0;
    /* The error code that the collective is to end with. */
    return state == COLL_TOPO_TRUNCATED ? coll_topo_pml_note(transport, MPI_ERR_TRUNCATE) : state;
}

int coll_topo_memory_test(coll_topo_transport* transport, void** request) {
    return test_by(transport, request, coll_topo_host_memory_test);
}

int coll_topo_bytes_test(coll_topo_transport* transport, void** request) {
    return pml(transport)->memory != NULL && pml(transport)->by_tag ? test_by(transport, request, coll_topo_tagged_test)
                                                                    : coll_topo_memory_test(transport, request);
}

void coll_topo_bytes_cancel(coll_topo_transport* transport, void** request) {
    if (!is_of_memory(*request)) {
        if (*request != NULL) {
            coll_topo_pml_cancel(transport, request);
        }
        return;
    }
    void* message = without_mark(*request);
    if (pml(transport)->by_tag) {
        coll_topo_tagged_cancel(pml(transport)->memory, &message);
    } else {
        coll_topo_host_memory_cancel(pml(transport)->memory, &message);
    }
    *request = NULL;
}

/* Where ranks outnumber processors, Open MPI has been told to let others run while it waits. What is waited for is then
 * mostly with a rank that does not run, so that more looks, here or at what else Open MPI has, would only delay it. The
 * first one may follow a long reduction, with more to do. */
static void progress(coll_topo_transport* transport) {
    const bool in_vain = pml(transport)->vain_looks++ > 0;
    if (coll_topo_host_memory_progress(pml(transport)->memory)) {
        opal_progress();
    } else if (OPAL_UNLIKELY(opal_progress_yield_when_idle) && in_vain) {
        sched_yield();
    }
}

/* ---- what is read where the sender has it --------------------------------------------------------------------------
 */

static int can_be_read(coll_topo_transport* transport, size_t elements, int peer) {
    (void)elements;
    return coll_topo_goes_through_memory(pml(transport), peer);
}

static int receive_to_read(coll_topo_transport* transport, size_t elements, int peer, int lane, void** request) {
    return post_receive(pml(transport), NULL, elements * transport->element_bytes, peer, lane, request);
}

static int read_elements(coll_topo_transport* transport, void* request, size_t at, void* operands, size_t elements) {
    pml(transport)->vain_looks = 0;
    return coll_topo_host_memory_read(pml(transport)->memory, without_mark(request), at * transport->element_bytes,
                                      operands, elements * transport->element_bytes);
}

static void release(coll_topo_transport* transport, void** request) {
    void* message = without_mark(*request);
    coll_topo_host_memory_release(pml(transport)->memory, &message);
    *request = NULL;
}

static const coll_topo_readable_peers readable_peers = {
    .serves = can_be_read, .receive = receive_to_read, .read = read_elements, .release = release};

void coll_topo_use_host_memory(struct coll_topo_pml_transport* transport, coll_topo_host_memory* memory) {
    coll_topo_transport* const base = &transport->base;
    const bool same_types = transport->operation == NULL || ompi_op_is_intrinsic(transport->operation);
    const bool packed = base->extent == (ptrdiff_t)base->element_bytes && base->scratch_lead == 0;
    if (memory == NULL || !same_types || !packed) {
        return;
    }
    transport->memory = memory;
    transport->by_tag = false;
    transport->vain_looks = 0;
    base->send = send_elements;
    base->receive = receive_elements;
    base->test = coll_topo_memory_test;
    base->progress = progress;
    base->cancel = coll_topo_bytes_cancel;
    base->readable = &readable_peers;
    base->at_hand_bytes = coll_topo_host_memory_has_all(memory) ? COLL_TOPO_READ_AT_ONCE : 0;
}
