// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/superaccumulator.hpp"

namespace coll_topo {
namespace {

template <class Value>
constexpr ExactEncoding encoding_of = {
    sizeof(Value),
    Superaccumulator<FormatOf<Value>>::encoded_bytes,
    Superaccumulator<FormatOf<Value>>::encode,
    Superaccumulator<FormatOf<Value>>::combine,
    Superaccumulator<FormatOf<Value>>::decode,
};

}  // namespace

const ExactEncoding& superaccumulator(FloatingType type) {
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
