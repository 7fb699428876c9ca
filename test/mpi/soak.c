/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators come and go for a given time, with every collective on them, in one thread and in several, with
 * requests pending while they are freed. Results are checked; memory and descriptors must not grow once all has been
 * seen.
 *
 *   soak --seconds N [--seed N] [--killed-at N]    --killed-at: the last rank kills itself in that round
 */
#include "test/mpi/all_collectives.h"
#include "test/mpi/footprint.h"
#include "test/mpi/session.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POOL = 6, THREADS = 3, LONGEST = 3000, ROUNDS_PER_SAMPLE = 20 };

static struct {
    uint64_t seed;
    double seconds;
    long killed_at;
} options = {1, 10, -1};

/* The n-th draw of a round, below `limit`; the same on all ranks. */
static int draw(long round, int n, int limit) {
    return (int)(mix(options.seed * 1000 + (uint64_t)n, (uint64_t)round) % (uint64_t)limit);
}

static MPI_Comm of_group(long round) {
    MPI_Group world, part;
    MPI_Comm communicator = MPI_COMM_NULL;
    int first = draw(round, 2, session.ranks), place;
    int range[3] = {first, draw(round, 3, 2) ? session.ranks - 1 : 0, 0};
    range[2] = range[1] >= first ? 1 + draw(round, 4, 2) : -1 - draw(round, 4, 2);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, &range, &part);
    MPI_Group_rank(part, &place);
    if (place != MPI_UNDEFINED) MPI_Comm_create_group(MPI_COMM_WORLD, part, (int)(round % 1000), &communicator);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
    return communicator;
}

static MPI_Comm new_communicator(long round) {
    MPI_Comm communicator = MPI_COMM_NULL;
    const int colours = 1 + draw(round, 2, 4);
    switch (draw(round, 1, 4)) {
        case 0:
            MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
            break;
        case 1:
            MPI_Comm_split(MPI_COMM_WORLD, session.rank % colours, session.rank, &communicator);
            break;
        case 2:
            MPI_Comm_split(MPI_COMM_WORLD, (int)(mix(options.seed, (uint64_t)session.rank) % (uint64_t)colours),
                           -session.rank, &communicator);
            break;
        default:
            communicator = of_group(round);
    }
    return communicator;
}

/* Frees it while a message to the next rank and a nonblocking collective are under way. */
static void free_with_requests(MPI_Comm* communicator) {
    int rank, ranks, sent, received = -1, total = -1;
    MPI_Request requests[3];
    MPI_Comm_rank(*communicator, &rank);
    MPI_Comm_size(*communicator, &ranks);
    sent = rank;
    MPI_Irecv(&received, 1, MPI_INT, (rank + ranks - 1) % ranks, 5, *communicator, &requests[0]);
    MPI_Iallreduce(&sent, &total, 1, MPI_INT, MPI_SUM, *communicator, &requests[1]);
    all_collectives(*communicator, 1 + rank / ranks, 5, "while requests are pending");
    MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % ranks, 5, *communicator, &requests[2]);
    MPI_Comm_free(communicator);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    check(received == (rank + ranks - 1) % ranks, "a message pending at MPI_Comm_free brings %d", received);
    check(total == ranks * (ranks - 1) / 2, "a nonblocking allreduce pending at MPI_Comm_free gives %d", total);
}

struct worker {
    pthread_t thread;
    MPI_Comm communicator;
    int count, salt;
};

static void* work(void* argument) {
    const struct worker* worker = argument;
    for (int i = 0; i < 3; i++) all_collectives(worker->communicator, worker->count, worker->salt + i, "in threads");
    return NULL;
}

static void run_threads(long round) {
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.count = 1 + draw(round, 10 + i, LONGEST), .salt = draw(round, 20 + i, 100)};
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].communicator);
    }
    for (int i = 0; i < THREADS; i++) pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) MPI_Comm_free(&workers[i].communicator);
}

