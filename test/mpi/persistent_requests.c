/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent collectives: many requests, some of them alike, on communicators that have ranks in common, started again
 * and again in an order of each rank's own, mixed with nonblocking and blocking calls. Then what may happen to such a
 * request: it is never started, started twice, freed too early; its communicator, type and operation are freed.
 */
#include "test/mpi/persistent_lives.h"
#include "test/mpi/request_calls.h"
#include "test/mpi/request_counters.h"
#include "test/mpi/session.h"

enum { REQUESTS = 60, COMMUNICATORS = 3 };

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
