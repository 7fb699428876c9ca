// SPDX-License-Identifier: BSD-3-Clause
// The certified kernels of all instruction sets against sums by MPFR. COLL_TOPO_PROOF=full in the environment makes
// that ten million for each instruction set.
#include "test/reduction/certified_sums.hpp"
#include "test/reduction/oracle.hpp"
#include "test/reduction/proof_run.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

namespace coll_topo {
namespace {

using test::Bytes, test::CertifiedSums, test::Distribution, test::Random, test::SumTrial;

constexpr InstructionSet instruction_sets[] = {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512,
                                               InstructionSet::neon};

template <class Value>
std::vector<Bytes> bytes_of(const SumTrial<Value>& trial) {
    std::vector<Bytes> operands;
    for (const auto& values : trial.operands) {
        operands.emplace_back(sizeof(Value) * trial.count());
        std::memcpy(operands.back().data(), values.data(), operands.back().size());
    }
    return operands;
}

/// Checks all results but sentinels, which are counted.
template <class Value>
std::string check_rounded(const CertifiedKernels& kernels, const SumTrial<Value>& trial, const std::byte* rounded,
                          std::size_t& sentinels) {
    std::size_t sentinel = kernels.find_sentinel(rounded, 0, trial.count());
    for (std::size_t i = 0; i < trial.count(); ++i) {
        if (i == sentinel) {
            ++sentinels;
            sentinel = kernels.find_sentinel(rounded, i + 1, trial.count());
            continue;
        }
        Value result;
        std::memcpy(static_cast<void*>(&result), rounded + i * sizeof result, sizeof result);
        if (!test::same_bits(result, trial.sums[i])) return test::wrong("certified", trial, i, result);
    }
    return {};
}

/// All instruction sets, with the same tree: the same results, which are exact, and the same sentinels.
template <class Value>
std::string check_certified(const SumTrial<Value>& trial, Random& random, std::size_t& sentinels) {
    const std::vector<Bytes> operands = bytes_of(trial);
    const Random before = random;
    Bytes first;
    for (const InstructionSet set : instruction_sets) {
        const CertifiedKernels* const kernels = certified_kernels(test::floating_type<Value>, set);
        if (kernels == nullptr) continue;
        random = before;
        CertifiedSums sums = test::certified_sums(*kernels, operands, trial.count(), random);
        const std::byte* const rounded = sums.round();
        if (!sums.messages_are_marked()) return "a message ends with the mark of one that was not packed";
        const Bytes results(rounded, rounded + sizeof(Value) * trial.count());
        if (!first.empty() && results != first) {
            return "instruction set " + std::to_string(static_cast<int>(set)) + " gives other bits than the scalar one";
        }
        if (!first.empty()) continue;
        first = results;
        std::string wrong = check_rounded(*kernels, trial, rounded, sentinels);
        if (!wrong.empty()) return wrong;
    }
    return {};
}

template <class Value>
struct CertifiedSumProof : testing::Test {};
using FloatingTypes = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(CertifiedSumProof, FloatingTypes);

TYPED_TEST(CertifiedSumProof, ResultsAreWhatTheOracleGives) {
    std::atomic<std::size_t> all_sentinels{0};
    test::prove<TypeParam>(test::proof_sums<TypeParam>(), test::all_distributions,
                           [&](const SumTrial<TypeParam>& trial, Random& random) {
                               std::size_t sentinels = 0;
                               std::string wrong = check_certified(trial, random, sentinels);
                               all_sentinels += sentinels;
                               return wrong;
                           });
    EXPECT_GT(all_sentinels, 0u) << "the distributions are too tame to see sentinels";
}

TYPED_TEST(CertifiedSumProof, OrdinaryDataAreAlwaysCertain) {
    constexpr Distribution ordinary[] = {Distribution::gaussian, Distribution::lognormal, Distribution::subnormal};
    test::prove<TypeParam>(test::proof_sums<TypeParam>(), ordinary,
                           [](const SumTrial<TypeParam>& trial, Random& random) {
                               std::size_t sentinels = 0;
                               std::string wrong = check_certified(trial, random, sentinels);
                               if (!wrong.empty() || sentinels == 0) return wrong;
                               return std::to_string(sentinels) + " sentinels among " + std::to_string(trial.count());
                           });
}

// Two numbers of about one size often add up to half-way between two others. Where a third is so small that the pair
// loses it, the side to round to cannot be known.
TYPED_TEST(CertifiedSumProof, NumbersFarApartAreSeldomUncertain) {
    constexpr Distribution wide[] = {Distribution::wide_range};
    std::atomic<std::size_t> sums{0}, all_sentinels{0};
    test::prove<TypeParam>(test::proof_sums<TypeParam>(), wide, [&](const SumTrial<TypeParam>& trial, Random& random) {
        std::size_t sentinels = 0;
        std::string wrong = check_certified(trial, random, sentinels);
        sums += trial.count();
        all_sentinels += sentinels;
        return wrong;
    });
    EXPECT_LT(100 * all_sentinels, sums);
}

}  // namespace
}  // namespace coll_topo
