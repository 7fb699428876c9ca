/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/persistent_lives.h"

#include "test/mpi/persistent_functions.h"
#include "test/mpi/request_calls.h"
#include "test/mpi/session.h"

/* Its schedule stays although others of its kind are forgotten: only so many of those with a root are kept. */
void among_many_roots(void) {
    enum { SIZES = 4, MOST = 17 * SIZES };
    static struct request_call kept[MOST];
    static MPI_Request of_kept[MOST];
    static const int counts[SIZES] = {1, 50, 3000, 40000};
    const int number = session.ranks < MOST / SIZES ? session.ranks * SIZES : MOST;
    for (int i = 0; i < number; i++) {
        make_call(&kept[i], i % 2 ? SPREAD : LAST_SUM, MPI_COMM_WORLD, counts[i % SIZES] / session.ranks + 1,
                  i / SIZES);
        init_persistent(&kept[i], &of_kept[i]);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < number; i++) {
            struct request_call once;
            MPI_Request request;
            make_call(&once, i % 2 ? LAST_SUM : SPREAD, MPI_COMM_WORLD, counts[i % SIZES] / session.ranks + 1, i);
            start_nonblocking(&once, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            check_result(&once, "among persistent ones of many roots");
            free_call(&once);
        }
        for (int i = 0; i < number; i++) {
            fill_call(&kept[i], 100 * round + i);
            MPI_Start(&of_kept[i]);
        }
        MPI_Waitall(number, of_kept, MPI_STATUSES_IGNORE);
        for (int i = 0; i < number; i++) check_result(&kept[i], "of many roots");
    }
    for (int i = 0; i < number; i++) {
        MPI_Request_free(&of_kept[i]);
        free_call(&kept[i]);
    }
}

/* It can be waited for and freed, as if it were done. */
void never_started(void) {
    struct request_call call;
    MPI_Request request;
    MPI_Status status;
    int flag = 0, number = 0;
    make_call(&call, SUM, MPI_COMM_WORLD, 10, 1);
    init_persistent(&call, &request);
    MPI_Wait(&request, &status);
    check(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG, "an inactive request has a status");
    MPI_Test(&request, &flag, &status);
    check(flag, "MPI_Test waits for an inactive request");
    MPI_Waitany(1, &request, &number, MPI_STATUS_IGNORE);
    check(number == MPI_UNDEFINED, "MPI_Waitany completes an inactive request");
    check(call.received[0] == -1, "an inactive request has done something");
    MPI_Request_free(&request);
    check(request == MPI_REQUEST_NULL, "an inactive request cannot be freed");
    free_call(&call);
}

/* Rank 0 alone has begun, so that its request cannot be done: then it can be neither started nor freed nor cancelled.
 * It can be used as before. */
void misused(void) {
    struct request_call call;
    MPI_Request request;
    MPI_Comm communicator = begin_returning_errors();
    int class = MPI_SUCCESS, go = 1;
    make_call(&call, SUM, communicator, 10, 3);
    init_persistent(&call, &request);
    if (session.rank == 0) {
        MPI_Start(&request);
        /* Open MPI's own component starts it once more. */
        if (session.expectation != EXPECT_ASIDE && session.ranks > 1) {
            MPI_Error_class(MPI_Start(&request), &class);
            check(class == MPI_ERR_REQUEST, "MPI_Start of an active request: error class %d", class);
        }
        MPI_Error_class(MPI_Startall(1, &request), &class);
        check(class == MPI_ERR_REQUEST, "MPI_Startall of an active request: error class %d", class);
        check_cannot_be_ended(request, "an active persistent collective");
        for (int rank = 1; rank < session.ranks; rank++) MPI_Send(&go, 1, MPI_INT, rank, 6, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_result(&call, "misused");
    fill_call(&call, 4);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_result(&call, "after it was misused");
    MPI_Request_free(&request);
    free_call(&call);
    end_returning_errors(&communicator);
}

/* All that it was given is freed before it is started. */
void with_all_freed(void) {
    MPI_Comm communicator;
    MPI_Datatype pair, types[32];
    MPI_Op larger;
    MPI_Request two[2];
    long long own[2], result[2], sent[32], received[32];
    int ones[32], places[32];
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Type_contiguous(2, MPI_LONG_LONG, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(larger_of_pairs, 1, &larger);
    for (int rank = 0; rank < session.ranks; rank++) {
        MPI_Type_contiguous(1, MPI_LONG_LONG, &types[rank]);
        MPI_Type_commit(&types[rank]);
        ones[rank] = 1;
        places[rank] = rank * (int)sizeof *sent;
    }
    MPI_Allreduce_init(own, result, 1, pair, larger, communicator, MPI_INFO_NULL, &two[0]);
    MPI_Alltoallw_init(sent, ones, places, types, received, ones, places, types, communicator, MPI_INFO_NULL, &two[1]);
    MPI_Op_free(&larger);
    MPI_Type_free(&pair);
    for (int rank = 0; rank < session.ranks; rank++) MPI_Type_free(&types[rank]);
    MPI_Comm_free(&communicator);
    for (int round = 0; round < 3; round++) {
        own[0] = session.rank + round;
        own[1] = -session.rank;
        for (int rank = 0; rank < session.ranks; rank++) sent[rank] = 100 * session.rank + rank + round;
        MPI_Startall(2, two);
        MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
        check(result[0] == session.ranks - 1 + round && result[1] == 0, "wrong result where all was freed: %lld, %lld",
              result[0], result[1]);
        for (int rank = 0; rank < session.ranks; rank++)
            check(received[rank] == 100 * rank + session.rank + round, "wrong data from %d where all was freed", rank);
    }
    MPI_Request_free(&two[0]);
    MPI_Request_free(&two[1]);
}
