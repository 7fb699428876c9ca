/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * failures WHAT [OPTION...]: a communicator is revoked, or the last process of it is killed, while the others are in
 * its collectives. All of them return with an error; the survivors shrink it and go on. WHAT is
 *   revoke     by the first rank, which does not take part in the last call
 *   kill       between calls
 *   kill-first before the first call on a communicator, in which ranks agree
 * Exit status 77 where Open MPI has no such functions.
 */
#include "test/mpi/all_collectives.h"
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <mpi-ext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OMPI_HAVE_MPI_EXT_FTMPI

enum { LENGTH = 100000, TIMES = 20 };
static double vector[LENGTH], sum[LENGTH];

/* For those who must find out where a job has stopped: shown if it fails. */
static void tell(const char* phase) {
    fprintf(stderr, "rank %d: %s\n", session.rank, phase);
}

static int class_of(int error) {
    int class = MPI_SUCCESS;
    MPI_Error_class(error, &class);
    return class;
}

/* Calls of all kinds until one ends with an error; its class. */
static int call_until_error(MPI_Comm communicator) {
    const int sizes[] = {1, 1000, LENGTH};
    int error = MPI_SUCCESS;
    for (int time = 0; error == MPI_SUCCESS; time++) {
        const int length = sizes[time % 3];
        error = MPI_Allreduce(vector, sum, length, MPI_DOUBLE, MPI_SUM, communicator);
        if (error == MPI_SUCCESS) error = MPI_Bcast(sum, length, MPI_DOUBLE, time % 2, communicator);
        if (error == MPI_SUCCESS) error = MPI_Barrier(communicator);
    }
    return class_of(error);
}

static void call(MPI_Comm communicator, int times) {
    for (int time = 0; time < times; time++) {
        MPI_Allreduce(vector, sum, LENGTH, MPI_DOUBLE, MPI_SUM, communicator);
        MPI_Bcast(sum, LENGTH, MPI_DOUBLE, time % 2, communicator);
        MPI_Barrier(communicator);
    }
}

static void fail(const char* what, MPI_Comm communicator) {
    const bool is_last = session.rank == session.ranks - 1;
    call(communicator, strcmp(what, "kill-first") == 0 ? 0 : TIMES);
    if (strcmp(what, "revoke") != 0) {
        if (is_last) raise(SIGKILL);
        tell("calls until one fails");
        const int class = call_until_error(communicator);
        check(class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_REVOKED, "a process was killed: error class %d",
              class);
        MPIX_Comm_revoke(communicator);
    } else if (session.rank == 0) {
        MPIX_Comm_revoke(communicator);
    } else {
        const int class = call_until_error(communicator);
        check(class == MPIX_ERR_REVOKED, "it was revoked: error class %d", class);
    }
}

int main(int argc, char** argv) {
    const char* const what = argc > 1 ? argv[1] : "";
    MPI_Comm communicator, left;
    int ranks;
    argc--;
    argv++;
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    fail(what, communicator);
    tell("shrinks");
    MPIX_Comm_shrink(communicator, &left);
    tell("goes on");
    MPI_Comm_size(left, &ranks);
    check(ranks == session.ranks - (strcmp(what, "revoke") != 0), "%d ranks are left", ranks);
    for (int salt = 0; salt < 3; salt++) all_collectives_counted(left, 1 + 100 * salt, salt, "of those that are left");
    counters_close();
    tell("ends");
    return session_finish_on("failures", left);
}

#else

int main(void) {
    fprintf(stderr, "skipped: this Open MPI has no MPIX_Comm_revoke\n");
    return 77;
}

#endif
