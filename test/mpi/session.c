/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/session.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_FAILURES = 3 };

struct session session;

static atomic_llong checks, failures;
static const char* program_in_turn; /* NULL: the only one */
static bool others_to_follow;

static void stop_with_usage(const char* argument) {
    if (session.rank == 0)
        fprintf(
            stderr,
            "unknown option \"%s\"; use [--sample | --short | --full] [--component runs | mixed | aside] [--bytes N] "
            "[--memory used | unused | either] [--info [set:]KEY=VALUE]\n",
            argument);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void read_options(int argc, char** argv) {
    session = (struct session){.rank = session.rank, .ranks = session.ranks, .scale = SCALE_SHORT, .info = ""};
    for (int i = 1; i < argc; i++) {
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--sample") == 0) {
            session.scale = SCALE_SAMPLE;
        } else if (strcmp(argv[i], "--short") == 0) {
            session.scale = SCALE_SHORT;
        } else if (strcmp(argv[i], "--full") == 0) {
            session.scale = SCALE_FULL;
        } else if (strcmp(argv[i], "--bytes") == 0 && atoll(value) > 0) {
            session.bytes = (size_t)atoll(value);
            i++;
        } else if (strcmp(argv[i], "--info") == 0) {
            session.info = value;
            i++;
        } else if (strcmp(argv[i], "--memory") == 0) {
            if (strcmp(value, "used") == 0)
                session.memory = MEMORY_USED;
            else if (strcmp(value, "unused") == 0)
                session.memory = MEMORY_UNUSED;
            else if (strcmp(value, "either") != 0)
                stop_with_usage(value);
            i++;
        } else if (strcmp(argv[i], "--component") == 0) {
            if (strcmp(value, "runs") == 0)
                session.expectation = EXPECT_RUNS;
            else if (strcmp(value, "mixed") == 0)
                session.expectation = EXPECT_MIXED;
            else if (strcmp(value, "aside") == 0)
                session.expectation = EXPECT_ASIDE;
            else
                stop_with_usage(value);
            i++;
        } else {
            stop_with_usage(argv[i]);
        }
    }
}

void session_start(int* argc, char*** argv, int thread_level) {
    int provided = MPI_THREAD_SINGLE, already;
    checks = failures = 0;
    MPI_Initialized(&already);
    if (already)
        MPI_Query_thread(&provided);
    else if (thread_level == MPI_THREAD_SINGLE)
        MPI_Init(argc, argv);
    else
        MPI_Init_thread(argc, argv, thread_level, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &session.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &session.ranks);
    read_options(*argc, *argv);
    if (provided < thread_level) {
        if (session.rank == 0) fprintf(stderr, "this Open MPI does not support the thread level the test needs\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

bool check(bool condition, const char* format, ...) {
    atomic_fetch_add(&checks, 1);
    if (condition) return true;
    if (atomic_fetch_add(&failures, 1) < SHOWN_FAILURES) {
        char text[512];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        fprintf(stderr, "rank %d of %d: FAILED: %s%s%s\n", session.rank, session.ranks,
                program_in_turn ? program_in_turn : "", program_in_turn ? ": " : "", text);
    }
    return false;
}

void session_in_turn(const char* program, bool others_follow) {
    program_in_turn = program;
    others_to_follow = others_follow;
}

int session_finish(const char* program) {
    return session_finish_on(program, MPI_COMM_WORLD);
}

int session_finish_on(const char* program, MPI_Comm communicator) {
    long long total[2] = {checks, failures};
    int rank, ranks;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    if (rank == 0) {
        for (int peer = 1; peer < ranks; peer++) {
            long long theirs[2];
            MPI_Recv(theirs, 2, MPI_LONG_LONG, peer, 0, communicator, MPI_STATUS_IGNORE);
            total[0] += theirs[0];
            total[1] += theirs[1];
        }
        for (int peer = 1; peer < ranks; peer++) MPI_Send(total, 2, MPI_LONG_LONG, peer, 1, communicator);
        printf("%s: %lld checks on %d ranks, %lld failed\n", program, total[0], ranks, total[1]);
        fflush(stdout);
    } else {
        MPI_Send(total, 2, MPI_LONG_LONG, 0, 0, communicator);
        MPI_Recv(total, 2, MPI_LONG_LONG, 0, 1, communicator, MPI_STATUS_IGNORE);
    }
    if (!others_to_follow) MPI_Finalize();
    return total[0] > 0 && total[1] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
