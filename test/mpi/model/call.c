/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/call.h"

#include "test/mpi/model/parameters.h"
#include "test/mpi/model/shapes.h"
#include "test/mpi/model/values.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const construction_names[] = {"dup", "split", "create_group", NULL};
static const char* const order_names[] = {"ascending", "descending", "mixed", NULL};
static const char* const spread_names[] = {"equal", "growing", "every_other", "only_one", "any", NULL};
const char* const reproducible_names[] = {"off", "fixed_order", "fixed_point", "exact", NULL};

#define FIELD(member, names) \
    { #member, offsetof(struct call, member), names }
/* In the order in which they are made simpler: first what makes the others matter less. */
const struct field fields[] = {
    FIELD(members, NULL),
    FIELD(construction, construction_names),
    FIELD(order, order_names),
    FIELD(cartesian, NULL),
    FIELD(count, NULL),
    FIELD(spread, spread_names),
    FIELD(type, shape_names),
    FIELD(other_type, shape_names),
    FIELD(operation, operation_names),
    FIELD(in_place, NULL),
    FIELD(root, NULL),
    FIELD(reproducible, reproducible_names),
    FIELD(lanes, NULL),
    FIELD(segments, NULL),
    FIELD(segment_size, NULL),
    FIELD(aggregators, NULL),
    FIELD(contents, NULL),
};
const int field_count = sizeof fields / sizeof fields[0];

int* field_of(struct call* call, const struct field* field) {
    return (int*)((char*)call + field->offset);
}

bool is_to_neighbors(int collective) {
    return collective >= WITHOUT_NEIGHBORS;
}

/* 1, and 0 of a call that needs one, is a line without a period. */
int box_of(int cartesian, int ranks, int sizes[MOST_DIMENSIONS], int periods[MOST_DIMENSIONS]) {
    const int number = cartesian > 0 ? cartesian - 1 : 0, dimensions = number % MOST_DIMENSIONS + 1;
    for (int d = 0; d < dimensions; d++) {
        sizes[d] = 0;
        periods[d] = number / MOST_DIMENSIONS >> d & 1;
    }
    MPI_Dims_create(ranks, dimensions, sizes);
    return dimensions;
}

void call_write(const struct call* call, char text[CALL_TEXT]) {
    struct call copy = *call;
    int used = snprintf(text, CALL_TEXT, "%s", collective_names[call->collective]);
    if (call->algorithm != 0)
        used += snprintf(text + used, (size_t)(CALL_TEXT - used), " algorithm=%s",
                         algorithm_name(call->collective, call->algorithm));
    for (int i = 0; i < field_count && used < CALL_TEXT; i++) {
        const int value = *field_of(&copy, &fields[i]);
        if (value == 0) continue;
        used +=
            fields[i].names != NULL
                ? snprintf(text + used, (size_t)(CALL_TEXT - used), " %s=%s", fields[i].name, fields[i].names[value])
                : snprintf(text + used, (size_t)(CALL_TEXT - used), " %s=%d", fields[i].name, value);
    }
}

static int place_of(const char* name, const char* const* names, int number) {
    for (int i = 0; i < number && names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

static int algorithm_of(int collective, const char* name) {
    for (int i = 0; i < algorithm_count(collective); i++)
        if (strcmp(algorithm_name(collective, i), name) == 0) return i;
    return -1;
}

static int read_value(struct call* call, char* word) {
    char* value = strchr(word, '=');
    if (value == NULL) return call->collective = place_of(word, collective_names, COLLECTIVES);
    *value++ = '\0';
    if (strcmp(word, "algorithm") == 0) return call->algorithm = algorithm_of(call->collective, value);
    for (int i = 0; i < field_count; i++) {
        if (strcmp(word, fields[i].name) != 0) continue;
        return *field_of(call, &fields[i]) =
                   fields[i].names != NULL ? place_of(value, fields[i].names, 1 << 10) : atoi(value);
    }
    return -1;
}

bool call_read(const char* text, struct call* call) {
    char copy[CALL_TEXT], *rest = NULL;
    *call = (struct call){0};
    snprintf(copy, sizeof copy, "%s", text);
    for (char* word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char whole[CALL_TEXT];
        snprintf(whole, sizeof whole, "%s", word);
        if (read_value(call, word) >= 0) continue;
        fprintf(stderr, "unknown: \"%s\" in --call \"%s\"\n", whole, text);
        return false;
    }
    return true;
}
