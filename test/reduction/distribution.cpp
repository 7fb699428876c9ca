// SPDX-License-Identifier: BSD-3-Clause
#include "test/reduction/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coll_topo::test {
namespace {

int between(int least, int most, Random& random) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

bool chance(int percent, Random& random) {
    return between(0, 99, random) < percent;
}

/// Random digits, 1 <= |number| < 2, times 2^exponent.
template <class Value>
Value with_exponent(int exponent, Random& random) {
    constexpr int digits = std::numeric_limits<Value>::digits;
    const std::uint64_t high = random() | std::uint64_t{1} << 63;
    Value number = static_cast<Value>(digits >= 64 ? high : high >> (64 - digits) << (64 - digits));
    if constexpr (digits > 64) number += std::ldexp(static_cast<Value>(random() >> (128 - digits)), 64 - digits);
    number = std::ldexp(number, exponent - 63);
    return chance(50, random) ? -number : number;
}

template <class Value>
Value gaussian(Random& random) {
    return std::normal_distribution<Value>()(random);
}

template <class Value>
Value subnormal(Random& random) {
    constexpr int least = std::numeric_limits<Value>::min_exponent - 1;
    if (chance(20, random)) return with_exponent<Value>(least + between(0, 3, random), random);
    // ldexp rounds what does not fit.
    return with_exponent<Value>(least - between(1, std::numeric_limits<Value>::digits - 1, random), random);
}

template <class Value>
std::vector<Value> cancelling(std::size_t count, Random& random) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < count / 2; ++i) {
        const Value number = with_exponent<Value>(between(-80, 80, random), random);
        values.insert(values.end(), {number, -number});
    }
    if (values.empty() || chance(70, random)) {
        values.push_back(with_exponent<Value>(between(-120, -80, random), random));
    }
    return values;
}

/// A number and half a unit in its last place, perhaps something tiny, each cut in two at random.
template <class Value>
std::vector<Value> tie(std::size_t count, Random& random) {
    const int exponent = between(-20, 20, random);
    const int half_unit = exponent - std::numeric_limits<Value>::digits;
    const Value sign = chance(50, random) ? 1 : -1;
    std::vector<Value> values = {with_exponent<Value>(exponent, random), std::ldexp(sign, half_unit)};
    if (chance(60, random)) values.push_back(with_exponent<Value>(half_unit - between(1, 90, random), random));
    while (values.size() < count) {
        const auto at = static_cast<std::size_t>(between(0, static_cast<int>(values.size()) - 1, random));
        if (values[at] == 0) break;
        const Value part =
            std::ldexp(std::trunc(std::ldexp(values[at], 10 - std::ilogb(values[at]))), std::ilogb(values[at]) - 10);
        values.push_back(values[at] - part);  // exact, as `part` is made of the highest digits
        values[at] = part;
    }
    return values;
}

template <class Value>
std::vector<Value> near_limit(std::size_t count, Random& random) {
    constexpr Value most = std::numeric_limits<Value>::max();
    constexpr int top = std::numeric_limits<Value>::max_exponent - 1;
    const Value sign = chance(50, random) ? 1 : -1;
    std::vector<Value> values = {sign * most};
    while (values.size() + 1 < count) {
        const Value number = chance(50, random) ? most : with_exponent<Value>(top - between(0, 2, random), random);
        values.insert(values.end(), {number, -number});
    }
    // Half a unit in the last place is where overflow begins.
    if (chance(60, random)) values.push_back(sign * std::ldexp(Value{1}, top - std::numeric_limits<Value>::digits));
    if (chance(60, random)) values.push_back(with_exponent<Value>(top - between(60, 400, random) / 2, random));
    return values;
}

template <class Value>
std::vector<Value> mixed(std::size_t count, Random& random) {
    std::vector<Value> values = {gaussian<Value>(random)};
    while (values.size() < count) {
        const Value number = gaussian<Value>(random);
        values.push_back(number);
        if (chance(80, random)) values.push_back(-number);
    }
    return values;
}

template <class Value>
Value special(int kinds, Random& random) {
    using Limits = std::numeric_limits<Value>;
    const Value choices[] = {
        -Value{0},           Value{0},       Value{1},           -Limits::denorm_min(), Limits::max(),
        -Value{1},           -Limits::max(), Limits::infinity(), -Limits::infinity(),   Limits::quiet_NaN(),
        -Limits::quiet_NaN()};
    return choices[between(0, kinds - 1, random)];
}

template <class Value>
std::vector<Value> specials(std::size_t count, Random& random) {
    const int kinds = between(1, 11, random);
    std::vector<Value> values(count);
    for (Value& value : values) value = special<Value>(kinds, random);
    return values;
}

template <class Value>
Value one_of(Distribution distribution, Random& random) {
    switch (distribution) {
        case Distribution::lognormal:
            return std::lognormal_distribution<Value>(0, 3)(random);
        case Distribution::wide_range: {
            constexpr int bound = std::numeric_limits<Value>::max_exponent / 3;
            return with_exponent<Value>(between(-bound, bound, random), random);
        }
        case Distribution::subnormal:
            return subnormal<Value>(random);
        default:
            return gaussian<Value>(random);
    }
}

}  // namespace

std::string name(Distribution distribution) {
    static const char* const names[] = {"gaussian", "lognormal",     "wide_range",  "subnormal", "total_cancellation",
                                        "ties",     "near_overflow", "mixed_signs", "specials"};
    return names[static_cast<int>(distribution)];
}

template <class Value>
std::vector<Value> draw(Distribution distribution, std::size_t count, Random& random) {
    std::vector<Value> values;
    if (distribution == Distribution::total_cancellation) {
        values = cancelling<Value>(count, random);
    } else if (distribution == Distribution::ties) {
        values = tie<Value>(count, random);
    } else if (distribution == Distribution::near_overflow) {
        values = near_limit<Value>(count, random);
    } else if (distribution == Distribution::mixed_signs) {
        values = mixed<Value>(count, random);
    } else if (distribution == Distribution::specials) {
        values = specials<Value>(count, random);
    } else {
        values.resize(count);
        for (Value& value : values) value = one_of<Value>(distribution, random);
    }
    std::shuffle(values.begin(), values.end(), random);
    return values;
}

template std::vector<float> draw(Distribution, std::size_t, Random&);
template std::vector<double> draw(Distribution, std::size_t, Random&);
template std::vector<long double> draw(Distribution, std::size_t, Random&);

std::size_t draw_count(std::size_t most, Random& random) {
    const std::size_t bound = random() % 4 == 0 ? most : std::min<std::size_t>(most, 8);
    return 1 + random() % bound;
}

}  // namespace coll_topo::test
