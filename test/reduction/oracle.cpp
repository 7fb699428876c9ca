// SPDX-License-Identifier: BSD-3-Clause
#include "test/reduction/oracle.hpp"

#include "coll_topo/reduction/floating_format.hpp"

#include <mpfr.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace coll_topo::test {
namespace {

int set(mpfr_t target, float value) {
    return mpfr_set_flt(target, value, MPFR_RNDN);
}
int set(mpfr_t target, double value) {
    return mpfr_set_d(target, value, MPFR_RNDN);
}
int set(mpfr_t target, long double value) {
    return mpfr_set_ld(target, value, MPFR_RNDN);
}

template <class Value>
Value get(mpfr_t number) {
    if constexpr (std::is_same_v<Value, float>) return mpfr_get_flt(number, MPFR_RNDN);
    if constexpr (std::is_same_v<Value, double>) return mpfr_get_d(number, MPFR_RNDN);
    if constexpr (std::is_same_v<Value, long double>) return mpfr_get_ld(number, MPFR_RNDN);
}

/// A number of MPFR that holds any sum of values exactly: 2300 bits for float and double.
template <class Value>
class ExactNumber {
public:
    ExactNumber() {
        mpfr_init2(sum_, std::numeric_limits<Value>::max_exponent > 1024 ? 34000 : 2300);
        mpfr_init2(operand_, std::numeric_limits<Value>::digits);
        mpfr_set_zero(sum_, 1);
    }
    ~ExactNumber() { mpfr_clears(sum_, operand_, static_cast<mpfr_ptr>(nullptr)); }
    ExactNumber(const ExactNumber&) = delete;
    ExactNumber& operator=(const ExactNumber&) = delete;

    void add(Value value) {
        if (set(operand_, value) != 0 || mpfr_add(sum_, sum_, operand_, MPFR_RNDN) != 0) {
            throw std::logic_error("the oracle is not exact");
        }
    }

    /// Rounded once: first to the digits of a normal number, which keeps in mind in which direction, then to those of a
    /// subnormal one if it is.
    Value rounded() {
        using Limits = std::numeric_limits<Value>;
        int direction = mpfr_set(operand_, sum_, MPFR_RNDN);
        const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
        mpfr_set_emin(Limits::min_exponent - Limits::digits + 1);
        mpfr_set_emax(Limits::max_exponent);
        direction = mpfr_check_range(operand_, direction, MPFR_RNDN);
        mpfr_subnormalize(operand_, direction, MPFR_RNDN);
        const Value value = mpfr_zero_p(operand_) ? Value{0} : get<Value>(operand_);
        mpfr_set_emin(least);
        mpfr_set_emax(most);
        return value;
    }

private:
    mpfr_t sum_;
    mpfr_t operand_;
};

}  // namespace

template <class Value>
Value exact_sum(std::span<const Value> values) {
    constexpr Value infinity = std::numeric_limits<Value>::infinity();
    bool nan = false, up = false, down = false, all_negative_zero = true;
    ExactNumber<Value> sum;
    for (const Value value : values) {
        nan = nan || std::isnan(value);
        up = up || value == infinity;
        down = down || value == -infinity;
        all_negative_zero = all_negative_zero && value == 0 && std::signbit(value);
        if (std::isfinite(value)) sum.add(value);
    }
    if (nan || (up && down)) return std::numeric_limits<Value>::quiet_NaN();
    if (up || down) return up ? infinity : -infinity;
    return all_negative_zero ? -Value{0} : sum.rounded();
}

template <class Value>
bool same_bits(Value a, Value b) {
    return std::memcmp(&a, &b, FormatOf<Value>::stored_bits / 8) == 0;
}

template <class Value>
bool has_no_padding(const Value& value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t i = FormatOf<Value>::stored_bits / 8; i < sizeof value; ++i) {
        if (bytes[i] != 0) return false;
    }
    return true;
}

template <class Value>
std::string show(Value value) {
    char text[80];
    std::snprintf(text, sizeof text, "%La (", static_cast<long double>(value));
    std::string shown = text;
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (int i = FormatOf<Value>::stored_bits / 8; i-- > 0;) {
        std::snprintf(text, sizeof text, "%02x", static_cast<unsigned>(bytes[i]));
        shown += text;
    }
    return shown + ")";
}

#define COLL_TOPO_INSTANTIATE(Value)                  \
    template Value exact_sum(std::span<const Value>); \
    template bool same_bits(Value, Value);            \
    template bool has_no_padding(const Value&);       \
    template std::string show(Value);
COLL_TOPO_INSTANTIATE(float)
COLL_TOPO_INSTANTIATE(double)
COLL_TOPO_INSTANTIATE(long double)
#undef COLL_TOPO_INSTANTIATE

}  // namespace coll_topo::test
