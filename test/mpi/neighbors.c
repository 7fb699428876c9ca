/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls to the neighbours of Cartesian communicators: boxes of all ranks and of the first 1, 2, 3, ..., in one to three
 * dimensions, periodic or not, also those in which a rank is its own neighbour, or twice that of another. With
 * --info cart=4p,4p that communicator alone.
 */
#include "test/mpi/neighbor_calls.h"
#include "test/mpi/session.h"

static void test_call(enum collective collective, const struct cartesian* cartesian, int numbers, int salt) {
    const bool equal = collective == NEIGHBOR_ALLGATHER || collective == NEIGHBOR_ALLTOALL;
    int ranks;
    MPI_Comm_size(cartesian->communicator, &ranks);
    struct neighbor_call call;
    neighbor_call_new(&call, collective, cartesian, numbers, salt);
    const struct counters before = counters_read();
    for (int time = 0; time < 2; time++) {
        neighbor_call_clear(&call);
        neighbor_call_run(&call);
        neighbor_call_check(&call, time == 0 ? "once" : "again");
    }
    if (session.expectation == EXPECT_MIXED) {
        /* Where calls are passed on, they do not come through the component any more after the first one. */
        const unsigned long long runs = counters_read().runs[collective] - before.runs[collective];
        check(runs == 0 || runs == 2, "%s on %s: %llu of 2 calls are served", collective_names[collective],
              cartesian->text, runs);
    } else {
        const bool nothing = ranks == 1 || (equal && numbers == 0);
        counters_check(&before, collective, 2, nothing ? DUTY_NOBODY : DUTY_COMPONENT, cartesian->text);
    }
    neighbor_call_free(&call);
}

static void test_cartesian(int dimensions, const int* sizes, const int* periods, int turn) {
    static const int numbers[] = {2, 0, 1, 5, 6, 999, 40000};
    struct cartesian cartesian;
    if (!cartesian_new(&cartesian, dimensions, sizes, periods)) return;
    const int sizes_to_try = session.scale == SCALE_FULL || session.info[0] != '\0' ? 7 : 3;
    for (int kind = 0; kind < NEIGHBOR_KINDS; kind++) {
        for (int n = 0; n < sizes_to_try; n++, turn++) {
            const int which = sizes_to_try == 7 ? n : (turn + n * 3) % 7;
            test_call(neighbor_kinds[kind], &cartesian, numbers[which], turn % 9);
        }
    }
    cartesian_free(&cartesian);
}

/* All combinations of periods; in the shorter forms some. */
static void test_box(int dimensions, const int* sizes) {
    static unsigned turn = 0;
    const unsigned all = 1u << dimensions;
    const unsigned tried = session.scale == SCALE_SAMPLE ? 1 : session.scale == SCALE_SHORT ? 2 : all;
    for (unsigned i = 0; i < tried && i < all; i++, turn++) {
        const unsigned bits = session.scale == SCALE_FULL ? i : (turn * 5 + 3) % all;
        int periods[MOST_DIMENSIONS];
        for (int d = 0; d < dimensions; d++) periods[d] = bits >> d & 1u;
        test_cartesian(dimensions, sizes, periods, (int)turn);
    }
}

/* Boxes of so many ranks, with dimensions of one among them. All ranks of MPI_COMM_WORLD take part. */
static void test_boxes_of(int ranks) {
    for (int first = 1; first <= ranks; first++) {
        if (ranks % first != 0) continue;
        const int rest = ranks / first;
        test_box(2, (int[]){first, rest});
        for (int second = 1; second <= rest; second++)
            if (rest % second == 0) test_box(3, (int[]){first, second, rest / second});
    }
    test_box(1, &ranks);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    forms_new();
    struct box box;
    if (box_described(session.info, &box)) {
        test_cartesian(box.dimensions, box.sizes, box.periods, 0);
    } else {
        const int first = session.scale == SCALE_FULL ? 1 : session.ranks;
        for (int ranks = first; ranks <= session.ranks; ranks++) test_boxes_of(ranks);
    }
    forms_free();
    counters_close();
    return session_finish("neighbors");
}
