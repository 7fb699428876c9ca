// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/ordered_extremes.hpp"

#include "coll_topo/reduction/floating_format.hpp"

#include <cstring>
#include <type_traits>

namespace coll_topo {
namespace {

/// The total order of a format as the order of unsigned integers.
template <class Format>
struct TotalOrder {
    using Bits = typename Format::Bits;
    static constexpr Bits all_bits = (Format::sign_bit - 1) | Format::sign_bit;

    static constexpr Bits key(Bits bits) {
        return bits ^ ((bits & Format::sign_bit) != 0 ? all_bits : Format::sign_bit);
    }

    static constexpr bool is_nan(Bits bits) {
        if constexpr (Format::stores_leading_bit) {
            return Format::parts(bits).kind == FloatingClass::not_a_number;
        } else {
            return (bits & ~Format::sign_bit) > Format::infinity(false);
        }
    }

    /// One encoding for each number: a NaN becomes the quiet one, the x87's second encoding of a number the first.
    static constexpr Bits canonical(Bits bits) {
        if (is_nan(bits)) return Format::quiet_nan();
        if constexpr (Format::stores_leading_bit) {
            const auto parts = Format::parts(bits);
            if (parts.shift == 0 && (parts.significand & Format::leading_bit) != 0) {
                return Format::compose(parts.negative, 1, parts.significand);
            }
        }
        return bits;
    }
};

/// Whether `a` is beyond `b`.
template <bool largest, class Key>
constexpr bool beyond(Key a, Key b) {
    return largest ? a > b : a < b;
}

template <class Value, bool largest>
void combine_numbers(const void* source, void* target, std::size_t count) {
    using Format = FormatOf<Value>;
    using Order = TotalOrder<Format>;
    auto* a = static_cast<const std::byte*>(source);
    auto* b = static_cast<std::byte*>(target);
    for (std::size_t i = 0; i < count; ++i, a += sizeof(Value), b += sizeof(Value)) {
        const auto left = Order::canonical(Format::load(a)), right = Order::canonical(Format::load(b));
        const auto extreme = beyond<largest>(Order::key(left), Order::key(right)) ? left : right;
        const bool any_nan = Order::is_nan(left) | Order::is_nan(right);
        Format::store(any_nan ? Format::quiet_nan() : extreme, b);
    }
}

template <class Value, class Index>
struct Pair {
    Value value;
    Index index;
};

template <class Value, class Index>
struct LocatedNumber {
    using Format = FormatOf<Value>;
    using Order = TotalOrder<Format>;
    using Layout = Pair<Value, Index>;
    static_assert(std::is_standard_layout_v<Layout>);

    typename Format::Bits number;  // canonical
    Index index;

    static LocatedNumber load(const std::byte* pair) {
        LocatedNumber located;
        located.number = Order::canonical(Format::load(pair));
        std::memcpy(&located.index, pair + offsetof(Layout, index), sizeof(Index));
        return located;
    }

    void store(std::byte* pair) const {
        if constexpr (sizeof(Layout) != sizeof(Value) + sizeof(Index)) std::memset(pair, 0, sizeof(Layout));
        Format::store(number, pair);
        std::memcpy(pair + offsetof(Layout, index), &index, sizeof(Index));
    }

    /// An index that is a floating-point number is compared as an integer too, so that all are ordered.
    auto index_key() const {
        if constexpr (std::is_floating_point_v<Index>) {
            using IndexFormat = FormatOf<Index>;
            return TotalOrder<IndexFormat>::key(std::bit_cast<typename IndexFormat::Bits>(index));
        } else {
            return index;
        }
    }

    template <bool largest>
    bool wins_over(const LocatedNumber& other) const {
        const bool nan = Order::is_nan(number), other_nan = Order::is_nan(other.number);
        if (nan != other_nan) return nan;
        const bool zeros = ((number | other.number) & ~Format::sign_bit) == 0;
        if (!zeros && number != other.number) {
            return beyond<largest>(Order::key(number), Order::key(other.number));
        }
        if (index_key() != other.index_key()) return index_key() < other.index_key();
        return beyond<largest>(Order::key(number), Order::key(other.number));
    }
};

template <class Value, class Index, bool largest>
void combine_locations(const void* source, void* target, std::size_t count) {
    using Located = LocatedNumber<Value, Index>;
    constexpr std::size_t bytes = sizeof(typename Located::Layout);
    auto* a = static_cast<const std::byte*>(source);
    auto* b = static_cast<std::byte*>(target);
    for (std::size_t i = 0; i < count; ++i, a += bytes, b += bytes) {
        const Located left = Located::load(a), right = Located::load(b);
        (left.template wins_over<largest>(right) ? left : right).store(b);
    }
}

template <bool largest>
CombineExtremes of_numbers(ExtremeElement element) {
    switch (element) {
        case ExtremeElement::single_precision:
            return combine_numbers<float, largest>;
        case ExtremeElement::double_precision:
            return combine_numbers<double, largest>;
        case ExtremeElement::extended_precision:
            return combine_numbers<long double, largest>;
        default:
            return nullptr;
    }
}

template <bool largest>
CombineExtremes of_locations(ExtremeElement element) {
    switch (element) {
        case ExtremeElement::float_int:
            return combine_locations<float, int, largest>;
        case ExtremeElement::double_int:
            return combine_locations<double, int, largest>;
        case ExtremeElement::long_double_int:
            return combine_locations<long double, int, largest>;
        case ExtremeElement::two_real:
            return combine_locations<float, float, largest>;
        case ExtremeElement::two_double_precision:
            return combine_locations<double, double, largest>;
        default:
            return nullptr;
    }
}

}  // namespace

CombineExtremes combine_extremes(ExtremeOperation operation, ExtremeElement element) {
    switch (operation) {
        case ExtremeOperation::maximum:
            return of_numbers<true>(element);
        case ExtremeOperation::minimum:
            return of_numbers<false>(element);
        case ExtremeOperation::maximum_location:
            return of_locations<true>(element);
        case ExtremeOperation::minimum_location:
            return of_locations<false>(element);
    }
    return nullptr;
}

}  // namespace coll_topo
