/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many nonblocking collectives under way at once, on communicators that have ranks in common, mixed with blocking calls
 * and messages, and completed in an order of each rank's own by all the ways that MPI has. Then what may happen to a
 * request: its communicator, type and operation are freed, it is cancelled, it is freed too early.
 */
#include "test/mpi/request_calls.h"
#include "test/mpi/request_counters.h"
#include "test/mpi/session.h"

#include <pthread.h>

enum { REQUESTS = 64, COMMUNICATORS = 4, LONGEST = 3000, THREADS = 4 };

/* ---- many at once -------------------------------------------------------------------------------------------------
 */

static int left_of(const MPI_Request requests[REQUESTS]) {
    int left = 0;
    for (int i = 0; i < REQUESTS; i++) left += requests[i] != MPI_REQUEST_NULL;
    return left;
}

static void end_one(struct request_call* calls, MPI_Request* requests, int number) {
    check(requests[number] == MPI_REQUEST_NULL, "request %d is done, but not gone", number);
    check_result(&calls[number], "many at once");
    free_call(&calls[number]);
}

/* Each rank draws for itself how it waits, and for which. */
static void complete_in_any_order(struct request_call* calls, MPI_Request* requests, uint64_t* own) {
    int done[REQUESTS], number = 0, flag = 0, count = 0;
    while (left_of(requests) > 0) {
        switch (draw(own, 4)) {
            case 0:
                do number = (int)draw(own, REQUESTS);
                while (requests[number] == MPI_REQUEST_NULL);
                MPI_Wait(&requests[number], MPI_STATUS_IGNORE);
                end_one(calls, requests, number);
                break;
            case 1:
                MPI_Waitany(REQUESTS, requests, &number, MPI_STATUS_IGNORE);
                end_one(calls, requests, number);
                break;
            case 2:
                MPI_Testsome(REQUESTS, requests, &count, done, MPI_STATUSES_IGNORE);
                for (int i = 0; i < count; i++) end_one(calls, requests, done[i]);
                break;
            default:
                MPI_Testany(REQUESTS, requests, &number, &flag, MPI_STATUS_IGNORE);
                if (flag && number != MPI_UNDEFINED) end_one(calls, requests, number);
        }
    }
}

