/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/pml_transport.h"

#include "coll_topo/mca/transport/extents.h"
#include "coll_topo/mca/transport/memory_by_tag.h"

#include "ompi/communicator/communicator.h"
#include "ompi/mca/coll/base/coll_base_util.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/op/op.h"
#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Requests are aligned, so that the lowest bits of their addresses are free; one distinguishes receives from sends,
 * which must be ended differently. The PML's own notion is not the same in all of them. */
#define RECEIVE_MARK ((uintptr_t)1)

static struct coll_topo_pml_transport* pml(coll_topo_transport* transport) {
    return (struct coll_topo_pml_transport*)transport;
}

static ompi_request_t* request_of(void* marked) {
    return (ompi_request_t*)((uintptr_t)marked & ~RECEIVE_MARK);
}

int coll_topo_pml_note(coll_topo_transport* transport, int error) {
    if (error != OMPI_SUCCESS && pml(transport)->error == OMPI_SUCCESS) {
        pml(transport)->error = error;
    }
    return error == OMPI_SUCCESS ? COLL_TOPO_OK : COLL_TOPO_FAILED;
}

int coll_topo_pml_send(struct coll_topo_pml_transport* transport, const void* data, size_t elements,
                       struct ompi_datatype_t* datatype, int peer, int lane, void** request) {
    ompi_request_t* posted = NULL;
    const int error = MCA_PML_CALL(isend((void*)data, elements, datatype, peer, transport->first_tag - lane,
                                         MCA_PML_BASE_SEND_STANDARD, transport->communicator, &posted));
    *request = error == OMPI_SUCCESS ? posted : NULL;
    return coll_topo_pml_note(&transport->base, error);
}

int coll_topo_pml_receive(struct coll_topo_pml_transport* transport, void* data, size_t elements,
                          struct ompi_datatype_t* datatype, int peer, int lane, void** request) {
    ompi_request_t* posted = NULL;
    const int error = MCA_PML_CALL(
        irecv(data, elements, datatype, peer, transport->first_tag - lane, transport->communicator, &posted));
    /* Not a null with a mark, which would be taken for a request. */
    *request = error == OMPI_SUCCESS ? (void*)((uintptr_t)posted | RECEIVE_MARK) : NULL;
    return coll_topo_pml_note(&transport->base, error);
}

int coll_topo_given_up(coll_topo_transport* transport, void** request, coll_topo_canceller* cancel) {
    const int failure = coll_topo_communicator_failure(pml(transport)->communicator);
    if (OPAL_LIKELY(failure == OMPI_SUCCESS)) {
        return 0;
    }
    cancel(transport, request);
    return coll_topo_pml_note(transport, failure);
}

int coll_topo_pml_test(coll_topo_transport* transport, void** request) {
    ompi_request_t* pending = request_of(*request);
    if (!REQUEST_COMPLETE(pending)) {
        return coll_topo_given_up(transport, request, coll_topo_pml_cancel);
    }
    opal_atomic_rmb();
    const int error = pending->req_status.MPI_ERROR;
    ompi_request_free(&pending);
    *request = NULL;
    return coll_topo_pml_note(transport, error) == COLL_TOPO_OK ? 1 : COLL_TOPO_FAILED;
}

/* A receive that has been matched cannot be cancelled: its data is waited for. A send is left to the PML, as in the
 * collectives of Open MPI itself: its peer may never receive it. */
void coll_topo_pml_cancel(coll_topo_transport* transport, void** request) {
    ompi_request_t* pending = request_of(*request);
    (void)transport;
    if ((uintptr_t)*request & RECEIVE_MARK) {
        ompi_request_cancel(pending);
        ompi_request_wait_completion(pending);
    }
    ompi_request_free(&pending);
    *request = NULL;
}

static int send_elements(coll_topo_transport* transport, const void* data, size_t elements, int peer, int lane,
                         void** request) {
    return coll_topo_pml_send(pml(transport), data, elements, pml(transport)->datatype, peer, lane, request);
}

static int receive_elements(coll_topo_transport* transport, void* data, size_t elements, int peer, int lane,
                            void** request) {
    return coll_topo_pml_receive(pml(transport), data, elements, pml(transport)->datatype, peer, lane, request);
}

static void progress(coll_topo_transport* transport) {
    (void)transport;
    opal_progress();
}

/* Cut to what a user's function can count; some releases of Open MPI do not do so themselves. */
static void reduce(coll_topo_transport* transport, const void* source, void* target, size_t elements) {
    while (elements > 0) {
        const size_t now = elements < INT_MAX ? elements : INT_MAX;
        ompi_op_reduce(pml(transport)->operation, (void*)source, target, (int)now, pml(transport)->datatype);
        source = (const char*)source + (ptrdiff_t)now * transport->extent;
        target = (char*)target + (ptrdiff_t)now * transport->extent;
        elements -= now;
    }
}

/* Open MPI has such functions for its own operations only. */
static void reduce_apart(coll_topo_transport* transport, const void* left, const void* right, void* target,
                         size_t elements) {
    while (elements > 0) {
        const size_t now = elements < INT_MAX ? elements : INT_MAX;
        const ptrdiff_t bytes = (ptrdiff_t)now * transport->extent;
        ompi_3buff_op_reduce(pml(transport)->operation, (void*)left, (void*)right, target, (int)now,
                             pml(transport)->datatype);
        left = (const char*)left + bytes;
        right = (const char*)right + bytes;
        target = (char*)target + bytes;
        elements -= now;
    }
}

