/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/matrix_case.h"

#include "test/mpi/session.h"

int piece_size(const struct size_case* size) {
    return size->count <= 1000 ? size->count : size->count / session.ranks;
}

enum duty duty_for(long long elements) {
    return session.ranks > 1 && elements > 0 ? DUTY_COMPONENT : DUTY_NOBODY;
}

void fill(const struct pair* pair, char* target, long long first, long long count) {
    for (long long i = 0; i < count; i++)
        element_store(pair->element, target + (size_t)i * pair->element->extent, pair->input[(first + i) % PERIOD]);
}

void check_values(const struct pair* pair, const struct value* expected, const char* at, long long first,
                  long long count, enum collective collective, const char* where, const struct size_case* size) {
    long long i = 0;
    while (i < count &&
           element_equals(pair->element, at + (size_t)i * pair->element->extent, expected[(first + i) % PERIOD]))
        i++;
    check(i == count, "%s %s: element %lld of %lld in the %s is wrong", collective_names[collective], size->text, i,
          count, where);
}

void check_guards(struct guarded* buffer, enum collective collective, const char* where, const struct size_case* size) {
    check(guarded_intact(buffer), "%s %s: bytes outside of the %s were written", collective_names[collective],
          size->text, where);
    guarded_free(buffer);
}
