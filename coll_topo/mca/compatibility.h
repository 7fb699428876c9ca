/* SPDX-License-Identifier: BSD-3-Clause */
/* All that differs between the releases of Open MPI that this component is built for: 4.1 and 5.0. */
#ifndef COLL_TOPO_MCA_COMPATIBILITY_H
#define COLL_TOPO_MCA_COMPATIBILITY_H

#include "ompi_config.h"

#include "ompi/mca/coll/coll.h"
#include "opal/mca/hwloc/hwloc-internal.h"

/* A component must be built with the version of the interface that the library has. The scope of what a process
 * publishes about itself is "every process of the job". */
#if OMPI_MAJOR_VERSION == 4 && OMPI_MINOR_VERSION == 1
#include "ompi/mca/rte/rte.h"
#include "opal/mca/pmix/pmix.h"
#define COLL_TOPO_INTERFACE_VERSION MCA_COLL_BASE_VERSION_2_0_0
#define COLL_TOPO_MODEX_GLOBAL OPAL_PMIX_GLOBAL
#elif OMPI_MAJOR_VERSION == 5 && OMPI_MINOR_VERSION == 0
#include "ompi/runtime/ompi_rte.h"
#include "opal/mca/pmix/pmix-internal.h"
#define COLL_TOPO_INTERFACE_VERSION MCA_COLL_BASE_VERSION_2_4_0
#define COLL_TOPO_MODEX_GLOBAL PMIX_GLOBAL
#else
#error "coll_topo is written for Open MPI 4.1 and 5.0; add what differs in this release to compatibility.h"
#endif

/* Lane k sends with tag COLL_TOPO_FIRST_TAG - k. Tags below -1 and above those of coll_tags.h are nobody's; they also
 * fit transports that have few bits for a tag. Communicator creation took -7 to -9 of them in 5.0. */
#define COLL_TOPO_FIRST_TAG (-2)
#if OMPI_MAJOR_VERSION == 4
#define COLL_TOPO_MAX_LANES 8
#else
#define COLL_TOPO_MAX_LANES 5
#endif

#endif
