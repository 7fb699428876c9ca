/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To be preloaded to any MPI program: the buffers of its collectives are put into a device's memory for the time of the
 * call. $ON_DEVICE: `all` ranks do that, or only the `odd` ones, or each of them with every other `call`; those of
 * scans stay where they are with $SCANS_ON_HOST. The first rank says at the end how many calls of all ranks had a
 * buffer there.
 */
#include "test/mpi/device/buffer_span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long calls, with_device;

static bool uses_device(MPI_Comm communicator) {
    const char* const who = getenv("ON_DEVICE");
    int between, rank;
    MPI_Comm_test_inter(communicator, &between);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    calls++;
    if (between || who == NULL) return false;
    if (strcmp(who, "odd") == 0) return rank % 2 == 1;
    return strcmp(who, "call") != 0 || (calls + (unsigned)rank) % 2 == 1;
}

struct buffers {
    struct on_device sent, received;
};

static struct buffers before(MPI_Comm communicator, const void* sent, struct span of_sent, const void* received,
                             struct span of_received) {
    static const struct span nothing;
    const bool there = uses_device(communicator);
    struct buffers buffers = {put_on_device(sent, there && sent != MPI_IN_PLACE ? of_sent : nothing),
                              put_on_device(received, there ? of_received : nothing)};
    with_device += buffers.sent.memory != NULL || buffers.received.memory != NULL;
    return buffers;
}

static int after(struct buffers* buffers, int error) {
    take_from_device(&buffers->sent, false);
    take_from_device(&buffers->received, true);
    return error;
}

static size_t size_of(MPI_Comm communicator) {
    int size;
    MPI_Comm_size(communicator, &size);
    return (size_t)size;
}

static int rank_in(MPI_Comm communicator) {
    int rank;
    MPI_Comm_rank(communicator, &rank);
    return rank;
}

/* ---- the calls --------------------------------------------------------------------------------------------------- */

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator) {
    const struct span span = span_of((size_t)count, type, 0);
    struct buffers there = before(communicator, from, span, to, span);
    return after(&there,
                 PMPI_Allreduce(there.sent.address, there.received.address, count, type, operation, communicator));
}

int MPI_Reduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation, int root,
               MPI_Comm communicator) {
    const struct span span = span_of((size_t)count, type, 0), nothing = {0};
    struct buffers there = before(communicator, from, span, to, rank_in(communicator) == root ? span : nothing);
    return after(&there,
                 PMPI_Reduce(there.sent.address, there.received.address, count, type, operation, root, communicator));
}

static struct span span_of_scan(size_t count, MPI_Datatype type) {
    static const struct span nothing;
    return getenv("SCANS_ON_HOST") != NULL ? nothing : span_of(count, type, 0);
}

int MPI_Scan(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator) {
    const struct span span = span_of_scan((size_t)count, type);
    struct buffers there = before(communicator, from, span, to, span);
    return after(&there, PMPI_Scan(there.sent.address, there.received.address, count, type, operation, communicator));
}

/* Rank 0 may have no receive buffer. */
int MPI_Exscan(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator) {
    const struct span span = span_of_scan((size_t)count, type), nothing = {0};
    const bool has_buffer = rank_in(communicator) > 0 || from == MPI_IN_PLACE;
    struct buffers there = before(communicator, from, span, to, has_buffer ? span : nothing);
    return after(&there, PMPI_Exscan(there.sent.address, there.received.address, count, type, operation, communicator));
}

int MPI_Reduce_scatter(const void* from, void* to, const int counts[], MPI_Datatype type, MPI_Op operation,
                       MPI_Comm communicator) {
    size_t all = 0;
    for (size_t i = 0; i < size_of(communicator); i++) all += (size_t)counts[i];
    const size_t own = (size_t)counts[rank_in(communicator)];
    struct buffers there =
        before(communicator, from, span_of(all, type, 0), to, span_of(from == MPI_IN_PLACE ? all : own, type, 0));
    return after(
        &there, PMPI_Reduce_scatter(there.sent.address, there.received.address, counts, type, operation, communicator));
}

int MPI_Reduce_scatter_block(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation,
                             MPI_Comm communicator) {
    const struct span all = span_of((size_t)count * size_of(communicator), type, 0);
    struct buffers there =
        before(communicator, from, all, to, from == MPI_IN_PLACE ? all : span_of((size_t)count, type, 0));
    return after(&there, PMPI_Reduce_scatter_block(there.sent.address, there.received.address, count, type, operation,
                                                   communicator));
}

int MPI_Allgather(const void* from, int sent, MPI_Datatype sent_type, void* to, int received,
                  MPI_Datatype received_type, MPI_Comm communicator) {
    const struct span span = from != MPI_IN_PLACE ? span_of((size_t)sent, sent_type, 0) : (struct span){0};
    struct buffers there =
        before(communicator, from, span, to, span_of((size_t)received * size_of(communicator), received_type, 0));
    return after(&there, PMPI_Allgather(there.sent.address, sent, sent_type, there.received.address, received,
                                        received_type, communicator));
}

