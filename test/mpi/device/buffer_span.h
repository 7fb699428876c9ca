/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that a buffer of a call takes, and a copy of them in a device's memory. */
#ifndef COLL_TOPO_TEST_MPI_DEVICE_BUFFER_SPAN_H
#define COLL_TOPO_TEST_MPI_DEVICE_BUFFER_SPAN_H

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>

/* From the address of a buffer: [begin, end), and how many of these bytes are data. Zeros: nothing. */
struct span {
    ptrdiff_t begin, end;
    size_t data;
};

/* So many elements, `displacement` bytes from the buffer; and all pieces of calls with counts. */
struct span span_of(size_t count, MPI_Datatype type, ptrdiff_t displacement);
struct span span_of_all(struct span one, struct span other);

struct on_device {
    char* host;
    char* memory; /* NULL: it stays where it is */
    struct span span;
    void* address; /* for the call */
};

/* A copy on the device, unless the span is mostly gaps, or the buffer's address is far from its data: Open MPI looks at
 * that address only. */
struct on_device put_on_device(const void* buffer, struct span span);
/* Copies it back, if the call may have written it, and gives up the memory. */
void take_from_device(struct on_device* copy, bool written);

#endif
