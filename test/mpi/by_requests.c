/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To be preloaded: every blocking collective that coll_topo serves becomes the nonblocking one and a wait for it, and
 * counters of blocking calls those of nonblocking ones. So all programs that test the blocking calls test these too.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static int ended(int error, MPI_Request* request) {
    return error == MPI_SUCCESS ? PMPI_Wait(request, MPI_STATUS_IGNORE) : error;
}

EXPORTED int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
                           MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Iallreduce(sent, received, count, type, operation, communicator, &request), &request);
}

EXPORTED int MPI_Reduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation, int root,
                        MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Ireduce(sent, received, count, type, operation, root, communicator, &request), &request);
}

EXPORTED int MPI_Reduce_scatter(const void* sent, void* received, const int counts[], MPI_Datatype type,
                                MPI_Op operation, MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Ireduce_scatter(sent, received, counts, type, operation, communicator, &request), &request);
}

EXPORTED int MPI_Reduce_scatter_block(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
                                      MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Ireduce_scatter_block(sent, received, count, type, operation, communicator, &request), &request);
}

EXPORTED int MPI_Allgather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                           MPI_Datatype received_type, MPI_Comm communicator) {
    MPI_Request request;
    return ended(
        PMPI_Iallgather(sent, sent_count, sent_type, received, received_count, received_type, communicator, &request),
        &request);
}

EXPORTED int MPI_Allgatherv(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                            const int received_counts[], const int received_places[], MPI_Datatype received_type,
                            MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Iallgatherv(sent, sent_count, sent_type, received, received_counts, received_places,
                                  received_type, communicator, &request),
                 &request);
}

EXPORTED int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Ibcast(data, count, type, root, communicator, &request), &request);
}

EXPORTED int MPI_Barrier(MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Ibarrier(communicator, &request), &request);
}

EXPORTED int MPI_Alltoall(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                          MPI_Datatype received_type, MPI_Comm communicator) {
    MPI_Request request;
    return ended(
        PMPI_Ialltoall(sent, sent_count, sent_type, received, received_count, received_type, communicator, &request),
        &request);
}

EXPORTED int MPI_Alltoallv(const void* sent, const int sent_counts[], const int sent_places[], MPI_Datatype sent_type,
                           void* received, const int received_counts[], const int received_places[],
                           MPI_Datatype received_type, MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Ialltoallv(sent, sent_counts, sent_places, sent_type, received, received_counts, received_places,
                                 received_type, communicator, &request),
                 &request);
}

EXPORTED int MPI_Alltoallw(const void* sent, const int sent_counts[], const int sent_places[],
                           const MPI_Datatype sent_types[], void* received, const int received_counts[],
                           const int received_places[], const MPI_Datatype received_types[], MPI_Comm communicator) {
    MPI_Request request;
    return ended(PMPI_Ialltoallw(sent, sent_counts, sent_places, sent_types, received, received_counts, received_places,
                                 received_types, communicator, &request),
                 &request);
}

EXPORTED int MPI_T_pvar_get_index(const char* name, int class, int* index) {
    static const char own[] = "coll_topo_";
    char other[256];
    if (strcmp(name, "coll_topo_fallbacks") == 0)
        return PMPI_T_pvar_get_index("coll_topo_nonblocking_fallbacks", class, index);
    if (strncmp(name, own, sizeof own - 1) != 0) return PMPI_T_pvar_get_index(name, class, index);
    snprintf(other, sizeof other, "%si%s", own, name + sizeof own - 1);
    return PMPI_T_pvar_get_index(other, class, index);
}
