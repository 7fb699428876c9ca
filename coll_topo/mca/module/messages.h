/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages by which ranks of a communicator agree, of bytes, in the order in which they are sent. They end with an
 * error if the communicator has failed. All return an Open MPI error code. */
#ifndef COLL_TOPO_MCA_MESSAGES_H
#define COLL_TOPO_MCA_MESSAGES_H

#include "coll_topo/mca/compatibility.h"

#include <stdbool.h>
#include <stddef.h>

struct ompi_request_t;

int coll_topo_message_send(struct ompi_communicator_t* communicator, int rank, const void* data, size_t bytes);
int coll_topo_message_receive(struct ompi_communicator_t* communicator, int rank, void* data, size_t bytes);
/* Both at once. */
int coll_topo_message_exchange(struct ompi_communicator_t* communicator, int target, const void* sent, int source,
                               void* received, size_t bytes);

/* The same, for callers that do not wait. What is sent must stay as it is until the message is done. */
int coll_topo_message_post_send(struct ompi_communicator_t* communicator, int rank, const void* data, size_t bytes,
                                struct ompi_request_t** request);
int coll_topo_message_post_receive(struct ompi_communicator_t* communicator, int rank, void* data, size_t bytes,
                                   struct ompi_request_t** request);
/* Whether it is done; the request stays. On a failure, *error is set, and the message is not done. */
bool coll_topo_message_test(struct ompi_communicator_t* communicator, struct ompi_request_t** request, int* error);
/* Lets go of a request, which may be NULL: of one that is done, or of a send whose data stay where they are. */
void coll_topo_message_end(struct ompi_request_t** request);
/* Ends a receive, which may be NULL and need not be done: its memory is not written any more. */
void coll_topo_message_cancel(struct ompi_request_t** request);

#endif
