/* SPDX-License-Identifier: BSD-3-Clause */
/* Which calls have a size that all ranks know, by the data that coll_topo/schedule/call_list.h says they have. */
#ifndef COLL_TOPO_MCA_SIZED_CALLS_H
#define COLL_TOPO_MCA_SIZED_CALLS_H

enum {
    COLL_TOPO_SIZE_OF_vector = 1,
    COLL_TOPO_SIZE_OF_pieces = 1,
    COLL_TOPO_SIZE_OF_unequal_pieces = 0,
    COLL_TOPO_SIZE_OF_none = 0
};

#endif
