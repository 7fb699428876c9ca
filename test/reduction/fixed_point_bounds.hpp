// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

namespace coll_topo::test {

/// What fixed_point.hpp says of the accuracy of a result.
template <class Value>
struct FixedPointBounds {
    bool exact;         ///< no operand but 0 is more than the shift below the largest, or one is not finite
    Value least, most;  ///< the exact sum, less and plus what may be lost, rounded

    bool hold(Value result) const;
};

/// For float, double and long double.
template <class Value>
FixedPointBounds<Value> fixed_point_bounds(std::span<const Value> values);

}  // namespace coll_topo::test
