// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/floating_environment.hpp"
#include "coll_topo/reduction/certified_kernels.hpp"
#include "test/reduction/certified_numbers.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace coll_topo {
namespace {

constexpr int rounding_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/// Restores the thread's environment, whatever a test has set.
class FloatingEnvironments : public testing::Test {
protected:
    void SetUp() override { std::fegetenv(&before_); }
    void TearDown() override { std::fesetenv(&before_); }

    static void flush_to_zero() {
#if defined(__x86_64__)
        _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
        __builtin_aarch64_set_fpcr(__builtin_aarch64_get_fpcr() | 1U << 24);
#endif
    }
    static unsigned control() {
#if defined(__x86_64__)
        return _mm_getcsr();
#elif defined(__aarch64__)
        return __builtin_aarch64_get_fpcr();
#else
        return 0;
#endif
    }

private:
    std::fenv_t before_;
};

template <typename Value>
std::vector<Value> sums_of(const std::vector<std::vector<Value>>& contributions) {
    const FloatingEnvironment environment;
    const CertifiedKernels& kernels = certified_kernels(floating_type<Value>);
    auto values = contributions[0];
    std::vector<std::byte> low(values.size() * kernels.low_bytes);
    std::vector<std::uint16_t> bound(values.size());
    const Shadow shadow{low.data(), bound.data()};
    kernels.add_plain_to_plain(contributions[1].data(), values.data(), shadow, values.size());
    for (std::size_t i = 2; i < contributions.size(); ++i)
        kernels.add_plain(contributions[i].data(), values.data(), shadow, values.size());
    kernels.round(values.data(), shadow, values.size());
    return values;
}

template <typename Value>
void expect_same_sums_in_any_mode(void (*flush_to_zero)()) {
    std::mt19937_64 random(1);
    std::vector<std::vector<Value>> contributions(9, std::vector<Value>(200));
    for (auto& contribution : contributions)
        for (Value& number : contribution)
            number = random_number<Value>(random() % 2 == 0 ? Numbers::subnormal : Numbers::all, random);
    const auto wanted = sums_of(contributions);
    for (const int mode : rounding_modes) {
        std::fesetround(mode);
        for (const bool flushed : {false, true}) {
            if (flushed) flush_to_zero();
            const auto sums = sums_of(contributions);
            for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_TRUE(same_bits(sums[i], wanted[i])) << mode;
            EXPECT_EQ(std::fegetround(), mode);
        }
    }
}

TEST_F(FloatingEnvironments, OfTheCallerDoNotChangeFloatSums) {
    expect_same_sums_in_any_mode<float>(flush_to_zero);
}

TEST_F(FloatingEnvironments, OfTheCallerDoNotChangeDoubleSums) {
    expect_same_sums_in_any_mode<double>(flush_to_zero);
}

TEST_F(FloatingEnvironments, OfTheCallerDoNotChangeLongDoubleSums) {
    expect_same_sums_in_any_mode<long double>(flush_to_zero);
}

template <typename Float>
Float divided(Float dividend, Float divisor) {
    // Not at compile time.
    const volatile Float a = dividend, b = divisor;
    return a / b;
}

TEST_F(FloatingEnvironments, AreBackAfterwards) {
    for (const int mode : rounding_modes) {
        for (const int seen : {0, int{FE_OVERFLOW}, FE_INEXACT | FE_UNDERFLOW}) {
            std::fesetround(mode);
            flush_to_zero();
            std::feclearexcept(FE_ALL_EXCEPT);
            std::feraiseexcept(seen);
            const int flags = std::fetestexcept(FE_ALL_EXCEPT);
            const unsigned before = control();
            {
                const FloatingEnvironment environment;
                EXPECT_EQ(std::fegetround(), FE_TONEAREST);
                EXPECT_EQ(divided<double>(std::numeric_limits<double>::min(), 4) * 4,
                          std::numeric_limits<double>::min());
                EXPECT_TRUE(std::isinf(divided<double>(1, 0)));
                EXPECT_TRUE(std::isinf(divided<long double>(1, 0)));
                EXPECT_TRUE(std::isnan(divided<long double>(0, 0)));
            }
            EXPECT_EQ(control(), before);
            EXPECT_EQ(std::fegetround(), mode);
            EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), flags);
        }
    }
}

}  // namespace
}  // namespace coll_topo
