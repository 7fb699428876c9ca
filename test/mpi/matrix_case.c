/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/matrix_case.h"

#include "test/mpi/session.h"

#include <string.h>

int piece_size(const struct size_case* size) {
    return size->count <= 1000 ? size->count : size->count / session.ranks;
}

enum duty duty_for(long long elements) {
    return session.ranks > 1 && elements > 0 ? DUTY_COMPONENT : DUTY_NOBODY;
}

void store_period(const struct element* element, struct periodic* vector) {
    for (int i = 0; i < PERIOD; i++)
        element_store(element, vector->memory + (size_t)i * element->extent, vector->values[i]);
}

/* Elements from number `first` on up to the end of the period, but no more than `count`. */
static long long up_to_period(long long first, long long count) {
    const long long left = PERIOD - first % PERIOD;
    return count < left ? count : left;
}

void fill(const struct pair* pair, char* target, long long first, long long count) {
    const size_t extent = pair->element->extent;
    while (count > 0) {
        const long long now = up_to_period(first, count);
        memcpy(target, pair->input.memory + (size_t)(first % PERIOD) * extent, (size_t)now * extent);
        target += (size_t)now * extent;
        first += now;
        count -= now;
    }
}

/* How many of the elements are as expected. Those that differ in their bits may yet be equal: 0 and -0, and gaps. */
static long long equal_elements(const struct element* element, const struct periodic* expected, const char* at,
                                long long first, long long count) {
    const char* memory = expected->memory + (size_t)(first % PERIOD) * element->extent;
    if (memcmp(memory, at, (size_t)count * element->extent) == 0) return count;
    unsigned char mask[LARGEST_EXTENT];
    int different = 0;
    element_mask(element, mask);
    for (long long i = 0; i < count; i++, memory += element->extent)
        for (size_t byte = 0; byte < element->extent; byte++)
            different |= (memory[byte] ^ at[(size_t)i * element->extent + byte]) & mask[byte];
    if (different == 0) return count;
    long long i = 0;
    while (i < count &&
           element_equals(element, at + (size_t)i * element->extent, expected->values[(first + i) % PERIOD]))
        i++;
    return i;
}

void check_values(const struct pair* pair, const struct periodic* expected, const char* at, long long first,
                  long long count, enum collective collective, const char* where, const struct size_case* size) {
    long long i = 0, now = 0, equal = 0;
    for (; i < count && equal == now; i += equal) {
        now = up_to_period(first + i, count - i);
        equal = equal_elements(pair->element, expected, at + (size_t)i * pair->element->extent, first + i, now);
    }
    check(i == count, "%s %s: element %lld of %lld in the %s is wrong", collective_names[collective], size->text, i,
          count, where);
}

void check_guards(struct guarded* buffer, enum collective collective, const char* where, const struct size_case* size) {
    check(guarded_intact(buffer), "%s %s: bytes outside of the %s were written", collective_names[collective],
          size->text, where);
    guarded_free(buffer);
}
