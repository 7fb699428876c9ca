/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/values.h"

#include "test/mpi/session.h"

#include <math.h>
#include <string.h>

const char* const operation_names[OPERATIONS + 1] = {
    "add_maps",    "compose_maps",      "sum_uint32", "prod_uint16", "bxor_byte",  "max_int64", "land_int",
    "maxloc_2int", "minloc_double_int", "min_double", "sum_float",   "sum_double", NULL};

enum { EXACT = 3 }; /* of call.reproducible */

__extension__ typedef __int128 wide;

/* A value of any type: what is needed of these is used. */
struct value {
    struct affine_map map;
    int64_t integer;
    int index;
    wide sum; /* of floating-point numbers, in units of 2^-20 */
};

/* ---- the user's operations ----------------------------------------------------------------------------------- */

static MPI_Op user_operations[2];
static const struct shape* expected_shape;
static bool called_right;

static void apply(combination combine, const void* in, void* inout, int length, MPI_Datatype type) {
    MPI_Aint lower_bound, extent;
    MPI_Type_get_extent(type, &lower_bound, &extent);
    called_right &= extent == expected_shape->layout.extent;
    layout_combine(&expected_shape->layout, combine, in, inout, length);
}

static void apply_add(void* in, void* inout, int* length, MPI_Datatype* type) {
    apply(affine_add, in, inout, *length, *type);
}

static void apply_compose(void* in, void* inout, int* length, MPI_Datatype* type) {
    apply(affine_compose, in, inout, *length, *type);
}

void operations_open(void) {
    MPI_Op_create(apply_add, 1, &user_operations[ADD_MAPS]);
    MPI_Op_create(apply_compose, 0, &user_operations[COMPOSE_MAPS]);
}

void operations_close(void) {
    for (int i = 0; i < 2; i++) MPI_Op_free(&user_operations[i]);
}

void operations_expect(const struct shape* shape) {
    expected_shape = shape;
    called_right = true;
}

bool operations_called_right(void) {
    return called_right;
}

/* ---- types --------------------------------------------------------------------------------------------------- */

MPI_Op operation_handle(int operation) {
    const MPI_Op handles[OPERATIONS] = {
        user_operations[0], user_operations[1], MPI_SUM,    MPI_PROD, MPI_BXOR, MPI_MAX,
        MPI_LAND,           MPI_MAXLOC,         MPI_MINLOC, MPI_MIN,  MPI_SUM,  MPI_SUM};
    return handles[operation];
}

struct shape operation_shape(const struct call* call, int columns) {
    const MPI_Datatype types[OPERATIONS] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_UINT32_T, MPI_UINT16_T,
                                            MPI_BYTE,          MPI_INT64_T,       MPI_INT,      MPI_2INT,
                                            MPI_DOUBLE_INT,    MPI_DOUBLE,        MPI_FLOAT,    MPI_DOUBLE};
    if (call->operation <= COMPOSE_MAPS) return shape_new(call->type, columns);
    int size;
    MPI_Type_size(types[call->operation], &size);
    return shape_predefined(types[call->operation], (size_t)size);
}

/* ---- values -------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct call* call, int rank, int number) {
    return mix(mix((uint64_t)call->contents, (uint64_t)rank), (uint64_t)number);
}

/* Any order gives the same sum, but for an exact sum, which may round once at the end. */
static wide number_for(const struct call* call, uint64_t hash) {
    if (call->reproducible != EXACT) return (wide)((int64_t)(hash % 2001) - 1000) * (1 << 20);
    const int digits = call->operation == SUM_FLOAT ? 24 : 53;
    const int64_t mantissa = (int64_t)(hash >> (64 - digits)) * (hash & 1 ? 1 : -1);
    return (wide)mantissa * ((int64_t)1 << (hash / 2 % 40));
}

