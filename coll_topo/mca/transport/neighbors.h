/* SPDX-License-Identifier: BSD-3-Clause */
/* The Cartesian topology of a communicator as Open MPI has it. */
#ifndef COLL_TOPO_MCA_NEIGHBORS_H
#define COLL_TOPO_MCA_NEIGHBORS_H

#include "coll_topo/mca/compatibility.h"

#include "ompi/communicator/communicator.h"
#include "ompi/mca/topo/topo.h"

/* Neighbours of a rank, also those that it does not have at the end of a dimension; 0 without such a topology. Number
 * 2d is the one before in dimension d, 2d + 1 the one behind. */
static inline int coll_topo_neighbors(const struct ompi_communicator_t* communicator) {
    return OMPI_COMM_IS_CART(communicator) ? 2 * communicator->c_topo->mtc.cart->ndims : 0;
}

/* Whether this rank has the neighbour of that number. */
static inline bool coll_topo_has_neighbor(const struct ompi_communicator_t* communicator, int number) {
    const mca_topo_base_comm_cart_2_2_0_t* const cartesian = communicator->c_topo->mtc.cart;
    const int dimension = number / 2, coordinate = cartesian->coords[dimension];
    const int end = number % 2 == 0 ? 0 : cartesian->dims[dimension] - 1;
    return cartesian->periods[dimension] != 0 || coordinate != end;
}

#endif
