/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gatherv and scatterv of short and long pieces: all short, all long, all but the root's, one of them, every other one,
 * and none at all. Where sizes go directly to the root, these take different ways.
 */
#include "test/mpi/counters.h"
#include "test/mpi/session.h"

#include <stdlib.h>

enum { SHORT = 3, LONG = 2000, GUARD = -7 };
enum pattern { ALL_SHORT, ALL_LONG, ROOT_SHORT, ONE_LONG, ONE_SHORT, EVERY_OTHER, NOTHING, PATTERNS };
static const char* const names[PATTERNS] = {"all short",   "all long", "but the root's long", "one long", "one short",
                                            "every other", "nothing"};

static int elements_of(enum pattern pattern, int rank, int root) {
    const int next = (root + 1) % session.ranks;
    switch (pattern) {
        case ALL_SHORT:
            return SHORT + rank % 2;
        case ALL_LONG:
            return LONG + rank;
        case ROOT_SHORT:
            return rank == root ? SHORT : LONG + rank;
        case ONE_LONG:
            return rank == next ? LONG : SHORT;
        case ONE_SHORT:
            return rank == next ? SHORT : LONG;
        case EVERY_OTHER:
            return rank % 2 == 0 ? LONG : rank % 3;
        default:
            return 0;
    }
}

static int value(int rank, int element) {
    return 10000 * rank + element;
}

struct parts {
    int *counts, *places, *all, *own, number;
};

static void fill(struct parts* parts, enum pattern pattern, int root) {
    parts->number = 0;
    for (int rank = 0; rank < session.ranks; rank++) {
        parts->counts[rank] = elements_of(pattern, rank, root);
        parts->places[rank] = parts->number + rank; /* one behind each piece stays as it is */
        parts->number += parts->counts[rank];
    }
}

/* What a call has made of the piece of a rank, and that what lies behind it is as it was. */
static void check_piece(const int* piece, int count, int rank, const char* call, int root, enum pattern pattern) {
    int i = 0;
    while (i < count && piece[i] == value(rank, i)) i++;
    const int expected = i < count ? value(rank, i) : GUARD;
    check(piece[i] == expected, "%s %d, %s: element %d of the %d of rank %d is %d, not %d", call, root, names[pattern],
          i, count, rank, piece[i], expected);
}

static enum duty duty(void) {
    return session.ranks > 1 ? DUTY_COMPONENT : DUTY_NOBODY;
}

static void gather(struct parts* parts, enum pattern pattern, int root) {
    const int rank = session.rank, count = parts->counts[rank];
    const bool is_root = rank == root;
    for (int i = 0; i < parts->number + session.ranks; i++) parts->all[i] = GUARD;
    for (int i = 0; i < count; i++) parts->own[i] = value(rank, i);
    const struct counters before = counters_read();
    MPI_Gatherv(parts->own, count, MPI_INT, is_root ? parts->all : NULL, is_root ? parts->counts : NULL,
                is_root ? parts->places : NULL, MPI_INT, root, MPI_COMM_WORLD);
    counters_check(&before, GATHERV, 1, duty(), names[pattern]);
    for (int from = 0; is_root && from < session.ranks; from++)
        check_piece(parts->all + parts->places[from], parts->counts[from], from, "gatherv to", root, pattern);
}

/* What the root has gathered. */
static void scatter(struct parts* parts, enum pattern pattern, int root) {
    const int rank = session.rank, count = parts->counts[rank];
    const bool is_root = rank == root;
    for (int i = 0; i <= count; i++) parts->own[i] = GUARD;
    const struct counters before = counters_read();
    MPI_Scatterv(is_root ? parts->all : NULL, is_root ? parts->counts : NULL, is_root ? parts->places : NULL, MPI_INT,
                 parts->own, count, MPI_INT, root, MPI_COMM_WORLD);
    counters_check(&before, SCATTERV, 1, duty(), names[pattern]);
    check_piece(parts->own, count, rank, "scatterv from", root, pattern);
}

int main(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    const size_t ranks = (size_t)session.ranks, most = ranks * (LONG + ranks + 1);
    int* const memory = malloc((2 * ranks + most + LONG + ranks + 1) * sizeof *memory);
    struct parts parts = {memory, memory + ranks, memory + 2 * ranks, memory + 2 * ranks + most, 0};
    for (int root = 0; root < session.ranks; root++) {
        for (enum pattern pattern = 0; pattern < PATTERNS; pattern++) {
            fill(&parts, pattern, root);
            gather(&parts, pattern, root);
            scatter(&parts, pattern, root);
        }
    }
    free(memory);
    counters_close();
    return session_finish("unequal_pieces");
}
