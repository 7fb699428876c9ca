/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/unpacking_transport.h"

#include "coll_topo/mca/transport/extents.h"

#include "ompi/op/op.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Memory in which elements are combined need not be longer, unless two elements are. */
enum { LONG_ENOUGH = 64 * 1024 };

static struct coll_topo_unpacking_transport* self(coll_topo_transport* transport) {
    return (struct coll_topo_unpacking_transport*)transport;
}

/* Where elements in a row lie, in bytes. */
struct row {
    size_t elements;
    ptrdiff_t begin; /* of their data, from the address of the first one */
    size_t size;
};

bool coll_topo_needs_unpacking(struct ompi_datatype_t* datatype) {
    const struct coll_topo_extents extents = coll_topo_extents_of(datatype);
    return extents.extent < extents.true_extent;
}

/* As many elements as are worth to be combined at once. */
static struct row row_of(struct ompi_datatype_t* datatype, size_t apart) {
    const struct coll_topo_extents extents = coll_topo_extents_of(datatype);
    const bool downwards = extents.extent < 0;
    const size_t distance = (size_t)(downwards ? -extents.extent : extents.extent);
    const size_t one = (size_t)extents.true_extent;
    const size_t most = 2 * one > LONG_ENOUGH ? 2 * one : LONG_ENOUGH;
    size_t elements = apart < INT_MAX ? apart : INT_MAX;
    if (distance > 0 && elements > 1 + (most - one) / distance) {
        elements = 1 + (most - one) / distance;
    }
    if (elements == 0) {
        elements = 1;
    }
    const size_t others = (elements - 1) * distance;
    return (struct row){.elements = elements,
                        .begin = extents.true_lower_bound - (downwards ? (ptrdiff_t)others : 0),
                        .size = one + others};
}

/* Memory for the row wherever its address has to be. */
static size_t memory_for(const struct row* row) {
    return row->size + COLL_TOPO_ELEMENT_ALIGNMENT;
}

size_t coll_topo_unpacking_transport_memory(struct ompi_datatype_t* datatype, size_t apart) {
    const struct row row = row_of(datatype, apart);
    return 2 * memory_for(&row);
}

/* Of a row in this memory, aligned as the caller's may be. */
static char* address_in(char* memory, const struct row* row) {
    const uintptr_t address = (uintptr_t)memory - (uintptr_t)row->begin, rest = address % COLL_TOPO_ELEMENT_ALIGNMENT;
    return (char*)(rest == 0 ? address : address + COLL_TOPO_ELEMENT_ALIGNMENT - rest);
}

static int send_packed(coll_topo_transport* transport, const void* data, size_t elements, int peer, int lane,
                       void** request) {
    return coll_topo_pml_send(&self(transport)->pml, data, elements * transport->element_bytes, &ompi_mpi_byte.dt, peer,
                              lane, request);
}

static int receive_packed(coll_topo_transport* transport, void* data, size_t elements, int peer, int lane,
                          void** request) {
    return coll_topo_pml_receive(&self(transport)->pml, data, elements * transport->element_bytes, &ompi_mpi_byte.dt,
                                 peer, lane, request);
}

static int copy_packed(coll_topo_transport* transport, void* target, const void* source, size_t elements) {
    memmove(target, source, elements * transport->element_bytes);
    return COLL_TOPO_OK;
}

static int reduce_some(struct coll_topo_unpacking_transport* own, const char* source, char* target, size_t elements) {
    const size_t bytes = elements * own->pml.base.element_bytes;
    int error = coll_topo_packed_view_write(&own->left, source, 0, bytes);
    if (error == OMPI_SUCCESS) {
        error = coll_topo_packed_view_write(&own->right, target, 0, bytes);
    }
    if (error != OMPI_SUCCESS) {
        return error;
    }
    ompi_op_reduce(own->pml.operation, own->left.buffer, own->right.buffer, (int)elements, own->pml.datatype);
    return coll_topo_packed_view_read(&own->right, target, 0, bytes);
}

static void reduce_packed(coll_topo_transport* transport, const void* source, void* target, size_t elements) {
    struct coll_topo_unpacking_transport* own = self(transport);
    const char* from = source;
    char* to = target;
    while (elements > 0) {
        const size_t now = elements < own->at_once ? elements : own->at_once;
        coll_topo_pml_note(transport, reduce_some(own, from, to, now));
        from += now * transport->element_bytes;
        to += now * transport->element_bytes;
        elements -= now;
    }
}

void coll_topo_unpacking_transport_set(struct coll_topo_unpacking_transport* transport,
                                       struct ompi_communicator_t* communicator, struct ompi_datatype_t* datatype,
                                       struct ompi_op_t* operation, size_t apart, char* memory) {
    const struct row row = row_of(datatype, apart);
    coll_topo_pml_transport_typed(&transport->pml, communicator, datatype, operation);
    coll_topo_transport* base = &transport->pml.base;
    base->extent = (ptrdiff_t)base->element_bytes;
    base->scratch_lead = base->scratch_tail = 0;
    base->send = send_packed;
    base->receive = receive_packed;
    base->reduce = reduce_packed;
    base->copy = copy_packed;
    transport->at_once = row.elements;
    char* const second = memory + memory_for(&row);
    coll_topo_packed_view_set(&transport->left, address_in(memory, &row), row.elements, datatype);
    coll_topo_packed_view_set(&transport->right, address_in(second, &row), row.elements, datatype);
}
