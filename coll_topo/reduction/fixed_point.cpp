// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/fixed_point.hpp"

namespace coll_topo {
namespace {

template <class Value>
constexpr FixedPointEncoding encoding_of = {
    sizeof(Value),
    FixedPoint<FormatOf<Value>>::exponent_bytes,
    FixedPoint<FormatOf<Value>>::scaled_bytes,
    FixedPoint<FormatOf<Value>>::exponents,
    FixedPoint<FormatOf<Value>>::combine_exponents,
    FixedPoint<FormatOf<Value>>::scale,
    FixedPoint<FormatOf<Value>>::combine_scaled,
    FixedPoint<FormatOf<Value>>::decode,
};

}  // namespace

const FixedPointEncoding& fixed_point(FloatingType type) {
    return for_type(type, []<typename Value>() -> const FixedPointEncoding& { return encoding_of<Value>; });
}

}  // namespace coll_topo
