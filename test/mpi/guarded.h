/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory between guard bytes: writes outside of it are detected. */
#ifndef COLL_TOPO_TEST_MPI_GUARDED_H
#define COLL_TOPO_TEST_MPI_GUARDED_H

#include <stdbool.h>
#include <stddef.h>

enum { GUARD_BYTES = 256, GUARD_VALUE = 0xa5 };

struct guarded {
    char* memory; /* GUARD_BYTES before `data` */
    char* data;
    size_t size; /* of `data` */
};

/* All bytes of the new memory have the guard's value. Ends the program if there is none. */
struct guarded guarded_new(size_t size);
void guarded_free(struct guarded* guarded);
bool guarded_intact(const struct guarded* guarded);

#endif
