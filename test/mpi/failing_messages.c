/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every message of every collective fails once, when it is posted or when it ends: the call returns the error, posts
 * nothing more, ends each receive once, and leaves none. Each rank is by itself, with messages from nowhere.
 */
#include "test/mpi/all_collectives.h"
#include "test/mpi/counters.h"
#include "test/mpi/fake_messages.h"
#include "test/mpi/session.h"

#include <stdlib.h>

enum { ELEMENTS = 12, MOST_RANKS = 32, NUMBERS = ELEMENTS * MOST_RANKS };

/* Memory that is large enough for all that is called below. */
static double input[4 * NUMBERS], output[4 * NUMBERS];
static int counts[MOST_RANKS], displacements[MOST_RANKS], byte_displacements[MOST_RANKS];
static int gathered[MOST_RANKS], gathered_at[MOST_RANKS]; /* of allgatherv: all ranks know them */

/* What the elements of a call are. */
enum elements { NUMBERS_ALONE, WITH_GAPS, COLUMNS, KINDS };
static MPI_Datatype types[KINDS], types_of_peers[MOST_RANKS];
static MPI_Op operations[KINDS];

static void combine_nothing(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)in, (void)inout, (void)length, (void)type;
}

static const struct call {
    const char* name;
    enum collective collective;
    enum elements elements;
} calls[] = {{"allreduce", ALLREDUCE, NUMBERS_ALONE},
             {"allreduce with gaps", ALLREDUCE, WITH_GAPS},
             {"allreduce of columns", ALLREDUCE, COLUMNS},
             {"reduce", REDUCE, NUMBERS_ALONE},
             {"scan", SCAN, NUMBERS_ALONE},
             {"scan of columns", SCAN, COLUMNS},
             {"exscan", EXSCAN, NUMBERS_ALONE},
             {"exscan of columns", EXSCAN, COLUMNS},
             {"reduce_scatter", REDUCE_SCATTER, NUMBERS_ALONE},
             {"reduce_scatter of columns", REDUCE_SCATTER, COLUMNS},
             {"reduce_scatter_block", REDUCE_SCATTER_BLOCK, NUMBERS_ALONE},
             {"allgather", ALLGATHER, NUMBERS_ALONE},
             {"allgather with gaps", ALLGATHER, WITH_GAPS},
             {"allgatherv", ALLGATHERV, NUMBERS_ALONE},
             {"allgatherv with gaps", ALLGATHERV, WITH_GAPS},
             {"bcast with gaps", BCAST, WITH_GAPS},
             {"gather", GATHER, NUMBERS_ALONE},
             {"gather with gaps", GATHER, WITH_GAPS},
             {"scatter", SCATTER, NUMBERS_ALONE},
             {"scatter with gaps", SCATTER, WITH_GAPS},
             {"alltoall", ALLTOALL, NUMBERS_ALONE},
             {"alltoall with gaps", ALLTOALL, WITH_GAPS},
             {"alltoallv with gaps", ALLTOALLV, WITH_GAPS},
             {"alltoallw with gaps", ALLTOALLW, WITH_GAPS},
             {"barrier", BARRIER, NUMBERS_ALONE}};

static int run(const struct call* call, bool in_place) {
    const void* send = in_place ? MPI_IN_PLACE : (void*)input;
    const MPI_Datatype type = types[call->elements];
    const MPI_Op operation = operations[call->elements];
    const MPI_Comm world = MPI_COMM_WORLD;
    switch (call->collective) {
        case ALLREDUCE:
            return MPI_Allreduce(send, output, ELEMENTS, type, operation, world);
        case REDUCE:
            return MPI_Reduce(session.rank == 1 ? send : input, output, ELEMENTS, type, operation, 1, world);
        case SCAN:
            return MPI_Scan(send, output, ELEMENTS, type, operation, world);
        case EXSCAN:
            return MPI_Exscan(send, output, ELEMENTS, type, operation, world);
        case REDUCE_SCATTER:
            return MPI_Reduce_scatter(send, output, counts, type, operation, world);
        case REDUCE_SCATTER_BLOCK:
            return MPI_Reduce_scatter_block(send, output, ELEMENTS, type, operation, world);
        case ALLGATHER:
            return MPI_Allgather(send, ELEMENTS, type, output, ELEMENTS, type, world);
        case ALLGATHERV:
            return MPI_Allgatherv(send, gathered[session.rank], type, output, gathered, gathered_at, type, world);
        case BCAST:
            return MPI_Bcast(output, ELEMENTS, type, 1, world);
        case GATHER:
            return MPI_Gather(session.rank == 1 ? send : input, ELEMENTS, type, output, ELEMENTS, type, 1, world);
        case SCATTER:
            return MPI_Scatter(input, ELEMENTS, type, in_place && session.rank == 1 ? MPI_IN_PLACE : output, ELEMENTS,
                               type, 1, world);
        case ALLTOALL:
            return MPI_Alltoall(send, ELEMENTS, type, output, ELEMENTS, type, world);
        case ALLTOALLV:
            return MPI_Alltoallv(send, counts, displacements, type, output, counts, displacements, type, world);
        case ALLTOALLW:
            return MPI_Alltoallw(send, counts, byte_displacements, types_of_peers, output, counts, byte_displacements,
                                 types_of_peers, world);
        default:
            return MPI_Barrier(world);
    }
}

