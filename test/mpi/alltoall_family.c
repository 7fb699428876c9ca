/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alltoall, alltoallv and alltoallw: patterns of counts x sizes x datatypes, which differ from rank to rank and in
 * alltoallw from piece to piece, in place or not. Buffers are compared byte for byte with what each rank computes.
 */
#include "test/mpi/counters.h"
#include "test/mpi/descriptions.h"
#include "test/mpi/pieces.h"
#include "test/mpi/session.h"

#include <stdio.h>

/* How many numbers go from one rank to another, as multiples of a size. */
struct pattern {
    const char* name;
    int (*units)(int from, int to);
};

static int uniform(int from, int to) {
    (void)from, (void)to;
    return 1;
}
static int nothing(int from, int to) {
    (void)from, (void)to;
    return 0;
}
static int random_counts(int from, int to) {
    const uint64_t value = mix((uint64_t)from + 1, (uint64_t)to);
    return value % 3 == 0 ? 0 : (int)(value / 3 % 7);
}
static int to_the_next_only(int from, int to) {
    return to == (from + 1) % session.ranks ? 2 : 0;
}
static int upwards_only(int from, int to) {
    return from <= to ? 1 + (to - from) % 4 : 0;
}
static int to_and_from_one(int from, int to) {
    return from == session.ranks / 2 || to == session.ranks / 2 ? 1 : 0;
}
static int one_large(int from, int to) {
    return from == 0 && to == session.ranks - 1 ? 60 : (from + to) % 2;
}

enum { PATTERNS = 7, SIZES = 3 };
static const struct pattern patterns[PATTERNS] = {
    {"equal counts", uniform},        {"no data", nothing},
    {"random counts", random_counts}, {"to the next rank only", to_the_next_only},
    {"upwards only", upwards_only},   {"to and from one rank", to_and_from_one},
    {"one large message", one_large},
};
/* In numbers: 48 bytes, 1200 bytes, and 24 KB, above the eager limit of shared memory. */
static const int sizes[SIZES] = {UNIT, 25 * UNIT, 500 * UNIT};

struct call {
    enum collective collective;
    const struct pattern* pattern;
    int size;
    bool in_place;
    int shift; /* of the descriptions */
    char text[200];
};

/* In place, what a rank sends to another is as much as it receives from it. */
static int numbers_between(const struct call* call, int from, int to) {
    if (call->in_place && from > to) return call->pattern->units(to, from) * call->size;
    return call->pattern->units(from, to) * call->size;
}

static long long first_number(int from, int to) {
    return (long long)(from * session.ranks + to) * 1000003;
}

/* Alltoall and alltoallv have one type for all pieces. */
static const struct description* described(const struct call* call, const struct description* table, int peer,
                                           bool receives) {
    const int turn = session.rank + call->shift + (receives ? 1 + call->shift / DESCRIPTIONS : 0);
    return &table[(turn + (call->collective == ALLTOALLW ? 3 * peer : 0)) % DESCRIPTIONS];
}

static void describe(struct pieces* pieces, const struct call* call, const struct description* table, bool receives) {
    for (int peer = 0; peer < session.ranks; peer++) {
        const int numbers =
            receives ? numbers_between(call, peer, session.rank) : numbers_between(call, session.rank, peer);
        pieces_describe(pieces, peer, described(call, table, peer, receives), numbers);
    }
    if (call->collective == ALLTOALL) pieces_place_in_a_row(pieces, session.ranks);
    if (call->collective == ALLTOALLV) pieces_place_in_extents(pieces, session.ranks);
    if (call->collective == ALLTOALLW) pieces_place_in_bytes(pieces, session.ranks);
}

static void run(const struct call* call, const void* send_buffer, const struct pieces* send, void* receive_buffer,
                const struct pieces* receive) {
    if (call->collective == ALLTOALL)
        MPI_Alltoall(send_buffer, send->counts[0], send->types[0], receive_buffer, receive->counts[0],
                     receive->types[0], MPI_COMM_WORLD);
    if (call->collective == ALLTOALLV)
        MPI_Alltoallv(send_buffer, send->counts, send->displacements, send->types[0], receive_buffer, receive->counts,
                      receive->displacements, receive->types[0], MPI_COMM_WORLD);
    if (call->collective == ALLTOALLW)
        MPI_Alltoallw(send_buffer, send->counts, send->displacements, send->types, receive_buffer, receive->counts,
                      receive->displacements, receive->types, MPI_COMM_WORLD);
}

static void test(const struct call* call, const struct description* table) {
    struct pieces send, receive;
    describe(&receive, call, table, true);
    describe(&send, call, table, false);
    struct guarded input = pieces_memory(&send), sent = pieces_memory(&send);
    struct guarded output = pieces_memory(&receive), expected = pieces_memory(&receive);
    for (int peer = 0; peer < session.ranks; peer++) {
        pieces_write(&send, peer, &input, first_number(session.rank, peer));
        pieces_write(&send, peer, &sent, first_number(session.rank, peer));
        if (call->in_place) pieces_write(&receive, peer, &output, first_number(session.rank, peer));
        pieces_write(&receive, peer, &expected, first_number(peer, session.rank));
    }
    const struct counters before = counters_read();
    run(call, call->in_place ? MPI_IN_PLACE : input.data + send.before, &send, output.data + receive.before, &receive);
    counters_check(&before, call->collective, 1, session.ranks > 1 ? DUTY_COMPONENT : DUTY_NOBODY, call->text);
    check_memory(&output, &expected, call->collective, "receive buffer", call->text);
    check_memory(&input, &sent, call->collective, "send buffer", call->text);
}

/* Some other components do not support unequal descriptions in alltoall. The one that Open MPI 4.1 has for a single
 * rank takes displacements of alltoallw for extents. */
static bool is_tested(const struct call* call) {
    if (call->collective == ALLTOALLW && session.ranks == 1) return false;
    return call->collective != ALLTOALL || call->pattern->units == uniform;
}

int main(int argc, char** argv) {
    static const enum collective family[] = {ALLTOALL, ALLTOALLV, ALLTOALLW};
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    if (session.ranks > MOST_PIECES) {
        fprintf(stderr, "at most %d ranks\n", MOST_PIECES);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    counters_open();
    struct description table[DESCRIPTIONS];
    descriptions_new(table);
    int number = 0;
    for (int c = 0; c < 3; c++)
        for (int p = 0; p < PATTERNS; p++)
            for (int s = 0; s < SIZES; s++)
                for (int in_place = 0; in_place < 2; in_place++)
                    for (int shift = number % 7; shift < DESCRIPTIONS * DESCRIPTIONS;
                         shift += session.scale == SCALE_FULL ? 7 : 31, number++) {
                        struct call call = {family[c], &patterns[p], sizes[s], in_place == 1, shift, ""};
                        snprintf(call.text, sizeof call.text, "of %s, %d numbers, types %d%s", call.pattern->name,
                                 call.size, shift, in_place ? ", in place" : "");
                        if (is_tested(&call) && (session.scale != SCALE_SAMPLE || number % 3 == 0)) test(&call, table);
                    }
    descriptions_free(table);
    counters_close();
    return session_finish("alltoall_family");
}
