/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To be preloaded: every blocking collective that coll_topo serves becomes the nonblocking one and a wait for it, or,
 * if it is compiled with PERSISTENT, a persistent request that is made, started, waited for and freed. Counters of
 * blocking calls become those of calls with requests. So all programs that test the blocking calls test these too.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

#ifdef PERSISTENT
#include "test/mpi/persistent_functions.h"

static int done(int error, MPI_Request* request) {
    if (error == MPI_SUCCESS) error = PMPI_Start(request);
    if (error != MPI_SUCCESS) return error;
    error = PMPI_Wait(request, MPI_STATUS_IGNORE);
    PMPI_Request_free(request);
    return error;
}

#define DO(nonblocking, persistent, ...) \
    MPI_Request request;                 \
    return done(MPI_##persistent(__VA_ARGS__, MPI_INFO_NULL, &request), &request)
#else
static int done(int error, MPI_Request* request) {
    return error == MPI_SUCCESS ? PMPI_Wait(request, MPI_STATUS_IGNORE) : error;
}

#define DO(nonblocking, persistent, ...) \
    MPI_Request request;                 \
    return done(PMPI_##nonblocking(__VA_ARGS__, &request), &request)
#endif

EXPORTED int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
                           MPI_Comm communicator) {
    DO(Iallreduce, Allreduce_init, sent, received, count, type, operation, communicator);
}

EXPORTED int MPI_Reduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation, int root,
                        MPI_Comm communicator) {
    DO(Ireduce, Reduce_init, sent, received, count, type, operation, root, communicator);
}

EXPORTED int MPI_Scan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
                      MPI_Comm communicator) {
    DO(Iscan, Scan_init, sent, received, count, type, operation, communicator);
}

EXPORTED int MPI_Exscan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
                        MPI_Comm communicator) {
    DO(Iexscan, Exscan_init, sent, received, count, type, operation, communicator);
}

EXPORTED int MPI_Reduce_scatter(const void* sent, void* received, const int counts[], MPI_Datatype type,
                                MPI_Op operation, MPI_Comm communicator) {
    DO(Ireduce_scatter, Reduce_scatter_init, sent, received, counts, type, operation, communicator);
}

EXPORTED int MPI_Reduce_scatter_block(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
                                      MPI_Comm communicator) {
    DO(Ireduce_scatter_block, Reduce_scatter_block_init, sent, received, count, type, operation, communicator);
}

EXPORTED int MPI_Allgather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                           MPI_Datatype received_type, MPI_Comm communicator) {
    DO(Iallgather, Allgather_init, sent, sent_count, sent_type, received, received_count, received_type, communicator);
}

EXPORTED int MPI_Allgatherv(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                            const int received_counts[], const int received_places[], MPI_Datatype received_type,
                            MPI_Comm communicator) {
    DO(Iallgatherv, Allgatherv_init, sent, sent_count, sent_type, received, received_counts, received_places,
       received_type, communicator);
}

EXPORTED int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
    DO(Ibcast, Bcast_init, data, count, type, root, communicator);
}

EXPORTED int MPI_Barrier(MPI_Comm communicator) {
    DO(Ibarrier, Barrier_init, communicator);
}

EXPORTED int MPI_Gather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                        MPI_Datatype received_type, int root, MPI_Comm communicator) {
    DO(Igather, Gather_init, sent, sent_count, sent_type, received, received_count, received_type, root, communicator);
}

EXPORTED int MPI_Scatter(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                         MPI_Datatype received_type, int root, MPI_Comm communicator) {
    DO(Iscatter, Scatter_init, sent, sent_count, sent_type, received, received_count, received_type, root,
       communicator);
}

EXPORTED int MPI_Gatherv(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                         const int received_counts[], const int received_places[], MPI_Datatype received_type, int root,
                         MPI_Comm communicator) {
    DO(Igatherv, Gatherv_init, sent, sent_count, sent_type, received, received_counts, received_places, received_type,
       root, communicator);
}

EXPORTED int MPI_Scatterv(const void* sent, const int sent_counts[], const int sent_places[], MPI_Datatype sent_type,
                          void* received, int received_count, MPI_Datatype received_type, int root,
                          MPI_Comm communicator) {
    DO(Iscatterv, Scatterv_init, sent, sent_counts, sent_places, sent_type, received, received_count, received_type,
       root, communicator);
}

EXPORTED int MPI_Alltoall(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                          MPI_Datatype received_type, MPI_Comm communicator) {
    DO(Ialltoall, Alltoall_init, sent, sent_count, sent_type, received, received_count, received_type, communicator);
}

EXPORTED int MPI_Alltoallv(const void* sent, const int sent_counts[], const int sent_places[], MPI_Datatype sent_type,
                           void* received, const int received_counts[], const int received_places[],
                           MPI_Datatype received_type, MPI_Comm communicator) {
    DO(Ialltoallv, Alltoallv_init, sent, sent_counts, sent_places, sent_type, received, received_counts,
       received_places, received_type, communicator);
}

EXPORTED int MPI_Alltoallw(const void* sent, const int sent_counts[], const int sent_places[],
                           const MPI_Datatype sent_types[], void* received, const int received_counts[],
                           const int received_places[], const MPI_Datatype received_types[], MPI_Comm communicator) {
    DO(Ialltoallw, Alltoallw_init, sent, sent_counts, sent_places, sent_types, received, received_counts,
       received_places, received_types, communicator);
}

EXPORTED int MPI_Neighbor_allgather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                                    int received_count, MPI_Datatype received_type, MPI_Comm communicator) {
    DO(Ineighbor_allgather, Neighbor_allgather_init, sent, sent_count, sent_type, received, received_count,
       received_type, communicator);
}

EXPORTED int MPI_Neighbor_alltoall(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                                   int received_count, MPI_Datatype received_type, MPI_Comm communicator) {
    DO(Ineighbor_alltoall, Neighbor_alltoall_init, sent, sent_count, sent_type, received, received_count, received_type,
       communicator);
}

EXPORTED int MPI_Neighbor_allgatherv(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                                     const int received_counts[], const int received_places[],
                                     MPI_Datatype received_type, MPI_Comm communicator) {
    DO(Ineighbor_allgatherv, Neighbor_allgatherv_init, sent, sent_count, sent_type, received, received_counts,
       received_places, received_type, communicator);
}

EXPORTED int MPI_Neighbor_alltoallv(const void* sent, const int sent_counts[], const int sent_places[],
                                    MPI_Datatype sent_type, void* received, const int received_counts[],
                                    const int received_places[], MPI_Datatype received_type, MPI_Comm communicator) {
    DO(Ineighbor_alltoallv, Neighbor_alltoallv_init, sent, sent_counts, sent_places, sent_type, received,
       received_counts, received_places, received_type, communicator);
}

EXPORTED int MPI_Neighbor_alltoallw(const void* sent, const int sent_counts[], const MPI_Aint sent_places[],
                                    const MPI_Datatype sent_types[], void* received, const int received_counts[],
                                    const MPI_Aint received_places[], const MPI_Datatype received_types[],
                                    MPI_Comm communicator) {
    DO(Ineighbor_alltoallw, Neighbor_alltoallw_init, sent, sent_counts, sent_places, sent_types, received,
       received_counts, received_places, received_types, communicator);
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
