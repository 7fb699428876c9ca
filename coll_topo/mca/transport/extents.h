/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the data of a datatype's elements lie. */
#ifndef COLL_TOPO_MCA_EXTENTS_H
#define COLL_TOPO_MCA_EXTENTS_H

#include "coll_topo/mca/compatibility.h"

#include "ompi/datatype/ompi_datatype.h"

/* In bytes; all but the true extent may be negative. */
struct coll_topo_extents {
    ptrdiff_t extent;           /* from an element to the next */
    ptrdiff_t true_lower_bound; /* from the address of an element to the begin of its data */
    ptrdiff_t true_extent;      /* from there to their end */
};

static inline struct coll_topo_extents coll_topo_extents_of(struct ompi_datatype_t* datatype) {
    struct coll_topo_extents extents;
    ptrdiff_t lower_bound = 0;
    ompi_datatype_get_extent(datatype, &lower_bound, &extents.extent);
    ompi_datatype_get_true_extent(datatype, &extents.true_lower_bound, &extents.true_extent);
    return extents;
}

#endif