/* Messages of the previous module come from nowhere too, but it is not tested here. */
static bool is_left(const struct call* call) {
    const bool scans = call->collective == SCAN || call->collective == EXSCAN;
    return scans && call->elements == NUMBERS_ALONE && scans_may_be_left();
}

/* How many events there were. */
static int try(const struct call* call, bool in_place, int nth) {
    const char* how = in_place ? ", in place" : "";
    const struct counters before = counters_read();
    fake_messages_begin(nth);
    const int error = run(call, in_place);
    const struct fake_outcome outcome = fake_messages_end();
    check(error == (nth < 0 ? MPI_SUCCESS : FAKE_ERROR), "%s%s: event %d fails, and it returns %d", call->name, how,
          nth, error);
    check(outcome.misuse == NULL, "%s%s: event %d fails, and %s", call->name, how, nth, outcome.misuse);
    check(outcome.under_way == 0, "%s%s: event %d fails, and %d receives are left", call->name, how, nth,
          outcome.under_way);
    if (nth < 0) counters_check(&before, call->collective, 1, DUTY_COMPONENT, call->name);
    return outcome.events;
}

static MPI_Datatype type_of(int numbers, ptrdiff_t stride, ptrdiff_t extent) {
    MPI_Datatype raw, type;
    MPI_Type_vector(numbers, 1, (int)stride, MPI_DOUBLE, &raw);
    MPI_Type_create_resized(raw, 0, extent * (ptrdiff_t)sizeof(double), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&raw);
    return type;
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    if (session.ranks > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
    types[NUMBERS_ALONE] = MPI_DOUBLE;
    types[WITH_GAPS] = type_of(2, 2, 4);
    types[COLUMNS] = type_of(2, NUMBERS, 1);
    operations[NUMBERS_ALONE] = MPI_SUM;
    MPI_Op_create(combine_nothing, 1, &operations[WITH_GAPS]);
    operations[COLUMNS] = operations[WITH_GAPS];
    for (int rank = 0, at = 0; rank < session.ranks; at += counts[rank++]) {
        counts[rank] = (rank + session.rank) % 3 * 2;
        displacements[rank] = at;
        gathered[rank] = rank % 3 * 2;
        gathered_at[rank] = ELEMENTS * (session.ranks - 1 - rank);
        byte_displacements[rank] = at * 4 * (int)sizeof(double);
        types_of_peers[rank] = types[WITH_GAPS];
    }
    /* The ranks decide together, and with Open MPI's messages, that the component serves them. */
    all_collectives(MPI_COMM_WORLD, ELEMENTS, 0, "as usual");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        for (int in_place = 0; in_place < (is_left(&calls[c]) ? 0 : 2); in_place++) {
            const int events = try(&calls[c], in_place != 0, -1);
            check(events > 0, "%s: no message", calls[c].name);
            for (int nth = 0; nth < events; nth++) try(&calls[c], in_place != 0, nth);
            try(&calls[c], in_place != 0, -1);
        }
    MPI_Op_free(&operations[WITH_GAPS]);
    MPI_Type_free(&types[WITH_GAPS]);
    MPI_Type_free(&types[COLUMNS]);
    counters_close();
    return session_finish("failing_messages");
}
