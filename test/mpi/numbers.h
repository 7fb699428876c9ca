/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of the floating-point types, operands that are hard to add, and their sums as MPFR has them. */
#ifndef COLL_TOPO_TEST_NUMBERS_H
#define COLL_TOPO_TEST_NUMBERS_H

#include <mpi.h>

#include <stddef.h>
#include <stdint.h>

/* A type of numbers; complex ones are pairs of the same. */
struct number {
    const char* name;
    MPI_Datatype type;
    size_t size; /* of a component */
    int components;
    int digits, lowest, highest; /* exponents of two that operands may have */
};

long double number_load(const struct number* number, const void* values, size_t i);

/* Operand i of a rank. */
typedef long double operand_source(const struct number* number, int rank, uint64_t i);
/* Sums cancel, overflow on the way, hang on a tie, or are no numbers. */
operand_source hard_operand;
/* A number, what decides how it is rounded, and pairs that cancel: the exact sum is the same on any number of ranks. */
operand_source cancelling_operand;

/* This rank's operands. */
void fill_operands(const struct number* number, operand_source* source, void* values, size_t count);
/* The sums of all ranks' operands, each rounded once. All ranks call it: each computes a share. */
void exact_sums(const struct number* number, operand_source* source, void* sums, size_t count);
/* Checks that `found` has the bits of `expected` from its number `first` on. `text` says what was found. */
void compare_numbers(const struct number* number, const void* found, const void* expected, size_t first, size_t count,
                     const char* text);

#endif
