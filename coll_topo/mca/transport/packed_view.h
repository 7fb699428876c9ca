/* SPDX-License-Identifier: BSD-3-Clause */
/* A typed buffer seen as the bytes that packing it would give, which can be read and written in pieces cut anywhere. It
 * may be in a device's memory: then Open MPI's convertors read and write it. */
#ifndef COLL_TOPO_MCA_PACKED_VIEW_H
#define COLL_TOPO_MCA_PACKED_VIEW_H

#include "coll_topo/mca/compatibility.h"

#include <stdbool.h>
#include <stddef.h>

struct coll_topo_packed_view {
    struct ompi_datatype_t* datatype;
    char* buffer;        /* of element 0 */
    char* bytes;         /* the data themselves if they are contiguous in the processor's memory, else NULL */
    char* device_bytes;  /* the same in a device's memory */
    size_t element_size; /* packed */
    ptrdiff_t extent;
};

/* Packed size of one element. */
size_t coll_topo_datatype_bytes(const struct ompi_datatype_t* datatype);

void coll_topo_packed_view_set(struct coll_topo_packed_view* view, const void* buffer, size_t elements,
                               struct ompi_datatype_t* datatype);

/* Copy packed bytes [at, at + size) out of the buffer or into it; an Open MPI error code. */
int coll_topo_packed_view_read(const struct coll_topo_packed_view* view, void* packed, size_t at, size_t size);
int coll_topo_packed_view_write(const struct coll_topo_packed_view* view, const void* packed, size_t at, size_t size);

#endif
