/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent collectives: many requests, some of them alike, on communicators that have ranks in common, started again
 * and again in an order of each rank's own, mixed with nonblocking and blocking calls. Then what may happen to such a
 * request: it is never started, started twice, freed too early; its communicator, type and operation are freed.
 */
#include "test/mpi/persistent_functions.h"
#include "test/mpi/request_calls.h"
#include "test/mpi/request_counters.h"
#include "test/mpi/session.h"

#include <pthread.h>

enum { REQUESTS = 60, COMMUNICATORS = 3, THREADS = 4 };

/* ---- many, again and again ----------------------------------------------------------------------------------------
 */

static struct request_call calls[REQUESTS];
static MPI_Request requests[REQUESTS];

/* Each rank shuffles for itself: MPI asks for an order only where requests are made. */
static void shuffled(int order[REQUESTS], uint64_t* own) {
    for (int i = 0; i < REQUESTS; i++) {
        const int other = (int)draw(own, (unsigned)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

/* Some by MPI_Start, some together. */
static void start_all(uint64_t* own) {
    int order[REQUESTS];
    MPI_Request together[REQUESTS];
    int count = 0;
    shuffled(order, own);
    for (int i = 0; i < REQUESTS; i++) {
        if (draw(own, 2) == 0)
            MPI_Start(&requests[order[i]]);
        else
            together[count++] = requests[order[i]];
    }
    MPI_Startall(count, together);
}

static void complete(int number) {
    check(requests[number] != MPI_REQUEST_NULL, "persistent request %d is gone", number);
    check_result(&calls[number], "again and again");
}

/* A message and a collective of each other kind, in the same order on all ranks. */
static void mix_in_others(const MPI_Comm communicators[COMMUNICATORS], int round, MPI_Request* other) {
    static struct request_call nonblocking;
    const MPI_Comm communicator = communicators[round % COMMUNICATORS];
    const int to = (session.rank + 1) % session.ranks, from = (session.rank + session.ranks - 1) % session.ranks;
    long long one = 1, all = 0;
    int ranks = 0, received = -1;
    if (*other != MPI_REQUEST_NULL) {
        MPI_Wait(other, MPI_STATUS_IGNORE);
        check_result(&nonblocking, "nonblocking among persistent ones");
        free_call(&nonblocking);
        return;
    }
    make_call(&nonblocking, (enum kind)(round % KINDS), communicator, 9, round);
    start_nonblocking(&nonblocking, other);
    MPI_Sendrecv(&round, 1, MPI_INT, to, 5, &received, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(received == round, "the message round the ring was overtaken");
    MPI_Allreduce(&one, &all, 1, MPI_LONG_LONG, MPI_SUM, communicator);
    MPI_Comm_size(communicator, &ranks);
    check(all == ranks, "a blocking call among persistent ones is wrong");
}

/* Each rank draws for itself how it waits. */
static void complete_all(uint64_t* own) {
    int done[REQUESTS], number = 0, count = 0;
    for (int left = REQUESTS; left > 0;) {
        switch (draw(own, 3)) {
            case 0:
                MPI_Waitany(REQUESTS, requests, &number, MPI_STATUS_IGNORE);
                complete(number);
                left--;
                break;
            case 1:
                MPI_Testsome(REQUESTS, requests, &count, done, MPI_STATUSES_IGNORE);
                for (int i = 0; i < count; i++) complete(done[i]);
                left -= count;
                break;
            default:
                MPI_Waitsome(REQUESTS, requests, &count, done, MPI_STATUSES_IGNORE);
                for (int i = 0; i < count; i++) complete(done[i]);
                left -= count;
        }
    }
}

/* Open MPI's own component, which serves a rank alone too, cannot do elements that go downwards. */
static enum layout layout_for(int which, MPI_Comm communicator) {
    const enum layout layout = (enum layout)(which % LAYOUTS);
    int ranks;
    MPI_Comm_size(communicator, &ranks);
    return layout == DOWNWARDS && (ranks == 1 || session.expectation == EXPECT_ASIDE) ? GAPS : layout;
}

static void again_and_again(const MPI_Comm communicators[COMMUNICATORS], int rounds) {
    static const int counts[] = {0, 1, 7, 300};
    uint64_t own = (uint64_t)(1000 + session.rank);
    MPI_Request other = MPI_REQUEST_NULL;
    for (int i = 0; i < REQUESTS; i++) {
        const int which = (2 * i + 1) / 3; /* every third is like the one before it */
        const MPI_Comm communicator = communicators[which % 4 % COMMUNICATORS];
        make_call_of(&calls[i], (enum kind)(which % KINDS), communicator, counts[mix(3, (uint64_t)which) % 4], i,
                     layout_for(which, communicator), mix(4, (uint64_t)which) % 3 == 0);
        init_persistent(&calls[i], &requests[i]);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < REQUESTS; i++) fill_call(&calls[i], REQUESTS * round + i);
        start_all(&own);
        mix_in_others(communicators, round, &other);
        if (round % 8 == 7)
            MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
        else
            complete_all(&own);
        for (int i = 0; i < REQUESTS && round % 8 == 7; i++) complete(i);
    }
    if (other != MPI_REQUEST_NULL) mix_in_others(communicators, rounds, &other);
    for (int i = 0; i < REQUESTS; i++) {
        MPI_Request_free(&requests[i]);
        free_call(&calls[i]);
    }
}

/* Data that must be packed, too long for memory that calls keep. */
static void long_data(void) {
    enum { LONG_CALLS = 3, LONG = 5000 };
    static const enum kind kinds[LONG_CALLS] = {SUM, SPREAD, EXCHANGED};
    static struct request_call calls_of[LONG_CALLS];
    static MPI_Request of[LONG_CALLS];
    for (int i = 0; i < LONG_CALLS; i++) {
        make_call_of(&calls_of[i], kinds[i], MPI_COMM_WORLD, LONG, i,
                     layout_for(i == 0 ? DOWNWARDS : GAPS, MPI_COMM_WORLD), false);
        init_persistent(&calls_of[i], &of[i]);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < LONG_CALLS; i++) fill_call(&calls_of[i], 10 * round + i);
        MPI_Startall(LONG_CALLS, of);
        MPI_Waitall(LONG_CALLS, of, MPI_STATUSES_IGNORE);
        for (int i = 0; i < LONG_CALLS; i++) check_result(&calls_of[i], "long data");
    }
    for (int i = 0; i < LONG_CALLS; i++) {
        MPI_Request_free(&of[i]);
        free_call(&calls_of[i]);
    }
}

/* ---- what may happen to a request ---------------------------------------------------------------------------------
 */

/* Its schedule stays although others of its kind are forgotten: only so many of those with a root are kept. */
static void among_many_roots(void) {
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
static void never_started(void) {
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
static void misused(void) {
    struct request_call call;
    MPI_Request request;
    MPI_Comm communicator;
    int class = MPI_SUCCESS, go = 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
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
        MPI_Error_class(MPI_Cancel(&request), &class);
        check(class == MPI_ERR_REQUEST, "MPI_Cancel of a persistent collective: error class %d", class);
        MPI_Request copy = request;
        MPI_Error_class(MPI_Request_free(&copy), &class);
        check(class == MPI_ERR_REQUEST && copy == request, "MPI_Request_free of an active request: error class %d",
              class);
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
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&communicator);
}

/* All that it was given is freed before it is started. */
static void with_all_freed(void) {
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

/* ---- several threads ----------------------------------------------------------------------------------------------
 */

enum { OF_EACH = 4 };
struct worker {
    pthread_t thread;
    struct request_call calls[OF_EACH];
    MPI_Request requests[OF_EACH];
    int number, rounds;
};

static void* work(void* argument) {
    struct worker* const worker = argument;
    for (int round = 0; round < worker->rounds; round++) {
        for (int i = 0; i < OF_EACH; i++) {
            fill_call(&worker->calls[i], 100 * round + 10 * worker->number + i);
            MPI_Start(&worker->requests[i]);
        }
        MPI_Waitall(OF_EACH, worker->requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < OF_EACH; i++) check_result(&worker->calls[i], "in one of several threads");
    }
    return NULL;
}

/* On one communicator: requests are matched by where they were made. */
static void in_threads(int rounds) {
    static struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].rounds = rounds;
        for (int k = 0; k < OF_EACH; k++) {
            make_call(&workers[i].calls[k], (enum kind)((OF_EACH * i + k) % KINDS), MPI_COMM_WORLD, k ? 5 : 700, 0);
            init_persistent(&workers[i].calls[k], &workers[i].requests[k]);
        }
    }
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "a thread cannot be started");
    for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) {
        for (int k = 0; k < OF_EACH; k++) {
            MPI_Request_free(&workers[i].requests[k]);
            free_call(&workers[i].calls[k]);
        }
    }
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_MULTIPLE);
    open_request_counters();
    const int rounds = session.scale == SCALE_FULL ? 400 : 100;
    MPI_Comm communicators[COMMUNICATORS] = {MPI_COMM_WORLD};
    MPI_Comm_split(MPI_COMM_WORLD, 0, -session.rank, &communicators[1]);
    MPI_Comm_split(MPI_COMM_WORLD, session.rank % 2, session.rank, &communicators[2]);
    never_started();
    again_and_again(communicators, rounds);
    long_data();
    among_many_roots();
    misused();
    /* Open MPI's own component, which serves a rank alone too, uses what is gone, and does not lock. */
    if (session.expectation != EXPECT_ASIDE && session.ranks > 1) {
        with_all_freed();
        in_threads(rounds / 10);
    }
    for (int i = 1; i < COMMUNICATORS; i++) MPI_Comm_free(&communicators[i]);
    check_request_counters((unsigned)(20 * rounds));
    return session_finish("persistent_requests");
}