/* Replaces one communicator of the pool, and uses another. */
static void run_round(long round, MPI_Comm pool[POOL]) {
    MPI_Comm* const replaced = &pool[draw(round, 0, POOL)];
    if (round == options.killed_at && session.rank == session.ranks - 1) raise(SIGKILL);
    if (*replaced != MPI_COMM_NULL) {
        if (draw(round, 5, 3) == 0)
            free_with_requests(replaced);
        else
            MPI_Comm_free(replaced);
    }
    *replaced = new_communicator(round);
    for (int i = draw(round, 6, 3); i >= 0; i--) {
        const MPI_Comm used = pool[draw(round, 7 + i, POOL)];
        const int count = draw(round, 30 + i, 4) == 0 ? draw(round, 40 + i, LONGEST) : draw(round, 40 + i, 20);
        if (used != MPI_COMM_NULL) all_collectives(used, 1 + count, (int)(round % 101), "in the soak");
    }
    if (round % 20 == 7) run_threads(round);
}

static void empty(MPI_Comm pool[POOL]) {
    for (int i = 0; i < POOL; i++)
        if (pool[i] != MPI_COMM_NULL) MPI_Comm_free(&pool[i]);
}

/* Rank 0's clock is that of all. */
static double elapsed(double start) {
    double seconds = MPI_Wtime() - start;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return seconds;
}

/* The footprint without communicators, which are still there or not by chance. */
static struct footprint sample(MPI_Comm pool[POOL]) {
    empty(pool);
    return footprint_now();
}

static void check_growth(const struct footprint* most, const struct footprint* least) {
    check(least->heap_bytes <= most->heap_bytes + most->heap_bytes / 100, "memory in use grew from %zu to %zu bytes",
          most->heap_bytes, least->heap_bytes);
    check(least->private_bytes <= most->private_bytes + most->private_bytes / 100,
          "mapped memory of its own grew from %zu to %zu bytes", most->private_bytes, least->private_bytes);
    check(least->descriptors <= most->descriptors, "open descriptors grew from %d to %d", most->descriptors,
          least->descriptors);
    check(least->mappings <= most->mappings, "shared mappings grew from %d to %d", most->mappings, least->mappings);
}

/* Takes its own options out of the arguments; the session knows the others. */
static void read_own_options(int* argc, char** argv) {
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        const char* value = i + 1 < *argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--seconds") == 0)
            options.seconds = atof(value), i++;
        else if (strcmp(argv[i], "--seed") == 0)
            options.seed = strtoull(value, NULL, 0), i++;
        else if (strcmp(argv[i], "--killed-at") == 0)
            options.killed_at = atol(value), i++;
        else
            argv[kept++] = argv[i];
    }
    *argc = kept;
}

int main(int argc, char** argv) {
    read_own_options(&argc, argv);
    session_start(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm pool[POOL];
    for (int i = 0; i < POOL; i++) pool[i] = MPI_COMM_NULL;

    /* What is warm has seen everything: the most of the second quarter of the time; what grows steadily is more than
     * that even at its least in the last. */
    const double start = MPI_Wtime();
    struct footprint most = {0}, least = {SIZE_MAX, SIZE_MAX, INT_MAX, INT_MAX};
    long round = 0;
    int warm_samples = 0, last_samples = 0;
    for (double part = 0; part < 1; part = elapsed(start) / options.seconds) {
        for (int i = 0; i < ROUNDS_PER_SAMPLE; i++) run_round(round++, pool);
        const struct footprint now = sample(pool);
        if (part >= 0.25 && part < 0.5) {
            most = footprint_most(&most, &now);
            warm_samples++;
        } else if (part >= 0.75) {
            least = footprint_least(&least, &now);
            last_samples++;
        }
    }
    check(warm_samples > 0 && last_samples > 0, "the time is too short for %d rounds in each quarter",
          ROUNDS_PER_SAMPLE);
    if (warm_samples > 0 && last_samples > 0) check_growth(&most, &least);
    if (session.rank == 0)
        printf("soak, seed %llu: %ld rounds in %.0f s; memory in use %zu then %zu, mapped %zu then %zu bytes\n",
               (unsigned long long)options.seed, round, MPI_Wtime() - start, most.heap_bytes, least.heap_bytes,
               most.private_bytes, least.private_bytes);
    return session_finish("soak");
}
