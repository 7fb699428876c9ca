/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank passes to a call of the alltoall family for one of its buffers: where the pieces are, how large, and of
 * which types; and the buffer itself. */
#ifndef COLL_TOPO_TEST_MPI_PIECES_H
#define COLL_TOPO_TEST_MPI_PIECES_H

#include "test/mpi/descriptions.h"

enum { MOST_PIECES = 64 };

struct pieces {
    int counts[MOST_PIECES];        /* elements */
    int displacements[MOST_PIECES]; /* in units: extents in alltoall and alltoallv, bytes in alltoallw */
    MPI_Datatype types[MOST_PIECES];
    const struct description* described_as[MOST_PIECES];
    ptrdiff_t offsets[MOST_PIECES]; /* of each piece from the address that is passed */
    int numbers[MOST_PIECES];
    ptrdiff_t before, size; /* of the buffer: bytes before the address that is passed, and in all */
};

/* Piece k has numbers[k] numbers described as `described_as[k]`. */
void pieces_describe(struct pieces* pieces, int k, const struct description* described_as, int numbers);

/* The three ways to place them: one after the other; of one type, with a gap between and the last one first; likewise,
 * of any types. */
void pieces_place_in_a_row(struct pieces* pieces, int ranks);
void pieces_place_in_extents(struct pieces* pieces, int ranks);
void pieces_place_in_bytes(struct pieces* pieces, int ranks);

/* Memory for all of them. */
struct guarded pieces_memory(const struct pieces* pieces);
/* Writes piece k, which begins with number `first`. */
void pieces_write(const struct pieces* pieces, int k, struct guarded* memory, long long first);

#endif
