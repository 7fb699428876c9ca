/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of MPI_COMM_WORLD that have a profile, as a binomial tree. Who belongs to it is known from published
 * records, alike on all ranks, so none waits for one that has no profile. Where records are not at hand, as in Open MPI
 * 5.0, there is a tree only of all ranks. */
#ifndef COLL_TOPO_MCA_RANK_TREE_H
#define COLL_TOPO_MCA_RANK_TREE_H

#include "coll_topo/mca/compatibility.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coll_topo_rank_tree {
    int* ranks; /* in MPI_COMM_WORLD */
    int size;
    int own;           /* index of this rank */
    int* host_of_rank; /* of all ranks of MPI_COMM_WORLD, in the topology; -1: not known */
};

/* An Open MPI error code; OMPI_ERR_NOT_FOUND, on all ranks: not all are known to have a profile. Without memory on this
 * rank only, others wait for it until the job ends. All ranks with a profile make it, in the same order. */
int coll_topo_rank_tree_make(struct coll_topo_rank_tree* tree);
void coll_topo_rank_tree_free(struct coll_topo_rank_tree* tree);

/* Index of the parent, or -1. */
int coll_topo_tree_parent(const struct coll_topo_rank_tree* tree);
/* Index of child number 0, 1, ...; -1 after the last. */
int coll_topo_tree_child(const struct coll_topo_rank_tree* tree, int number);

int coll_topo_tree_send(const struct coll_topo_rank_tree* tree, int index, const void* data, size_t size);
int coll_topo_tree_receive(const struct coll_topo_rank_tree* tree, int index, void* data, size_t size);

/* Bytes that a rank has: pack gives memory to be freed, merge takes what another one has. */
struct coll_topo_tree_data {
    void* data;
    int (*pack)(const void* data, void** bytes, size_t* size);
    int (*merge)(void* data, const void* bytes, size_t size);
};
/* Merges the data of all ranks into those of the first. What a rank cannot pack or merge is left out. */
int coll_topo_tree_collect(const struct coll_topo_rank_tree* tree, const struct coll_topo_tree_data* of);
/* Merges what the first rank has into the data of all others, which should be empty. */
int coll_topo_tree_spread(const struct coll_topo_rank_tree* tree, const struct coll_topo_tree_data* of);

#endif
