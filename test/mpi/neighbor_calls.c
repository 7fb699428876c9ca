/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/neighbor_calls.h"

#include "test/mpi/persistent_functions.h"

#include <stdlib.h>
#include <string.h>

const enum collective neighbor_kinds[NEIGHBOR_KINDS] = {NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL, NEIGHBOR_ALLGATHERV,
                                                        NEIGHBOR_ALLTOALLV, NEIGHBOR_ALLTOALLW};

bool box_described(const char* text, struct box* box) {
    static const char name[] = "cart=";
    box->dimensions = 0;
    if (strncmp(text, name, strlen(name)) != 0) return false;
    for (text += strlen(name); *text != '\0' && box->dimensions < MOST_DIMENSIONS; box->dimensions++) {
        char* end;
        box->sizes[box->dimensions] = (int)strtol(text, &end, 10);
        box->periods[box->dimensions] = *end == 'p';
        text = end + (*end == 'p');
        text += *text == ',';
    }
    return true;
}

void neighbor_call_run(struct neighbor_call* call) {
    struct side *sent = &call->sent, *received = &call->received;
    const MPI_Comm communicator = call->cartesian->communicator;
    switch (call->collective) {
        case NEIGHBOR_ALLGATHER:
            MPI_Neighbor_allgather(sent->memory, sent->counts[0], sent->types[0], received->memory, received->counts[0],
                                   received->types[0], communicator);
            break;
        case NEIGHBOR_ALLTOALL:
            MPI_Neighbor_alltoall(sent->memory, sent->counts[0], sent->types[0], received->memory, received->counts[0],
                                  received->types[0], communicator);
            break;
        case NEIGHBOR_ALLGATHERV:
            MPI_Neighbor_allgatherv((char*)sent->memory + sent->byte_displacements[0], sent->counts[0], sent->types[0],
                                    received->memory, received->counts, received->displacements, received->types[0],
                                    communicator);
            break;
        case NEIGHBOR_ALLTOALLV:
            MPI_Neighbor_alltoallv(sent->memory, sent->counts, sent->displacements, sent->types[0], received->memory,
                                   received->counts, received->displacements, received->types[0], communicator);
            break;
        default:
            MPI_Neighbor_alltoallw(sent->memory, sent->counts, sent->byte_displacements, sent->types, received->memory,
                                   received->counts, received->byte_displacements, received->types, communicator);
    }
}

void neighbor_call_start(struct neighbor_call* call, MPI_Comm on, MPI_Request* request) {
    struct side *sent = &call->sent, *received = &call->received;
    switch (call->collective) {
        case NEIGHBOR_ALLGATHER:
            MPI_Ineighbor_allgather(sent->memory, sent->counts[0], sent->types[0], received->memory,
                                    received->counts[0], received->types[0], on, request);
            break;
        case NEIGHBOR_ALLTOALL:
            MPI_Ineighbor_alltoall(sent->memory, sent->counts[0], sent->types[0], received->memory, received->counts[0],
                                   received->types[0], on, request);
            break;
        case NEIGHBOR_ALLGATHERV:
            MPI_Ineighbor_allgatherv((char*)sent->memory + sent->byte_displacements[0], sent->counts[0], sent->types[0],
                                     received->memory, received->counts, received->displacements, received->types[0],
                                     on, request);
            break;
        case NEIGHBOR_ALLTOALLV:
            MPI_Ineighbor_alltoallv(sent->memory, sent->counts, sent->displacements, sent->types[0], received->memory,
                                    received->counts, received->displacements, received->types[0], on, request);
            break;
        default:
            MPI_Ineighbor_alltoallw(sent->memory, sent->counts, sent->byte_displacements, sent->types, received->memory,
                                    received->counts, received->byte_displacements, received->types, on, request);
    }
}

void neighbor_call_make(struct neighbor_call* call, MPI_Comm on, MPI_Request* request) {
    struct side *sent = &call->sent, *received = &call->received;
    switch (call->collective) {
        case NEIGHBOR_ALLGATHER:
            MPI_Neighbor_allgather_init(sent->memory, sent->counts[0], sent->types[0], received->memory,
                                        received->counts[0], received->types[0], on, MPI_INFO_NULL, request);
            break;
        case NEIGHBOR_ALLTOALL:
            MPI_Neighbor_alltoall_init(sent->memory, sent->counts[0], sent->types[0], received->memory,
                                       received->counts[0], received->types[0], on, MPI_INFO_NULL, request);
            break;
        case NEIGHBOR_ALLGATHERV:
            MPI_Neighbor_allgatherv_init((char*)sent->memory + sent->byte_displacements[0], sent->counts[0],
                                         sent->types[0], received->memory, received->counts, received->displacements,
                                         received->types[0], on, MPI_INFO_NULL, request);
            break;
        case NEIGHBOR_ALLTOALLV:
            MPI_Neighbor_alltoallv_init(sent->memory, sent->counts, sent->displacements, sent->types[0],
                                        received->memory, received->counts, received->displacements, received->types[0],
                                        on, MPI_INFO_NULL, request);
            break;
        default:
            MPI_Neighbor_alltoallw_init(sent->memory, sent->counts, sent->byte_displacements, sent->types,
                                        received->memory, received->counts, received->byte_displacements,
                                        received->types, on, MPI_INFO_NULL, request);
    }
}
