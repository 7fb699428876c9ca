/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives with requests, nonblocking and persistent ones, whose results every rank can check by itself.
 */
#ifndef COLL_TOPO_TEST_MPI_REQUEST_CALLS_H
#define COLL_TOPO_TEST_MPI_REQUEST_CALLS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum kind {
    SUM,
    LAST_SUM,
    PREFIX,
    PREFIX_BEFORE,
    PART,
    PARTS,
    GATHERED,
    GATHERED_V,
    SPREAD,
    COLLECTED,
    DEALT,
    COLLECTED_V,
    DEALT_V,
    EXCHANGED,
    EXCHANGED_V,
    EXCHANGED_W,
    ENTERED,
    KINDS
};

/* How elements lie in memory: one behind the other, with gaps, or downwards, so that they must be packed. */
enum layout { PLAIN, GAPS, DOWNWARDS, LAYOUTS };

struct request_call {
    enum kind kind;
    MPI_Comm communicator;
    int rank, ranks, root, count, salt; /* count: elements of a piece */
    enum layout layout;
    bool in_place;
    MPI_Datatype type;
    MPI_Op sum;
    long long *sent, *received; /* element 0 */
    void* memory;
    int *pieces, *begins, *byte_begins;
    MPI_Datatype* types;
};

/* Everything of it follows from the arguments, which are the same on all ranks. */
void make_call(struct request_call* call, enum kind kind, MPI_Comm communicator, int count, int salt);
void make_call_of(struct request_call* call, enum kind kind, MPI_Comm communicator, int count, int salt,
                  enum layout layout, bool in_place);
/* Puts this rank's data where it must be before a call, by another salt. */
void fill_call(struct request_call* call, int salt);
/* The send buffer for MPI: ranks but the root of a reduce or gather always send from their own memory. */
const void* sent_by(const struct request_call* call);
/* And the other one: the root of a scatter in place receives nothing. */
void* received_by(const struct request_call* call);
void start_nonblocking(struct request_call* call, MPI_Request* request);
/* Makes a persistent request. */
void init_persistent(struct request_call* call, MPI_Request* request);
void check_result(const struct request_call* call, const char* what);
void free_call(struct request_call* call);

/* A communicator of its own, on which errors are returned from now on, as on MPI_COMM_WORLD, and the end of that. */
MPI_Comm begin_returning_errors(void);
void end_returning_errors(MPI_Comm* communicator);
/* That an active request of a collective can be neither cancelled nor freed. Errors are returned. */
void check_cannot_be_ended(MPI_Request request, const char* what);

/* A function for operations on pairs of long long: the larger of each. */
void larger_of_pairs(void* left, void* right, int* count, MPI_Datatype* type);

/* A number below `below`, and the next state. */
unsigned draw(uint64_t* state, unsigned below);

#endif
