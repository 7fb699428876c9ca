/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derived datatypes of all shapes, made of affine maps x -> a x + b modulo a prime: composing them is associative but
 * does not commute, so that every exchange of operands shows.
 */
#ifndef COLL_TOPO_TEST_MPI_LAYOUTS_H
#define COLL_TOPO_TEST_MPI_LAYOUTS_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct affine_map {
    uint32_t a, b;
};

enum { MOST_MAPS = 40 };

struct layout {
    const char* name;
    MPI_Datatype type;
    int maps;                     /* in one element */
    ptrdiff_t offsets[MOST_MAPS]; /* of each map from the address of the element */
    ptrdiff_t extent;             /* from one element to the next */
    int most;                     /* elements in a row that have no byte in common; 0: any number */
    ptrdiff_t low, high;          /* bytes [low, high) around its address may be part of an element */
};

enum { LAYOUTS = 14 };

/* Makes and commits all of them. */
void layouts_new(struct layout layouts[LAYOUTS]);
void layouts_free(struct layout layouts[LAYOUTS]);

struct affine_map affine_compose(struct affine_map first, struct affine_map then);
/* Adds the coefficients: a commutative operation on the same data. */
struct affine_map affine_add(struct affine_map left, struct affine_map right);
/* Map number `number` that a rank contributes. */
struct affine_map affine_input(int rank, uint64_t number);

typedef struct affine_map (*combination)(struct affine_map, struct affine_map);
/* What a user's function does: combines each map of `elements` elements `in` with that in the same place of `inout`. */
void layout_combine(const struct layout* layout, combination combine, const void* in, void* inout, int elements);

#endif