static int copy_typed(coll_topo_transport* transport, void* target, const void* source, size_t elements) {
    return coll_topo_pml_note(
        transport, ompi_datatype_copy_content_same_ddt(pml(transport)->datatype, elements, target, (char*)source));
}

static int copy_bytes(coll_topo_transport* transport, void* target, const void* source, size_t elements) {
    (void)transport;
    memmove(target, source, elements);
    return COLL_TOPO_OK;
}

static int pack(coll_topo_transport* transport, void* packed, size_t at, size_t bytes) {
    return coll_topo_pml_note(transport, coll_topo_packed_view_read(&pml(transport)->send_view, packed, at, bytes));
}

static int unpack(coll_topo_transport* transport, const void* packed, size_t at, size_t bytes) {
    return coll_topo_pml_note(transport, coll_topo_packed_view_write(&pml(transport)->receive_view, packed, at, bytes));
}

/* What all kinds of transport have in common. Member by member: an initializer zeroes the whole first, which takes as
 * long as all else that is done here for a short message. */
static void set_common(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                       struct ompi_datatype_t* datatype, struct ompi_op_t* operation) {
    coll_topo_transport* const base = &transport->base;
    base->send = send_elements;
    base->receive = receive_elements;
    base->test = coll_topo_pml_test;
    base->progress = progress;
    base->cancel = coll_topo_pml_cancel;
    base->at_hand_bytes = 0;
    base->reduce_apart = NULL;
    base->pack = NULL;
    base->unpack = NULL;
    base->pieces = NULL;
    base->partial_sums = NULL;
    base->readable = NULL;
    transport->communicator = communicator;
    transport->datatype = datatype;
    transport->memory = NULL;
    transport->operation = operation;
    transport->error = OMPI_SUCCESS;
    transport->first_tag = COLL_TOPO_FIRST_TAG;
}

/* It is called by Open MPI's progress, which is not to be entered again. */
static void leave_to_caller(coll_topo_transport* transport) {
    (void)transport;
}

static void set_tags(struct coll_topo_pml_transport* transport, int first_tag) {
    transport->first_tag = first_tag;
    if (transport->memory != NULL) {
        coll_topo_memory_by_tag(transport);
    }
}

int coll_topo_reserve_tags(struct ompi_communicator_t* communicator) {
    return ompi_coll_base_nbc_reserve_tags(communicator, COLL_TOPO_MOST_LANES);
}

void coll_topo_pml_transport_for_lanes(struct coll_topo_pml_transport* transport, int lanes) {
    if (OPAL_UNLIKELY(lanes > COLL_TOPO_FIXED_TAGS)) {
        set_tags(transport, coll_topo_reserve_tags(transport->communicator));
    }
}

void coll_topo_pml_transport_detach(struct coll_topo_pml_transport* transport, int first_tag) {
    set_tags(transport, first_tag);
    transport->base.progress = leave_to_caller;
}

/* What data begin before the address of their element, rounded up; negative where they begin far behind it, as in types
 * made of absolute addresses. */
static ptrdiff_t scratch_lead(ptrdiff_t true_lower_bound) {
    const ptrdiff_t rest = true_lower_bound % COLL_TOPO_ELEMENT_ALIGNMENT;
    return -true_lower_bound + (rest < 0 ? rest + COLL_TOPO_ELEMENT_ALIGNMENT : rest);
}

void coll_topo_pml_transport_typed(struct coll_topo_pml_transport* transport, struct ompi_communicator_t* communicator,
                                   struct ompi_datatype_t* datatype, struct ompi_op_t* operation) {
    const struct coll_topo_extents extents = coll_topo_extents_of(datatype);
    const ptrdiff_t lead = scratch_lead(extents.true_lower_bound);
    const ptrdiff_t tail = lead + extents.true_lower_bound + extents.true_extent - extents.extent;
    coll_topo_transport* const base = &transport->base;
    base->extent = extents.extent;
    base->element_bytes = coll_topo_datatype_bytes(datatype);
    base->scratch_lead = lead;
    base->scratch_tail = tail > 0 ? tail : 0;
    base->commutative = ompi_op_is_commute(operation);
    base->reduce = reduce;
    base->copy = copy_typed;
    set_common(transport, communicator, datatype, operation);
    if (ompi_op_is_intrinsic(operation)) {
        base->reduce_apart = reduce_apart;
    }
}

void coll_topo_pml_transport_bytes(struct coll_topo_pml_transport* transport,
                                   struct ompi_communicator_t* communicator) {
    coll_topo_transport* const base = &transport->base;
    base->extent = 1;
    base->element_bytes = 1;
    base->scratch_lead = base->scratch_tail = 0;
    base->commutative = 1;
    base->reduce = NULL;
    base->copy = copy_bytes; /* see coll_topo_pml_bytes_of */
    set_common(transport, communicator, &ompi_mpi_byte.dt, NULL);
}

char* coll_topo_pml_bytes_of(struct coll_topo_pml_transport* transport, const struct coll_topo_packed_view* view) {
    if (OPAL_LIKELY(view->device_bytes == NULL)) {
        return view->bytes;
    }
    if (transport->memory != NULL) {
        return NULL;
    }
    transport->base.copy = copy_typed;
    return view->device_bytes;
}

void coll_topo_pml_transport_packed(struct coll_topo_pml_transport* transport,
                                    struct ompi_communicator_t* communicator) {
    coll_topo_pml_transport_bytes(transport, communicator);
    transport->base.pack = pack;
    transport->base.unpack = unpack;
}
