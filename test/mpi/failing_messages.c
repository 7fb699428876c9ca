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
static MPI_Datatype gaps, columns, types[MOST_RANKS];
static MPI_Op operation;

static void combine_nothing(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)in, (void)inout, (void)length, (void)type;
}

static int allreduce(const void* send) {
    return MPI_Allreduce(send, output, ELEMENTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static int allreduce_gaps(const void* send) {
    return MPI_Allreduce(send, output, ELEMENTS, gaps, operation, MPI_COMM_WORLD);
}
static int allreduce_columns(const void* send) {
    return MPI_Allreduce(send, output, ELEMENTS, columns, operation, MPI_COMM_WORLD);
}
static int reduce(const void* send) {
    if (session.rank != 1) send = input;
    return MPI_Reduce(send, output, ELEMENTS, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
}
static int reduce_scatter(const void* send) {
    return MPI_Reduce_scatter(send, output, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static int reduce_scatter_columns(const void* send) {
    return MPI_Reduce_scatter(send, output, counts, columns, operation, MPI_COMM_WORLD);
}
static int reduce_scatter_block(const void* send) {
    return MPI_Reduce_scatter_block(send, output, ELEMENTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static int allgather(const void* send) {
    return MPI_Allgather(send, ELEMENTS, MPI_DOUBLE, output, ELEMENTS, MPI_DOUBLE, MPI_COMM_WORLD);
}
static int allgather_gaps(const void* send) {
    return MPI_Allgather(send, ELEMENTS, gaps, output, ELEMENTS, gaps, MPI_COMM_WORLD);
}
static int bcast(const void* send) {
    (void)send;
    return MPI_Bcast(output, ELEMENTS, gaps, 1, MPI_COMM_WORLD);
}
static int alltoall(const void* send) {
    return MPI_Alltoall(send, ELEMENTS, MPI_DOUBLE, output, ELEMENTS, MPI_DOUBLE, MPI_COMM_WORLD);
}
static int alltoall_gaps(const void* send) {
    return MPI_Alltoall(send, ELEMENTS, gaps, output, ELEMENTS, gaps, MPI_COMM_WORLD);
}
static int alltoallv(const void* send) {
    return MPI_Alltoallv(send, counts, displacements, gaps, output, counts, displacements, gaps, MPI_COMM_WORLD);
}
static int alltoallw(const void* send) {
    return MPI_Alltoallw(send, counts, byte_displacements, types, output, counts, byte_displacements, types,
                         MPI_COMM_WORLD);
}
static int barrier(const void* send) {
    (void)send;
    return MPI_Barrier(MPI_COMM_WORLD);
}

static const struct call {
    const char* name;
    enum collective collective;
    int (*run)(const void* send);
} calls[] = {{"allreduce", ALLREDUCE, allreduce},
             {"allreduce with gaps", ALLREDUCE, allreduce_gaps},
             {"allreduce of columns", ALLREDUCE, allreduce_columns},
             {"reduce", REDUCE, reduce},
             {"reduce_scatter", REDUCE_SCATTER, reduce_scatter},
             {"reduce_scatter of columns", REDUCE_SCATTER, reduce_scatter_columns},
             {"reduce_scatter_block", REDUCE_SCATTER_BLOCK, reduce_scatter_block},
             {"allgather", ALLGATHER, allgather},
             {"allgather with gaps", ALLGATHER, allgather_gaps},
             {"bcast with gaps", BCAST, bcast},
             {"alltoall", ALLTOALL, alltoall},
             {"alltoall with gaps", ALLTOALL, alltoall_gaps},
             {"alltoallv with gaps", ALLTOALLV, alltoallv},
             {"alltoallw with gaps", ALLTOALLW, alltoallw},
             {"barrier", BARRIER, barrier}};

/* How many events there were. */
static int try(const struct call* call, bool in_place, int nth) {
    const char* how = in_place ? ", in place" : "";
    const struct counters before = counters_read();
    fake_messages_begin(nth);
    const int error = call->run(in_place ? MPI_IN_PLACE : (void*)input);
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
    gaps = type_of(2, 2, 4);
    columns = type_of(2, NUMBERS, 1);
    MPI_Op_create(combine_nothing, 1, &operation);
    for (int rank = 0, at = 0; rank < session.ranks; at += counts[rank++]) {
        counts[rank] = (rank + session.rank) % 3 * 2;
        displacements[rank] = at;
        byte_displacements[rank] = at * 4 * (int)sizeof(double);
        types[rank] = gaps;
    }
    /* The ranks decide together, and with Open MPI's messages, that the component serves them. */
    all_collectives(MPI_COMM_WORLD, ELEMENTS, 0, "as usual");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        for (int in_place = 0; in_place < 2; in_place++) {
            const int events = try(&calls[c], in_place != 0, -1);
            check(events > 0, "%s: no message", calls[c].name);
            for (int nth = 0; nth < events; nth++) try(&calls[c], in_place != 0, nth);
            try(&calls[c], in_place != 0, -1);
        }
    MPI_Op_free(&operation);
    MPI_Type_free(&gaps);
    MPI_Type_free(&columns);
    counters_close();
    return session_finish("failing_messages");
}
