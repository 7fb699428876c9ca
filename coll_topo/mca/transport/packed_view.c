/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/transport/packed_view.h"

#include "coll_topo/mca/transport/extents.h"

#include "opal/datatype/opal_convertor.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

size_t coll_topo_datatype_bytes(const struct ompi_datatype_t* datatype) {
    size_t size = 0;
    ompi_datatype_type_size(datatype, &size);
    return size;
}

void coll_topo_packed_view_set(struct coll_topo_packed_view* view, const void* buffer, size_t elements,
                               struct ompi_datatype_t* datatype) {
    const struct coll_topo_extents extents = coll_topo_extents_of(datatype);
    view->extent = extents.extent;
    view->datatype = datatype;
    view->buffer = (char*)buffer;
    view->element_size = coll_topo_datatype_bytes(datatype);
    /* Open MPI asks for more than one element to know whether there are gaps between them. */
    const bool contiguous = ompi_datatype_is_contiguous_memory_layout(datatype, elements > 1 ? 2 : 1);
    char* const data = view->buffer + extents.true_lower_bound;
    const bool on_device = contiguous && coll_topo_is_on_device(data);
    view->bytes = contiguous && !on_device ? data : NULL;
    view->device_bytes = on_device ? data : NULL;
}

/* Packs whole elements to `packed`, or unpacks them from there. */
static int convert(const struct coll_topo_packed_view* view, size_t first, size_t elements, void* packed, bool write) {
    void* buffer = view->buffer + (ptrdiff_t)first * view->extent;
    const size_t size = elements * view->element_size;
    struct iovec segment = {.iov_base = packed, .iov_len = size};
    uint32_t segments = 1;
    size_t moved = size;
    opal_convertor_t convertor;
    OBJ_CONSTRUCT(&convertor, opal_convertor_t);
    if (write) {
        opal_convertor_copy_and_prepare_for_recv(ompi_mpi_local_convertor, &view->datatype->super, elements, buffer, 0,
                                                 &convertor);
        opal_convertor_unpack(&convertor, &segment, &segments, &moved);
    } else {
        opal_convertor_copy_and_prepare_for_send(ompi_mpi_local_convertor, &view->datatype->super, elements, buffer, 0,
                                                 &convertor);
        opal_convertor_pack(&convertor, &segment, &segments, &moved);
    }
    OBJ_DESTRUCT(&convertor);
    return moved == size ? OMPI_SUCCESS : OMPI_ERROR;
}

/* A part of one element. Convertors are not asked to stop inside a basic type: the element is packed as a whole. */
static int convert_part(const struct coll_topo_packed_view* view, size_t element, size_t at, size_t size, char* packed,
                        bool write) {
    char* whole = malloc(view->element_size);
    int error = OMPI_SUCCESS;
    if (whole == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    error = convert(view, element, 1, whole, false);
    if (error == OMPI_SUCCESS && write) {
        memcpy(whole + at, packed, size);
        error = convert(view, element, 1, whole, true);
    } else if (error == OMPI_SUCCESS) {
        memcpy(packed, whole + at, size);
    }
    free(whole);
    return error;
}

/* A part of the first element, whole elements, a part of the last one; each may be empty. */
static int convert_range(const struct coll_topo_packed_view* view, char* packed, size_t at, size_t size, bool write) {
    const size_t unit = view->element_size;
    int error = OMPI_SUCCESS;
    while (size > 0 && error == OMPI_SUCCESS) {
        const size_t inside = at % unit;
        size_t now = size / unit * unit;
        if (inside != 0 || now == 0) {
            now = unit - inside < size ? unit - inside : size;
            error = convert_part(view, at / unit, inside, now, packed, write);
        } else {
            error = convert(view, at / unit, now / unit, packed, write);
        }
        at += now;
        packed += now;
        size -= now;
    }
    return error;
}

int coll_topo_packed_view_read(const struct coll_topo_packed_view* view, void* packed, size_t at, size_t size) {
    if (view->bytes != NULL) {
        memcpy(packed, view->bytes + at, size);
        return OMPI_SUCCESS;
    }
    return convert_range(view, packed, at, size, false);
}

int coll_topo_packed_view_write(const struct coll_topo_packed_view* view, const void* packed, size_t at, size_t size) {
    if (view->bytes != NULL) {
        memcpy(view->bytes + at, packed, size);
        return OMPI_SUCCESS;
    }
    return convert_range(view, (char*)packed, at, size, true);
}