/* A message round the ring while collectives are under way. */
static void pass_message(int token) {
    const int to = (session.rank + 1) % session.ranks, from = (session.rank + session.ranks - 1) % session.ranks;
    int received = -1;
    MPI_Sendrecv(&token, 1, MPI_INT, to, 5, &received, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(received == token, "the message round the ring was overtaken");
}

static void many_at_once(const MPI_Comm communicators[COMMUNICATORS], int round) {
    static struct request_call calls[REQUESTS];
    static MPI_Request requests[REQUESTS];
    static const int counts[] = {1, 7, 200, LONGEST};
    uint64_t common = (uint64_t)round, own = (uint64_t)(1000 * round + session.rank);
    for (int i = 0; i < REQUESTS; i++) {
        const enum kind kind = (enum kind)draw(&common, KINDS);
        const MPI_Comm communicator = communicators[draw(&common, COMMUNICATORS)];
        make_call(&calls[i], kind, communicator, counts[draw(&common, 4)], 100 * round + i);
        start_nonblocking(&calls[i], &requests[i]);
        if (draw(&common, 8) == 0) pass_message(i);
        if (draw(&common, 8) == 0) {
            long long one = 1, all = 0;
            MPI_Allreduce(&one, &all, 1, MPI_LONG_LONG, MPI_SUM, communicator);
            check(all == calls[i].ranks, "a blocking call among nonblocking ones is wrong");
        }
    }
    complete_in_any_order(calls, requests, &own);
}

/* ---- what may happen to a request ---------------------------------------------------------------------------------
 */

/* Everything that the call was given is freed before it is done. Open MPI's own component for nonblocking collectives
 * ends with a segmentation fault then: it uses the communicator after it is gone. */
static void freed_before_it_is_done(void) {
    MPI_Comm communicator;
    MPI_Datatype pair;
    MPI_Op larger;
    MPI_Request requests[2];
    long long own[2] = {session.rank, -session.rank}, result[2] = {-1, -1};
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Type_contiguous(2, MPI_LONG_LONG, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(larger_of_pairs, 1, &larger);
    MPI_Iallreduce(own, result, 1, pair, larger, communicator, &requests[0]);
    MPI_Ibarrier(communicator, &requests[1]);
    MPI_Op_free(&larger);
    MPI_Type_free(&pair);
    MPI_Comm_free(&communicator);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check(result[0] == session.ranks - 1 && result[1] == 0, "wrong result where all was freed: %lld, %lld", result[0],
          result[1]);
}

/* Rank 0 alone has begun, so that its request cannot be done: MPI allows neither to cancel nor to free it. */
static void cancelled(void) {
    MPI_Request request;
    MPI_Comm communicator = begin_returning_errors();
    int go = 1;
    if (session.rank == 0) {
        MPI_Ibarrier(communicator, &request);
        check_cannot_be_ended(request, "a collective");
        for (int rank = 1; rank < session.ranks; rank++) MPI_Send(&go, 1, MPI_INT, rank, 6, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibarrier(communicator, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_returning_errors(&communicator);
}

/* A nonblocking call must not wait for others: all but rank 0 begin theirs only once they have its message. */
static void does_not_wait(void) {
    MPI_Comm communicator;
    MPI_Request request;
    int go = 1, one = 1, all = 0;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -session.rank, &communicator); /* its first collective */
    if (session.rank == 0) {
        MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, communicator, &request);
        for (int rank = 1; rank < session.ranks; rank++) MPI_Send(&go, 1, MPI_INT, rank, 6, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, communicator, &request);
    }
    MPI_Barrier(communicator); /* blocking, while the first call is under way */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(all == session.ranks, "the first call of a communicator: %d of %d ranks", all, session.ranks);
    MPI_Comm_free(&communicator);
}

/* ---- several threads -----------------------------------------------------------------------------------------------
 */

struct worker {
    pthread_t thread;
    MPI_Comm communicator;
    int number, rounds;
};

static void* work(void* argument) {
    const struct worker* worker = argument;
    enum { AT_ONCE = 8 };
    struct request_call calls[AT_ONCE];
    MPI_Request requests[AT_ONCE];
    for (int round = 0; round < worker->rounds; round++) {
        for (int i = 0; i < AT_ONCE; i++) {
            const int salt = 1000 * worker->number + 10 * round + i;
            make_call(&calls[i], (enum kind)(salt % KINDS), worker->communicator, i % 3 ? 5 : 700, salt);
            start_nonblocking(&calls[i], &requests[i]);
        }
        for (int left = AT_ONCE; left > 0; left--) {
            int number = 0;
            MPI_Waitany(AT_ONCE, requests, &number, MPI_STATUS_IGNORE);
            check_result(&calls[number], "in one of several threads");
            free_call(&calls[number]);
        }
    }
    return NULL;
}

static void in_threads(int rounds) {
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.number = i, .rounds = rounds};
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? -session.rank : session.rank, &workers[i].communicator);
    }
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "a thread cannot be started");
    for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) MPI_Comm_free(&workers[i].communicator);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_MULTIPLE);
    open_request_counters();
    const int rounds = session.scale == SCALE_FULL ? 40 : session.scale == SCALE_SHORT ? 8 : 3;
    MPI_Comm communicators[COMMUNICATORS] = {MPI_COMM_WORLD};
    MPI_Comm_split(MPI_COMM_WORLD, 0, -session.rank, &communicators[1]);
    MPI_Comm_split(MPI_COMM_WORLD, session.rank % 2, session.rank, &communicators[2]);
    MPI_Comm_split(MPI_COMM_WORLD, session.rank < session.ranks / 2, -session.rank, &communicators[3]);
    for (int round = 0; round < rounds; round++) many_at_once(communicators, round);
    for (int i = 1; i < COMMUNICATORS; i++) MPI_Comm_free(&communicators[i]);
    does_not_wait();
    if (session.expectation != EXPECT_ASIDE) freed_before_it_is_done();
    cancelled();
    in_threads(rounds);
    check_request_counters((unsigned)(20 * rounds));
    return session_finish("requests");
}
