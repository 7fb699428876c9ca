/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages by which ranks of a communicator agree, of bytes, in the order in which they are sent. They end with an
 * error if the communicator has failed. All return an Open MPI error code. */
#ifndef COLL_TOPO_MCA_MESSAGES_H
#define COLL_TOPO_MCA_MESSAGES_H

#include "coll_topo/mca/compatibility.h"

#include <stddef.h>

int coll_topo_message_send(struct ompi_communicator_t* communicator, int rank, const void* data, size_t bytes);
int coll_topo_message_receive(struct ompi_communicator_t* communicator, int rank, void* data, size_t bytes);
/* Both at once. */
int coll_topo_message_exchange(struct ompi_communicator_t* communicator, int target, const void* sent, int source,
                               void* received, size_t bytes);

#endif
