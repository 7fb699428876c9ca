/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/messages.h"

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"

int coll_topo_message_send(struct ompi_communicator_t* communicator, int rank, const void* data, size_t bytes) {
    return MCA_PML_CALL(send((void*)data, bytes, &ompi_mpi_byte.dt, rank, COLL_TOPO_FIRST_TAG,
                             MCA_PML_BASE_SEND_STANDARD, communicator));
}

int coll_topo_message_post_send(struct ompi_communicator_t* communicator, int rank, const void* data, size_t bytes,
                                ompi_request_t** request) {
    return MCA_PML_CALL(isend((void*)data, bytes, &ompi_mpi_byte.dt, rank, COLL_TOPO_FIRST_TAG,
                              MCA_PML_BASE_SEND_STANDARD, communicator, request));
}

int coll_topo_message_post_receive(struct ompi_communicator_t* communicator, int rank, void* data, size_t bytes,
                                   ompi_request_t** request) {
    return MCA_PML_CALL(irecv(data, bytes, &ompi_mpi_byte.dt, rank, COLL_TOPO_FIRST_TAG, communicator, request));
}

/* Unless there is a failure already. */
static int wait_for(struct ompi_communicator_t* communicator, ompi_request_t** request, int failure) {
    while (!REQUEST_COMPLETE(*request) && failure == OMPI_SUCCESS) {
        opal_progress();
        failure = coll_topo_communicator_failure(communicator);
    }
    if (failure != OMPI_SUCCESS) {
        ompi_request_cancel(*request);
    }
    const int error = ompi_request_wait(request, MPI_STATUS_IGNORE);
    return failure != OMPI_SUCCESS ? failure : error;
}

int coll_topo_message_receive(struct ompi_communicator_t* communicator, int rank, void* data, size_t bytes) {
    ompi_request_t* request = NULL;
    const int error = coll_topo_message_post_receive(communicator, rank, data, bytes, &request);
    return error == OMPI_SUCCESS ? wait_for(communicator, &request, OMPI_SUCCESS) : error;
}

int coll_topo_message_exchange(struct ompi_communicator_t* communicator, int target, const void* sent, int source,
                               void* received, size_t bytes) {
    ompi_request_t* request = NULL;
    int error = coll_topo_message_post_receive(communicator, source, received, bytes, &request);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    error = coll_topo_message_send(communicator, target, sent, bytes);
    return wait_for(communicator, &request, error);
}

bool coll_topo_message_test(struct ompi_communicator_t* communicator, ompi_request_t** request, int* error) {
    if (!REQUEST_COMPLETE(*request)) {
        *error = coll_topo_communicator_failure(communicator);
        return false;
    }
    opal_atomic_rmb();
    *error = (*request)->req_status.MPI_ERROR;
    return *error == OMPI_SUCCESS;
}

void coll_topo_message_end(ompi_request_t** request) {
    if (*request != NULL) {
        ompi_request_free(request);
        *request = NULL;
    }
}

void coll_topo_message_cancel(ompi_request_t** request) {
    if (*request != NULL) {
        ompi_request_cancel(*request);
        ompi_request_wait_completion(*request);
        coll_topo_message_end(request);
    }
}
