/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call with all that it may have, as small numbers: drawn from a seed, written as a short text, read back
 * from it, and made simpler one number at a time. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_CALL_H
#define COLL_TOPO_TEST_MPI_MODEL_CALL_H

#include "test/mpi/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How ranks come into the communicator. */
enum construction { BY_DUPLICATE, BY_SPLIT, BY_GROUP, CONSTRUCTIONS };
enum order { ASCENDING, DESCENDING, MIXED, ORDERS };
/* How the counts of ranks, or of pairs of them, differ. */
enum spread { EQUAL, GROWING, EVERY_OTHER, ONLY_ONE, ANY, SPREADS };

extern const char* const reproducible_names[];

/* 0 is the simplest value of each, but for `collective`. */
struct call {
    int collective;   /* enum collective */
    int algorithm;    /* by its place in the parameter's list; 0: auto */
    int lanes;        /* 0: by predicted time */
    int segments;     /* likewise */
    int segment_size; /* bytes; 0: messages are not cut */
    int aggregators;  /* 0: all ranks */
    int reproducible; /* by its place in the parameter's list; 0: off */
    int construction; /* enum construction */
    int order;        /* enum order */
    int cartesian;    /* 0: none, but for calls to neighbours; 1 and more: see box_of */
    int members;      /* of the communicator; 0: all ranks */
    int operation;    /* see values.h */
    int type;         /* see shapes.h */
    int other_type;   /* of equal signature, where ranks or sides may differ */
    int count;        /* reductions: elements of the vector or piece; else six units of data each */
    int spread;       /* enum spread */
    int in_place;
    int root;     /* modulo the number of ranks */
    int contents; /* seed of the data */
};

/* A number of a call. */
struct field {
    const char* name;
    size_t offset;
    const char* const* names; /* of its values, ended by NULL; NULL: they are written as numbers */
};
extern const struct field fields[];
extern const int field_count;
int* field_of(struct call* call, const struct field* field);

bool is_to_neighbors(int collective);
/* The Cartesian topology of so many ranks that a number stands for. */
enum { MOST_DIMENSIONS = 3, BOXES = MOST_DIMENSIONS << MOST_DIMENSIONS };
int box_of(int cartesian, int ranks, int sizes[MOST_DIMENSIONS], int periods[MOST_DIMENSIONS]);

enum { CALL_TEXT = 400 };
/* The collective, then NAME=VALUE for all that is not simplest. */
void call_write(const struct call* call, char text[CALL_TEXT]);
/* Whether `text` was such a text; else why not is on stderr. */
bool call_read(const char* text, struct call* call);

/* Calls of a group share a communicator; all that belongs to that is equal in them. */
struct call call_draw(uint64_t seed, int group, int number);
/* How many calls group `group` has. */
int group_size(uint64_t seed, int group);
enum { LARGEST_GROUP = 24 };

#endif