static struct value operand(const struct call* call, int rank, int number) {
    const uint64_t hash = hash_of(call, rank, number);
    struct value value = {.map = affine_input(rank, mix((uint64_t)call->contents, (uint64_t)number)),
                          .integer = (int64_t)hash,
                          .index = (int)(hash >> 32 & 0xffff)};
    if (call->operation == LAND_INT) value.integer = hash % 8 != 0;
    if (call->operation == MAXLOC_2INT || call->operation == MINLOC_DOUBLE_INT || call->operation == MIN_DOUBLE)
        value.integer = (int64_t)(hash % 9) - 4; /* equal values are common; +0 has no -0 beside it */
    if (call->operation == SUM_FLOAT || call->operation == SUM_DOUBLE) value.sum = number_for(call, hash);
    return value;
}

static struct value lesser(struct value left, struct value right, int64_t sign) {
    if (left.integer == right.integer) return left.index < right.index ? left : right;
    return sign * left.integer < sign * right.integer ? left : right;
}

static struct value combined(int operation, struct value left, struct value right) {
    switch (operation) {
        case ADD_MAPS:
            return (struct value){.map = affine_add(left.map, right.map)};
        case COMPOSE_MAPS:
            return (struct value){.map = affine_compose(left.map, right.map)};
        case SUM_UINT32:
            return (struct value){.integer = (int64_t)((uint64_t)left.integer + (uint64_t)right.integer)};
        case PROD_UINT16:
            return (struct value){.integer = (int64_t)((uint64_t)left.integer * (uint64_t)right.integer)};
        case BXOR_BYTE:
            return (struct value){.integer = left.integer ^ right.integer};
        case LAND_INT:
            return (struct value){.integer = left.integer && right.integer};
        case MAX_INT64:
        case MAXLOC_2INT:
            return lesser(left, right, -1);
        case MIN_DOUBLE:
        case MINLOC_DOUBLE_INT:
            return lesser(left, right, 1);
        default:
            return (struct value){.sum = left.sum + right.sum};
    }
}

static void store(const struct call* call, struct value value, char* unit) {
    const double number = (double)value.integer;
    const int first = (int)value.integer;
    const float single = ldexpf((float)value.sum, -20);
    const double sum = ldexp((double)value.sum, -20);
    /* Machines have their lowest byte first or last; the component does not care. */
    const uint32_t word = (uint32_t)value.integer;
    const uint16_t half = (uint16_t)value.integer;
    const unsigned char byte = (unsigned char)value.integer;
    switch (call->operation) {
        case ADD_MAPS:
        case COMPOSE_MAPS:
            memcpy(unit, &value.map, sizeof value.map);
            break;
        case SUM_UINT32:
            memcpy(unit, &word, sizeof word);
            break;
        case PROD_UINT16:
            memcpy(unit, &half, sizeof half);
            break;
        case BXOR_BYTE:
            memcpy(unit, &byte, sizeof byte);
            break;
        case MAX_INT64:
            memcpy(unit, &value.integer, sizeof value.integer);
            break;
        case LAND_INT:
            memcpy(unit, &first, sizeof first);
            break;
        case MAXLOC_2INT:
            memcpy(unit, &first, sizeof first);
            memcpy(unit + sizeof first, &value.index, sizeof value.index);
            break;
        case MINLOC_DOUBLE_INT:
            memcpy(unit, &number, sizeof number);
            memcpy(unit + sizeof number, &value.index, sizeof value.index);
            break;
        case MIN_DOUBLE:
            memcpy(unit, &number, sizeof number);
            break;
        case SUM_FLOAT:
            memcpy(unit, &single, sizeof single);
            break;
        default:
            memcpy(unit, &sum, sizeof sum);
    }
}

void value_operand(const struct call* call, int rank, int number, void* unit) {
    store(call, operand(call, rank, number), unit);
}

void value_result(const struct call* call, int ranks, int number, void* unit) {
    struct value result = operand(call, 0, number);
    for (int rank = 1; rank < ranks; rank++) result = combined(call->operation, result, operand(call, rank, number));
    store(call, result, unit);
}

void value_moved(const struct call* call, int from, int to, int number, void* unit) {
    const uint64_t hash = mix(mix((uint64_t)call->contents, (uint64_t)from), mix((uint64_t)to, (uint64_t)number));
    memcpy(unit, &hash, sizeof hash);
}
