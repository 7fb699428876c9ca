/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frame of every MPI test program: options, checks, and an outcome that all ranks agree on.
 * Nothing here uses a collective, so that the tests do not rest on what they test.
 */
#ifndef COLL_TOPO_TEST_MPI_SESSION_H
#define COLL_TOPO_TEST_MPI_SESSION_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much to do: one case out of several, every kind of case once, or everything. */
enum scale { SCALE_SAMPLE, SCALE_SHORT, SCALE_FULL };

/* What the component is expected to do with the calls that it can serve. */
enum expectation {
    EXPECT_RUNS,  /* it runs all of them */
    EXPECT_MIXED, /* it runs them or passes them to the previous module, each exactly once (--component mixed) */
    EXPECT_ASIDE  /* it has no part in any of them: absent, or stepped aside (--component aside) */
};

/* Whether messages of requests are to go through the memory of the host (--memory used, --memory unused). */
enum memory_expectation { MEMORY_EITHER, MEMORY_USED, MEMORY_UNUSED };

struct session {
    int rank, ranks; /* in MPI_COMM_WORLD */
    enum scale scale;
    enum expectation expectation;
    enum memory_expectation memory;
    size_t bytes;     /* --bytes N: size of the data, where a program has one */
    const char* info; /* --info KEY=VALUE or --info set:KEY=VALUE: given to a communicator, or set later */
};
extern struct session session;

/* The name of main in a program that is also run by test/mpi/in_turn. */
#ifdef IN_TURN
#define PROGRAM(name) name
#else
#define PROGRAM(name) main
#endif

/* Initialises MPI with the thread level asked for, unless a program before has, and reads the options; ends the job if
 * they are wrong. */
void session_start(int* argc, char*** argv, int thread_level);
/* The program is one of several in this job: failures say which, and session_finish leaves MPI to those that follow. */
void session_in_turn(const char* program, bool others_follow);
/* Adds up the outcome of all ranks, prints it on rank 0 and finalises MPI. The exit status, the same on all ranks. */
int session_finish(const char* program);
/* The same for the ranks of a communicator, which are those that are left. */
int session_finish_on(const char* program, MPI_Comm communicator);

/* Counts a check; prints the first failures of each rank. Thread safe. Returns `condition`. */
bool check(bool condition, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Data that looks random but is the same everywhere: a hash of two numbers. */
static inline uint64_t mix(uint64_t first, uint64_t second) {
    uint64_t x = first * 0x9e3779b97f4a7c15u + second + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

#endif
