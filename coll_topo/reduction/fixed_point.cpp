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
    switch (type) {
        case FloatingType::single_precision:
            return encoding_of<float>;
        case FloatingType::double_precision:
            return encoding_of<double>;
        case FloatingType::extended_precision:
            break;
    }
    return encoding_of<long double>;
}

}  // namespace coll_topo
