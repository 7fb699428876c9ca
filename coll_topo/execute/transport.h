/* SPDX-License-Identifier: BSD-3-Clause */
/* The executor's narrow view of message passing, as C sees it. */
#ifndef COLL_TOPO_TRANSPORT_H
#define COLL_TOPO_TRANSPORT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { COLL_TOPO_OK = 0, COLL_TOPO_FAILED = -1, COLL_TOPO_OUT_OF_MEMORY = -2 };

/* So much is read from elsewhere before it is combined: it stays in cache. */
enum { COLL_TOPO_READ_AT_ONCE = 128 * 1024 };

typedef struct coll_topo_transport coll_topo_transport;

/* For direct schedules of alltoall, where a rank has a piece for every peer and one from it, and of neighbourhood
 * collectives: pieces with places, sizes and types of their own. Elements are packed bytes then, and send, receive and
 * copy are not used. */
typedef struct {
    const size_t* input_begin;  /* packed bytes before the piece for each rank, or neighbour, and of all */
    const size_t* output_begin; /* likewise of the piece from each of them */
    /* `at` counts packed bytes from the start of the piece. */
    int (*send)(coll_topo_transport*, size_t at, size_t bytes, int piece, int peer, int lane, void** request);
    int (*receive)(coll_topo_transport*, size_t at, size_t bytes, int piece, int peer, int lane, void** request);
    int (*copy)(coll_topo_transport*, int from, int to); /* a piece that a rank has for itself */
} coll_topo_pieces;

/* For sums that are more than a value while they are partial: of some ranks' operands only. What `send` and `receive`
 * of the transport move are results then. */
typedef struct {
    ptrdiff_t operand_extent; /* bytes from one received operand to the next, until it is reduced */
    int (*send)(coll_topo_transport*, const void* data, size_t elements, int peer, int lane, void** request);
    /* Partial sums that replace those at `data`. */
    int (*receive)(coll_topo_transport*, void* data, size_t elements, int peer, int lane, void** request);
    /* Operands of `reduce`, in memory of `operand_extent` for each. */
    int (*receive_operand)(coll_topo_transport*, void* operands, size_t elements, int peer, int lane, void** request);
    /* Tells, before anything else, where the scratch buffer is. */
    int (*use_scratch)(coll_topo_transport*, void* scratch, size_t elements);
} coll_topo_partial_sums;

/* For peers whose memory can be read: operands are combined as they are read, and need not be written down first. */
typedef struct {
    /* Whether a message of so many elements to or from the peer can be received so. */
    int (*serves)(coll_topo_transport*, size_t elements, int peer);
    /* As the transport's. When `test` says that it is done, the operands can be read, and the request stays. */
    int (*receive)(coll_topo_transport*, size_t elements, int peer, int lane, void** request);
    /* Copies operands of the message, from number `at` on. */
    int (*read)(coll_topo_transport*, void* request, size_t at, void* operands, size_t elements);
    /* Ends the request: all have been read. */
    void (*release)(coll_topo_transport*, void** request);
} coll_topo_readable_peers;

/* How the executor moves and combines data. Elements are those of the datatype that the caller has in mind; all
 * functions return 0 or an error code of the caller's, which ends the collective. */
struct coll_topo_transport {
    ptrdiff_t extent;       /* bytes from one element to the next, > 0; 0 where `pieces` is set */
    size_t element_bytes;   /* packed, > 0: equal on all ranks, so that all cut messages alike */
    ptrdiff_t scratch_lead; /* from the begin of memory for elements to the address of the first */
    ptrdiff_t scratch_tail; /* bytes that n elements take there beyond n extents, the lead included */
    /* To and from all ranks, messages of up to so many bytes are read where they are: to cut them, or to post receives
     * of them early, gains nothing. 0: not so. */
    size_t at_hand_bytes;
    int commutative;
    int (*send)(coll_topo_transport*, const void* data, size_t elements, int peer, int lane, void** request);
    int (*receive)(coll_topo_transport*, void* data, size_t elements, int peer, int lane, void** request);
    /* 1: the request was done and is gone, or is NULL, as a send may leave it; 0: not yet; negative: it failed and is
     * gone. */
    int (*test)(coll_topo_transport*, void** request);
    /* Lets messages move; called while nothing is done, and after long reductions. */
    void (*progress)(coll_topo_transport*);
    /* Ends a request, or NULL, after an error: the buffer is not touched afterwards. */
    void (*cancel)(coll_topo_transport*, void** request);
    /* target = source (op) target: source stands left. */
    void (*reduce)(coll_topo_transport*, const void* source, void* target, size_t elements);
    /* target = left (op) right, which are elsewhere; NULL: there is no such function for the operation. */
    void (*reduce_apart)(coll_topo_transport*, const void* left, const void* right, void* target, size_t elements);
    int (*copy)(coll_topo_transport*, void* target, const void* source, size_t elements);
    /* Between the caller's typed buffer and packed elements (allgather, whose elements are packed bytes):
     * `at` counts packed bytes from the start of the caller's buffer. NULL: buffers are addressed directly. */
    int (*pack)(coll_topo_transport*, void* packed, size_t at, size_t bytes);
    int (*unpack)(coll_topo_transport*, const void* packed, size_t at, size_t bytes);
    const coll_topo_pieces* pieces;             /* NULL: buffers are addressed directly */
    const coll_topo_partial_sums* partial_sums; /* NULL: they are values like results */
    const coll_topo_readable_peers* readable;   /* NULL: there are none */
};

/* Numbers of elements, one for each rank, of one type or the other; no numbers: both are NULL. */
typedef struct {
    const int* ints;
    const size_t* sizes;
} coll_topo_piece_counts;

static inline int coll_topo_has_piece_counts(coll_topo_piece_counts counts) {
    return counts.ints != NULL || counts.sizes != NULL;
}

static inline size_t coll_topo_piece_count(coll_topo_piece_counts counts, int rank) {
    return counts.ints != NULL ? (size_t)counts.ints[rank] : counts.sizes[rank];
}

/* What to run on. Addresses of element 0; `output` of a reduce_scatter and `input` of an allgather point to this rank's
 * own piece. */
typedef struct {
    const void* input;
    void* output;
    size_t elements; /* allreduce, bcast, reduce: of the vector; else of one piece */
    /* reduce_scatter, allgather: of each rank's piece if they differ; else there are none. */
    coll_topo_piece_counts piece_elements;
    /* allreduce, reduce, reduce_scatter: the rank's operands, if they lie where nothing is written: then `output` need
     * not hold them, and `input` does not change. NULL: `output`, or `input`, holds them. */
    const void* operands;
} coll_topo_buffers;

/* Gather or scatter of pieces whose sizes only the root knows: what goes ahead of each. A cell has the size of the
 * piece, a size_t, and then room for the piece itself, which is there if it is not longer. */
typedef struct {
    size_t short_bytes; /* that room: equal on all ranks */
    char* own;          /* this rank's cell */
    char* all;          /* at the root, of all ranks, and not the same memory */
} coll_topo_cells;

static inline size_t coll_topo_cell_bytes(const coll_topo_cells* cells) {
    return sizeof(size_t) + cells->short_bytes;
}

#ifdef __cplusplus
}
#endif
#endif
