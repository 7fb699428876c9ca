/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of MPI that make the requests of request_calls.h. */
#include "test/mpi/persistent_functions.h"
#include "test/mpi/request_calls.h"

void start_nonblocking(struct request_call* call, MPI_Request* request) {
    const int whole = call->count * call->ranks, count = call->count;
    const void* const sent = sent_by(call);
    void* const received = received_by(call);
    const MPI_Comm communicator = call->communicator;
    const MPI_Datatype type = call->type;
    switch (call->kind) {
        case SUM:
            MPI_Iallreduce(sent, received, whole, type, call->sum, communicator, request);
            break;
        case LAST_SUM:
            MPI_Ireduce(sent, received, whole, type, call->sum, call->root, communicator, request);
            break;
        case PREFIX:
            MPI_Iscan(sent, received, whole, type, call->sum, communicator, request);
            break;
        case PREFIX_BEFORE:
            MPI_Iexscan(sent, received, whole, type, call->sum, communicator, request);
            break;
        case PART:
            MPI_Ireduce_scatter_block(sent, received, count, type, call->sum, communicator, request);
            break;
        case PARTS:
            MPI_Ireduce_scatter(sent, received, call->pieces, type, call->sum, communicator, request);
            break;
        case GATHERED:
            MPI_Iallgather(sent, count, type, received, count, type, communicator, request);
            break;
        case GATHERED_V:
            MPI_Iallgatherv(sent, count, type, received, call->pieces, call->begins, type, communicator, request);
            break;
        case SPREAD:
            MPI_Ibcast(received, whole, type, call->root, communicator, request);
            break;
        case COLLECTED:
            MPI_Igather(sent, count, type, received, count, type, call->root, communicator, request);
            break;
        case DEALT:
            MPI_Iscatter(sent, count, type, received, count, type, call->root, communicator, request);
            break;
        case COLLECTED_V:
            MPI_Igatherv(sent, count, type, received, call->pieces, call->begins, type, call->root, communicator,
                         request);
            break;
        case DEALT_V:
            MPI_Iscatterv(sent, call->pieces, call->begins, type, received, count, type, call->root, communicator,
                          request);
            break;
        case EXCHANGED:
            MPI_Ialltoall(sent, count, type, received, count, type, communicator, request);
            break;
        case EXCHANGED_V:
            MPI_Ialltoallv(sent, call->pieces, call->begins, type, received, call->pieces, call->begins, type,
                           communicator, request);
            break;
        case EXCHANGED_W:
            MPI_Ialltoallw(sent, call->pieces, call->byte_begins, call->types, received, call->pieces,
                           call->byte_begins, call->types, communicator, request);
            break;
        default:
            MPI_Ibarrier(communicator, request);
    }
}

void init_persistent(struct request_call* call, MPI_Request* request) {
    const int whole = call->count * call->ranks, count = call->count;
    const void* const sent = sent_by(call);
    void* const received = received_by(call);
    const MPI_Comm communicator = call->communicator;
    const MPI_Datatype type = call->type;
    const MPI_Info info = MPI_INFO_NULL;
    switch (call->kind) {
        case SUM:
            MPI_Allreduce_init(sent, received, whole, type, call->sum, communicator, info, request);
            break;
        case LAST_SUM:
            MPI_Reduce_init(sent, received, whole, type, call->sum, call->root, communicator, info, request);
            break;
        case PREFIX:
            MPI_Scan_init(sent, received, whole, type, call->sum, communicator, info, request);
            break;
        case PREFIX_BEFORE:
            MPI_Exscan_init(sent, received, whole, type, call->sum, communicator, info, request);
            break;
        case PART:
            MPI_Reduce_scatter_block_init(sent, received, count, type, call->sum, communicator, info, request);
            break;
        case PARTS:
            MPI_Reduce_scatter_init(sent, received, call->pieces, type, call->sum, communicator, info, request);
            break;
        case GATHERED:
            MPI_Allgather_init(sent, count, type, received, count, type, communicator, info, request);
            break;
        case GATHERED_V:
            MPI_Allgatherv_init(sent, count, type, received, call->pieces, call->begins, type, communicator, info,
                                request);
            break;
        case SPREAD:
            MPI_Bcast_init(received, whole, type, call->root, communicator, info, request);
            break;
        case COLLECTED:
            MPI_Gather_init(sent, count, type, received, count, type, call->root, communicator, info, request);
            break;
        case DEALT:
            MPI_Scatter_init(sent, count, type, received, count, type, call->root, communicator, info, request);
            break;
        case COLLECTED_V:
            MPI_Gatherv_init(sent, count, type, received, call->pieces, call->begins, type, call->root, communicator,
                             info, request);
            break;
        case DEALT_V:
            MPI_Scatterv_init(sent, call->pieces, call->begins, type, received, count, type, call->root, communicator,
                              info, request);
            break;
        case EXCHANGED:
            MPI_Alltoall_init(sent, count, type, received, count, type, communicator, info, request);
            break;
        case EXCHANGED_V:
            MPI_Alltoallv_init(sent, call->pieces, call->begins, type, received, call->pieces, call->begins, type,
                               communicator, info, request);
            break;
        case EXCHANGED_W:
            MPI_Alltoallw_init(sent, call->pieces, call->byte_begins, call->types, received, call->pieces,
                               call->byte_begins, call->types, communicator, info, request);
            break;
        default:
            MPI_Barrier_init(communicator, info, request);
    }
}
