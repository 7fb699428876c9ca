// SPDX-License-Identifier: BSD-3-Clause
#include "test/reduction/fixed_point_bounds.hpp"

#include "coll_topo/reduction/fixed_point.hpp"
#include "test/reduction/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace coll_topo::test {
namespace {

/// Of all subnormal numbers, that of the smallest normal one.
template <class Value>
int exponent_of(Value value) {
    return std::max(std::ilogb(value), std::numeric_limits<Value>::min_exponent - 1);
}

}  // namespace

template <class Value>
bool FixedPointBounds<Value>::hold(Value result) const {
    return exact ? same_bits(result, least) : least <= result && result <= most;
}

template <class Value>
FixedPointBounds<Value> fixed_point_bounds(std::span<const Value> values) {
    constexpr int shift = FixedPoint<FormatOf<Value>>::shift;
    int largest = std::numeric_limits<int>::min(), smallest = std::numeric_limits<int>::max();
    bool finite = true;
    for (const Value value : values) {
        finite = finite && std::isfinite(value);
        if (value == 0 || !std::isfinite(value)) continue;
        largest = std::max(largest, exponent_of(value));
        smallest = std::min(smallest, exponent_of(value));
    }
    const Value sum = exact_sum(values);
    // `smallest` is above `largest` if there are zeros only.
    if (!finite || smallest > largest || largest - smallest <= shift) return {true, sum, sum};
    // A power of 2 times a number of operands, so exact.
    const Value lost =
        std::ldexp(static_cast<Value>(values.size()), largest - std::numeric_limits<Value>::digits + 1 - shift);
    std::vector<Value> with_bound(values.begin(), values.end());
    with_bound.push_back(-lost);
    const Value least = exact_sum<Value>(with_bound);
    with_bound.back() = lost;
    return {false, least, exact_sum<Value>(with_bound)};
}

template struct FixedPointBounds<float>;
template struct FixedPointBounds<double>;
template struct FixedPointBounds<long double>;
template FixedPointBounds<float> fixed_point_bounds(std::span<const float>);
template FixedPointBounds<double> fixed_point_bounds(std::span<const double>);
template FixedPointBounds<long double> fixed_point_bounds(std::span<const long double>);

}  // namespace coll_topo::test
