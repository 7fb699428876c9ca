/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nonblocking and persistent calls to neighbours: many under way at once, finished in another order, with messages of
 * the program between them; requests that are started again and again, and freed without a start; all on the Cartesian
 * communicator of --info cart=4p,4p, and on a duplicate of it, which outlive what was made of them.
 */
#include "test/mpi/neighbor_case.h"
#include "test/mpi/persistent_functions.h"
#include "test/mpi/session.h"

#include <stdlib.h>
#include <string.h>

enum { UNDER_WAY = 60, STARTS = 4 };

static const enum collective collectives[] = {NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL, NEIGHBOR_ALLGATHERV,
                                              NEIGHBOR_ALLTOALLV, NEIGHBOR_ALLTOALLW};
enum { KINDS = sizeof collectives / sizeof *collectives };

static void start(struct neighbor_call* call, MPI_Comm on, MPI_Request* request) {
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

static void make(struct neighbor_call* call, MPI_Comm on, MPI_Request* request) {
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

/* Sizes that differ, a few long ones among them. */
static int numbers_of(int index) {
    return index % 7 == 6 ? 20000 : index * 13 % 40;
}

/* Each rank waits for them in an order of its own. */
static void test_many(const struct cartesian* cartesian, MPI_Comm other) {
    static struct neighbor_call calls[UNDER_WAY];
    MPI_Request requests[UNDER_WAY];
    for (int i = 0; i < UNDER_WAY; i++) {
        neighbor_call_new(&calls[i], collectives[i % KINDS], cartesian, numbers_of(i), i);
        start(&calls[i], i % 3 == 2 ? other : cartesian->communicator, &requests[i]);
        if (i % 11 == 5) MPI_Barrier(i % 2 == 0 ? other : cartesian->communicator);
    }
    for (int left = UNDER_WAY; left > 0; left--) {
        int index;
        if (left % 2 == 0) {
            MPI_Waitany(UNDER_WAY, requests, &index, MPI_STATUS_IGNORE);
        } else {
            index = (int)(mix((uint64_t)cartesian->rank, (uint64_t)left) % UNDER_WAY);
            while (requests[index] == MPI_REQUEST_NULL) index = (index + 1) % UNDER_WAY;
            MPI_Wait(&requests[index], MPI_STATUS_IGNORE);
        }
        neighbor_call_check(&calls[index], "under way with others");
    }
    for (int i = 0; i < UNDER_WAY; i++) neighbor_call_free(&calls[i]);
}

static void test_persistent(const struct cartesian* cartesian, MPI_Comm other) {
    enum { MADE = 4 * KINDS };
    static struct neighbor_call calls[MADE];
    MPI_Request requests[MADE];
    for (int i = 0; i < MADE; i++) {
        neighbor_call_new(&calls[i], collectives[i % KINDS], cartesian, numbers_of(i), i);
        make(&calls[i], i % 2 == 0 ? other : cartesian->communicator, &requests[i]);
    }
    for (int time = 0; time < STARTS; time++) {
        for (int i = 0; i < MADE; i++) neighbor_call_clear(&calls[i]);
        /* The last ones are never started. */
        MPI_Startall(MADE - KINDS, requests);
        MPI_Waitall(MADE - KINDS, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < MADE - KINDS; i++) neighbor_call_check(&calls[i], "started");
    }
    for (int i = 0; i < MADE; i++) {
        MPI_Request_free(&requests[i]);
        neighbor_call_free(&calls[i]);
    }
}

int main(int argc, char** argv) {
    int dimensions = 0, sizes[MOST_DIMENSIONS], periods[MOST_DIMENSIONS];
    struct cartesian cartesian;
    MPI_Comm other;
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    for (const char* text = session.info + strlen("cart="); dimensions < MOST_DIMENSIONS && *text != '\0';
         dimensions++) {
        char* end;
        sizes[dimensions] = (int)strtol(text, &end, 10);
        periods[dimensions] = *end == 'p';
        text = end + (*end == 'p');
        text += *text == ',';
    }
    counters_open();
    forms_new();
    if (check(cartesian_new(&cartesian, dimensions, sizes, periods), "all ranks are in the communicator")) {
        MPI_Comm_dup(cartesian.communicator, &other);
        test_many(&cartesian, other);
        test_persistent(&cartesian, other);
        MPI_Comm_free(&other);
        cartesian_free(&cartesian);
    }
    forms_free();
    counters_close();
    return session_finish("neighbor_requests");
}
