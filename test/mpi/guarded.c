/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct guarded guarded_new(size_t size) {
    char* memory = malloc(size + 2 * GUARD_BYTES);
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        abort();
    }
    memset(memory, GUARD_VALUE, size + 2 * GUARD_BYTES);
    return (struct guarded){memory, memory + GUARD_BYTES, size};
}

void guarded_free(struct guarded* guarded) {
    free(guarded->memory);
    *guarded = (struct guarded){0};
}

bool guarded_intact(const struct guarded* guarded) {
    const unsigned char* before = (const unsigned char*)guarded->memory;
    const unsigned char* after = (const unsigned char*)guarded->data + guarded->size;
    for (int i = 0; i < GUARD_BYTES; i++)
        if (before[i] != GUARD_VALUE || after[i] != GUARD_VALUE) return false;
    return true;
}
