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
    return for_type(type, []<typename Value>() -> const ExactEncoding& { return encoding_of<Value>; });
}

}  // namespace coll_topo
