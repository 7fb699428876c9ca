/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/device/buffer_span.h"

#include "ompi_config.h"

#include "opal/constants.h"
#include "opal/mca/accelerator/accelerator.h"

#include <stdint.h>

enum { NEAR = 65536, CACHE_LINE = 64 };

struct span span_of(size_t count, MPI_Datatype type, ptrdiff_t displacement) {
    MPI_Aint bound, extent, begin, size;
    int bytes;
    MPI_Type_get_extent(type, &bound, &extent);
    MPI_Type_get_true_extent(type, &begin, &size);
    MPI_Type_size(type, &bytes);
    if (count == 0 || bytes == 0) return (struct span){0};
    const ptrdiff_t last = (ptrdiff_t)(count - 1) * extent;
    return (struct span){.begin = displacement + begin + (last < 0 ? last : 0),
                         .end = displacement + begin + size + (last > 0 ? last : 0),
                         .data = count * (size_t)bytes};
}

struct span span_of_all(struct span one, struct span other) {
    if (one.data == 0) return other;
    if (other.data == 0) return one;
    return (struct span){.begin = one.begin < other.begin ? one.begin : other.begin,
                         .end = one.end > other.end ? one.end : other.end,
                         .data = one.data + other.data};
}

static void copy(void* target, const void* source, size_t bytes) {
    opal_accelerator.mem_copy(MCA_ACCELERATOR_NO_DEVICE_ID, MCA_ACCELERATOR_NO_DEVICE_ID, target, source, bytes,
                              MCA_ACCELERATOR_TRANSFER_UNSPEC);
}

struct on_device put_on_device(const void* buffer, struct span span) {
    struct on_device copied = {.host = (char*)buffer, .span = span, .address = (void*)buffer};
    void* memory = NULL;
    const size_t bytes = (size_t)(span.end - span.begin);
    if (span.data == 0 || bytes > 4 * span.data + NEAR || span.begin > NEAR || span.end < -NEAR) return copied;
    /* The address of the buffer is inside, and as well aligned as before. */
    const size_t before = span.begin < 0 ? (size_t)-span.begin : 0;
    const size_t behind = span.end > 0 ? (size_t)span.end : 1;
    if (opal_accelerator.mem_alloc(0, &memory, before + behind + 2 * CACHE_LINE) != OPAL_SUCCESS) return copied;
    char* address = (char*)memory + (before + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    address += (uintptr_t)buffer % CACHE_LINE;
    copied.memory = memory;
    copied.address = address;
    copy(address + span.begin, copied.host + span.begin, bytes);
    return copied;
}

void take_from_device(struct on_device* copied, bool written) {
    const struct span span = copied->span;
    if (copied->memory == NULL) return;
    if (written) {
        copy(copied->host + span.begin, (char*)copied->address + span.begin, (size_t)(span.end - span.begin));
    }
    opal_accelerator.mem_release(0, copied->memory);
}