int MPI_Gather(const void* from, int sent, MPI_Datatype sent_type, void* to, int received, MPI_Datatype received_type,
               int root, MPI_Comm communicator) {
    const struct span nothing = {0};
    const struct span span = from != MPI_IN_PLACE ? span_of((size_t)sent, sent_type, 0) : nothing;
    const struct span all =
        rank_in(communicator) == root ? span_of((size_t)received * size_of(communicator), received_type, 0) : nothing;
    struct buffers there = before(communicator, from, span, to, all);
    return after(&there, PMPI_Gather(there.sent.address, sent, sent_type, there.received.address, received,
                                     received_type, root, communicator));
}

int MPI_Scatter(const void* from, int sent, MPI_Datatype sent_type, void* to, int received, MPI_Datatype received_type,
                int root, MPI_Comm communicator) {
    const struct span nothing = {0};
    const struct span all =
        rank_in(communicator) == root ? span_of((size_t)sent * size_of(communicator), sent_type, 0) : nothing;
    const struct span span = to != MPI_IN_PLACE ? span_of((size_t)received, received_type, 0) : nothing;
    struct buffers there = before(communicator, from, all, to, span);
    return after(&there, PMPI_Scatter(there.sent.address, sent, sent_type, there.received.address, received,
                                      received_type, root, communicator));
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
    struct buffers there = before(communicator, NULL, (struct span){0}, buffer, span_of((size_t)count, type, 0));
    return after(&there, PMPI_Bcast(there.received.address, count, type, root, communicator));
}

int MPI_Alltoall(const void* from, int sent, MPI_Datatype sent_type, void* to, int received, MPI_Datatype received_type,
                 MPI_Comm communicator) {
    const size_t size = size_of(communicator);
    const struct span span = from != MPI_IN_PLACE ? span_of((size_t)sent * size, sent_type, 0) : (struct span){0};
    struct buffers there = before(communicator, from, span, to, span_of((size_t)received * size, received_type, 0));
    return after(&there, PMPI_Alltoall(there.sent.address, sent, sent_type, there.received.address, received,
                                       received_type, communicator));
}

/* One type: displacements count extents of it. Several: bytes. */
static struct span span_of_pieces(const int* counts, const int* displacements, MPI_Datatype type,
                                  const MPI_Datatype* types, MPI_Comm communicator) {
    struct span all = {0};
    for (size_t i = 0; i < size_of(communicator); i++) {
        MPI_Aint bound = 0, unit = 1;
        if (types == NULL) MPI_Type_get_extent(type, &bound, &unit);
        all = span_of_all(all, span_of((size_t)counts[i], types != NULL ? types[i] : type, displacements[i] * unit));
    }
    return all;
}

int MPI_Allgatherv(const void* from, int sent, MPI_Datatype sent_type, void* to, const int received[],
                   const int received_at[], MPI_Datatype received_type, MPI_Comm communicator) {
    const struct span span = from != MPI_IN_PLACE ? span_of((size_t)sent, sent_type, 0) : (struct span){0};
    struct buffers there =
        before(communicator, from, span, to, span_of_pieces(received, received_at, received_type, NULL, communicator));
    return after(&there, PMPI_Allgatherv(there.sent.address, sent, sent_type, there.received.address, received,
                                         received_at, received_type, communicator));
}

int MPI_Alltoallv(const void* from, const int sent[], const int sent_at[], MPI_Datatype sent_type, void* to,
                  const int received[], const int received_at[], MPI_Datatype received_type, MPI_Comm communicator) {
    int between;
    MPI_Comm_test_inter(communicator, &between);
    if (between)
        return PMPI_Alltoallv(from, sent, sent_at, sent_type, to, received, received_at, received_type, communicator);
    const struct span span =
        from != MPI_IN_PLACE ? span_of_pieces(sent, sent_at, sent_type, NULL, communicator) : (struct span){0};
    struct buffers there =
        before(communicator, from, span, to, span_of_pieces(received, received_at, received_type, NULL, communicator));
    return after(&there, PMPI_Alltoallv(there.sent.address, sent, sent_at, sent_type, there.received.address, received,
                                        received_at, received_type, communicator));
}

int MPI_Alltoallw(const void* from, const int sent[], const int sent_at[], const MPI_Datatype sent_types[], void* to,
                  const int received[], const int received_at[], const MPI_Datatype received_types[],
                  MPI_Comm communicator) {
    int between;
    MPI_Comm_test_inter(communicator, &between);
    if (between)
        return PMPI_Alltoallw(from, sent, sent_at, sent_types, to, received, received_at, received_types, communicator);
    const struct span span =
        from != MPI_IN_PLACE ? span_of_pieces(sent, sent_at, NULL, sent_types, communicator) : (struct span){0};
    struct buffers there =
        before(communicator, from, span, to, span_of_pieces(received, received_at, NULL, received_types, communicator));
    return after(&there, PMPI_Alltoallw(there.sent.address, sent, sent_at, sent_types, there.received.address, received,
                                        received_at, received_types, communicator));
}

int MPI_Finalize(void) {
    unsigned long all = 0;
    PMPI_Reduce(&with_device, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0) printf("calls with a buffer on the device: %s\n", all > 0 ? "some" : "none");
    return PMPI_Finalize();
}
