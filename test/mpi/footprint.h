/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process holds of its host. */
#ifndef COLL_TOPO_TEST_MPI_FOOTPRINT_H
#define COLL_TOPO_TEST_MPI_FOOTPRINT_H

#include <stddef.h>

struct footprint {
    size_t heap_bytes;    /* in use, as malloc counts them */
    size_t private_bytes; /* mapped, and no other process's: data, heap and stacks, used or not */
    int descriptors;      /* open */
    int mappings;         /* of files, shared memory among them */
};

struct footprint footprint_now(void);

/* The more, or less, of each. */
struct footprint footprint_most(const struct footprint* left, const struct footprint* right);
struct footprint footprint_least(const struct footprint* left, const struct footprint* right);

#endif
