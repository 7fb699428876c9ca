/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/elements.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

enum { MOST_ELEMENTS = 80 };

struct float_int {
    float value;
    int index;
};
struct double_int {
    double value;
    int index;
};
struct long_int {
    long value;
    int index;
};
struct two_int {
    int value;
    int index;
};
struct short_int {
    short value;
    int index;
};
struct long_double_int {
    long double value;
    int index;
};

static struct element table[MOST_ELEMENTS];
static int table_size;

/* Types that an MPI lacks are null handles or have size 0. A floating type must be one of C's. */
static bool exists(MPI_Datatype type, size_t* size) {
    int bytes = 0;
    if (type == MPI_DATATYPE_NULL || MPI_Type_size(type, &bytes) != MPI_SUCCESS || bytes <= 0) return false;
    *size = (size_t)bytes;
    return true;
}

static void add(const char* name, MPI_Datatype type, enum element_class class, struct scalar first,
                struct scalar second, size_t second_offset) {
    MPI_Aint low, extent;
    MPI_Type_get_extent(type, &low, &extent);
    table[table_size++] = (struct element){name, type, class, first, second, second_offset, (size_t)extent};
}

static void add_integer(const char* name, MPI_Datatype type, enum element_class class, bool is_signed) {
    size_t size;
    if (exists(type, &size)) add(name, type, class, (struct scalar){false, is_signed, size}, (struct scalar){0}, 0);
}

static void add_floating(const char* name, MPI_Datatype type) {
    size_t size;
    if (exists(type, &size)) add(name, type, FLOATING, (struct scalar){true, true, size}, (struct scalar){0}, 0);
}

static void add_complex(const char* name, MPI_Datatype type) {
    size_t size;
    if (!exists(type, &size)) return;
    struct scalar part = {true, true, size / 2};
    add(name, type, COMPLEX, part, part, size / 2);
}

#define ADD_INTEGER(type, class, is_signed) add_integer(#type, type, class, is_signed)
#define ADD_FLOATING(type) add_floating(#type, type)
#define ADD_COMPLEX(type) add_complex(#type, type)
#define ADD_PAIR(type, structure, is_floating)                                                        \
    add(#type, type, PAIR, (struct scalar){is_floating, true, sizeof(((struct structure*)0)->value)}, \
        (struct scalar){false, true, sizeof(int)}, offsetof(struct structure, index))

static void add_integers(void) {
    ADD_INTEGER(MPI_SIGNED_CHAR, C_INTEGER, true);
    ADD_INTEGER(MPI_SHORT, C_INTEGER, true);
    ADD_INTEGER(MPI_INT, C_INTEGER, true);
    ADD_INTEGER(MPI_LONG, C_INTEGER, true);
    ADD_INTEGER(MPI_LONG_LONG, C_INTEGER, true);
    ADD_INTEGER(MPI_INT8_T, C_INTEGER, true);
    ADD_INTEGER(MPI_INT16_T, C_INTEGER, true);
    ADD_INTEGER(MPI_INT32_T, C_INTEGER, true);
    ADD_INTEGER(MPI_INT64_T, C_INTEGER, true);
    ADD_INTEGER(MPI_UNSIGNED_CHAR, C_INTEGER, false);
    ADD_INTEGER(MPI_UNSIGNED_SHORT, C_INTEGER, false);
    ADD_INTEGER(MPI_UNSIGNED, C_INTEGER, false);
    ADD_INTEGER(MPI_UNSIGNED_LONG, C_INTEGER, false);
    ADD_INTEGER(MPI_UNSIGNED_LONG_LONG, C_INTEGER, false);
    ADD_INTEGER(MPI_UINT8_T, C_INTEGER, false);
    ADD_INTEGER(MPI_UINT16_T, C_INTEGER, false);
    ADD_INTEGER(MPI_UINT32_T, C_INTEGER, false);
    ADD_INTEGER(MPI_UINT64_T, C_INTEGER, false);
    /* Only values that an address or a length can have: Open MPI 4.1 compares MPI_OFFSET as unsigned. */
    ADD_INTEGER(MPI_AINT, ADDRESS_INTEGER, false);
    ADD_INTEGER(MPI_OFFSET, ADDRESS_INTEGER, false);
    ADD_INTEGER(MPI_COUNT, ADDRESS_INTEGER, false);
    ADD_INTEGER(MPI_INTEGER, FORTRAN_INTEGER, true);
    ADD_INTEGER(MPI_INTEGER1, FORTRAN_INTEGER, true);
    ADD_INTEGER(MPI_INTEGER2, FORTRAN_INTEGER, true);
    ADD_INTEGER(MPI_INTEGER4, FORTRAN_INTEGER, true);
    ADD_INTEGER(MPI_INTEGER8, FORTRAN_INTEGER, true);
    ADD_INTEGER(MPI_C_BOOL, LOGICAL, false);
    ADD_INTEGER(MPI_LOGICAL, LOGICAL, false);
    ADD_INTEGER(MPI_BYTE, BYTE, false);
}

