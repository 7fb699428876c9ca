/* SPDX-License-Identifier: BSD-3-Clause */
/* The one symbol that Open MPI looks for. */
#ifndef COLL_TOPO_MCA_COMPONENT_H
#define COLL_TOPO_MCA_COMPONENT_H

#include "coll_topo/mca/compatibility.h"

__attribute__((visibility("default"))) extern mca_coll_base_component_t mca_coll_topo_component;

#endif
