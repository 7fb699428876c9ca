// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

namespace coll_topo::test {

/// What the contract says of the sum of float, double or long double: the exact sum by MPFR, rounded once; any NaN, or
/// both infinities, give the quiet NaN; a zero is +0 unless all operands are -0.
template <class Value>
Value exact_sum(std::span<const Value> values);

/// Whether all bits but padding are equal.
template <class Value>
bool same_bits(Value a, Value b);

/// Whether all padding is 0, as results have it. By reference, since a copy need not carry padding.
template <class Value>
bool has_no_padding(const Value& value);

/// The value and its bytes, for messages.
template <class Value>
std::string show(Value value);

}  // namespace coll_topo::test