/* MPI_REAL16 and MPI_COMPLEX32 are left out: C has no name for their format that holds on every machine. */
static void add_floating_numbers(void) {
    ADD_FLOATING(MPI_FLOAT);
    ADD_FLOATING(MPI_DOUBLE);
    ADD_FLOATING(MPI_LONG_DOUBLE);
    ADD_FLOATING(MPI_REAL);
    ADD_FLOATING(MPI_DOUBLE_PRECISION);
    ADD_FLOATING(MPI_REAL4);
    ADD_FLOATING(MPI_REAL8);
    ADD_COMPLEX(MPI_C_COMPLEX);
    ADD_COMPLEX(MPI_C_DOUBLE_COMPLEX);
    ADD_COMPLEX(MPI_C_LONG_DOUBLE_COMPLEX);
    ADD_COMPLEX(MPI_COMPLEX);
    ADD_COMPLEX(MPI_DOUBLE_COMPLEX);
    ADD_COMPLEX(MPI_COMPLEX8);
    ADD_COMPLEX(MPI_COMPLEX16);
}

static void add_fortran_pair(const char* name, MPI_Datatype type, bool floating) {
    size_t size;
    if (!exists(type, &size)) return;
    struct scalar part = {floating, true, size / 2};
    add(name, type, PAIR, part, part, size / 2);
}

static void add_pairs(void) {
    ADD_PAIR(MPI_FLOAT_INT, float_int, true);
    ADD_PAIR(MPI_DOUBLE_INT, double_int, true);
    ADD_PAIR(MPI_LONG_INT, long_int, false);
    ADD_PAIR(MPI_2INT, two_int, false);
    ADD_PAIR(MPI_SHORT_INT, short_int, false);
    ADD_PAIR(MPI_LONG_DOUBLE_INT, long_double_int, true);
    add_fortran_pair("MPI_2REAL", MPI_2REAL, true);
    add_fortran_pair("MPI_2DOUBLE_PRECISION", MPI_2DOUBLE_PRECISION, true);
    add_fortran_pair("MPI_2INTEGER", MPI_2INTEGER, false);
}

const struct element* elements(int* number) {
    if (table_size == 0) {
        add_integers();
        add_floating_numbers();
        add_pairs();
    }
    *number = table_size;
    return table;
}

static void store_scalar(struct scalar scalar, char* target, long long value) {
    float single = (float)value;
    double twofold = (double)value;
    long double extended = (long double)value;
    int8_t one = (int8_t)value;
    int16_t two = (int16_t)value;
    int32_t four = (int32_t)value;
    const void* source = &value;
    if (scalar.floating)
        source = scalar.size == sizeof single    ? (const void*)&single
                 : scalar.size == sizeof twofold ? (const void*)&twofold
                                                 : (const void*)&extended;
    else if (scalar.size < sizeof value)
        source = scalar.size == sizeof one ? (const void*)&one : scalar.size == sizeof two ? (const void*)&two : &four;
    memcpy(target, source, scalar.size);
}

static bool scalar_equals(struct scalar scalar, const char* source, long long value) {
    if (!scalar.floating) {
        char expected[sizeof value];
        store_scalar(scalar, expected, value);
        return memcmp(source, expected, scalar.size) == 0;
    }
    float single;
    double twofold;
    long double extended;
    if (scalar.size == sizeof single) return memcpy(&single, source, sizeof single), single == (float)value;
    if (scalar.size == sizeof twofold) return memcpy(&twofold, source, sizeof twofold), twofold == (double)value;
    return memcpy(&extended, source, sizeof extended), extended == (long double)value;
}

void element_store(const struct element* element, void* target, struct value value) {
    store_scalar(element->first, target, value.first);
    if (element->second.size > 0) store_scalar(element->second, (char*)target + element->second_offset, value.second);
}

/* Of a long double of 80 bits, the rest is never written. */
static size_t value_bytes(struct scalar scalar) {
    return scalar.floating && scalar.size == sizeof(long double) && LDBL_MANT_DIG == 64 ? 10 : scalar.size;
}

void element_mask(const struct element* element, unsigned char* mask) {
    memset(mask, 0, element->extent);
    memset(mask, 0xff, value_bytes(element->first));
    memset(mask + element->second_offset, 0xff, value_bytes(element->second));
}

bool element_equals(const struct element* element, const void* source, struct value value) {
    return scalar_equals(element->first, source, value.first) &&
           (element->second.size == 0 ||
            scalar_equals(element->second, (const char*)source + element->second_offset, value.second));
}
