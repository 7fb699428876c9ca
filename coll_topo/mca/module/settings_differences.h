/* SPDX-License-Identifier: BSD-3-Clause */
/* How ranks differ in what they must have in common, once it is known that they do. */
#ifndef COLL_TOPO_MCA_SETTINGS_DIFFERENCES_H
#define COLL_TOPO_MCA_SETTINGS_DIFFERENCES_H

#include "coll_topo/mca/module/common_settings.h"

/* Adds to the list, on rank 0, how the others differ from it. A collective call. An Open MPI error code. */
int coll_topo_settings_collect(struct ompi_communicator_t* communicator, const struct coll_topo_common_settings* own,
                               struct coll_topo_differences* list);

/* The same, while the caller does other things. It must stay where it is. */
struct coll_topo_collecting {
    struct coll_topo_common_settings own;
    struct coll_topo_common_settings* theirs; /* on rank 0: of all */
    struct ompi_request_t** requests;
    int ranks; /* 1 on the others */
};
/* An Open MPI error code; then coll_topo_collect_end() gives up what there is. */
int coll_topo_collect_begin(struct coll_topo_collecting* collecting, struct ompi_communicator_t* communicator,
                            const struct coll_topo_common_settings* own);
/* Goes on as far as messages that have arrived allow. True once it has ended: then there is a list, or an Open MPI
 * error code, and nothing is left. */
bool coll_topo_collect_advance(struct coll_topo_collecting* collecting, struct ompi_communicator_t* communicator,
                               struct coll_topo_differences* list, int* error);
void coll_topo_collect_end(struct coll_topo_collecting* collecting);

#endif
