// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions whose operands are encoded, by every algorithm that reduces, run by threads.
#include "coll_topo/engine/encoded_reduction.hpp"

#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"
#include "test/engine/encoded_ranks.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace coll_topo::test {
namespace {

using Bits = std::vector<std::uint64_t>;

Bits bits_of(const Values& values) {
    Bits bits;
    for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
}

/// What the ranks contribute: sums that cancel, that overflow on the way, and what is no number, among others.
std::vector<Values> contributions(int ranks, std::size_t elements, std::uint32_t seed) {
    constexpr double infinity = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
    std::mt19937_64 engine(seed);
    std::vector<Values> all(ranks, Values(elements));
    for (std::size_t i = 0; i < elements; ++i) {
        for (int rank = 0; rank < ranks; ++rank) {
            const double random =
                std::ldexp(static_cast<double>(engine()) - 0x1p63, static_cast<int>(engine() % 90) - 90);
            double& value = all[rank][i] = random;
            if (i % 11 == 3) value = rank % 2 == 0 ? largest : -largest / 2;
            if (i % 11 == 5 && rank > 0 && rank % 2 == 1) value = -all[rank - 1][i];
            if (i % 11 == 7) value = rank % 3 == 0 ? 1.0 : std::ldexp(1.0, -53 - 60 * (rank % 3));
            if (i % 44 == 9 && rank == ranks / 2) value = i % 88 == 9 ? infinity : std::nan("17");
            if (i % 33 == 10) value = -0.0;
        }
    }
    return all;
}

/// Operands that differ by less than 2^54, whose sums are exact in fixed point, too.
std::vector<Values> close_to_one(int ranks, std::size_t elements) {
    std::mt19937_64 engine(ranks);
    std::vector<Values> all(ranks, Values(elements));
    for (Values& values : all) {
        for (double& value : values) value = std::ldexp(static_cast<double>(engine()) - 0x1p63, -63 + engine() % 30);
    }
    return all;
}

/// The exact sums, one operand after the other.
Values exact_sums(const std::vector<Values>& operands) {
    const ExactEncoding& encoding = superaccumulator(FloatingType::double_precision);
    const std::size_t elements = operands[0].size();
    std::vector<std::byte> sum(elements * encoding.encoded_bytes), term(sum.size());
    encoding.encode(operands[0].data(), sum.data(), elements);
    for (std::size_t rank = 1; rank < operands.size(); ++rank) {
        encoding.encode(operands[rank].data(), term.data(), elements);
        encoding.combine(term.data(), sum.data(), elements);
    }
    Values result(elements);
    encoding.decode(sum.data(), result.data(), elements);
    return result;
}

void check(EncodedRanks& ranks, const std::vector<Values>& operands, int reproducible) {
    const Values expected = exact_sums(operands);
    const auto results = ranks.run(reproducible, COLL_TOPO_SUM, operands);
    for (int rank = 0; rank < ranks.size(); ++rank) {
        ASSERT_EQ(bits_of(results[rank]), bits_of(ranks.part(expected, rank))) << "rank " << rank;
    }
}

TEST(EncodedReduction, ExactSumsOfManyRanks) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{4, 8}, {8, 8}}) {
        const Grid grid = full_grid(sizes);
        EncodedRanks ranks(grid, *find_algorithm("halving_doubling"), {Collective::allreduce, 1, 4}, 0);
        check(ranks, contributions(ranks.size(), 500, ranks.size()), COLL_TOPO_EXACT);
    }
}

/// The bytes that all ranks send for a reduction of these operands, and whether its sums are right.
std::size_t bytes_sent(const Grid& grid, const Problem& problem, int operation, const std::vector<Values>& operands) {
    EncodedRanks ranks(grid, *find_algorithm("halving_doubling"), problem, 0);
    const auto results = ranks.run(COLL_TOPO_EXACT, operation, operands);
    if (operation == COLL_TOPO_SUM) {
        EXPECT_EQ(bits_of(results[0]), bits_of(exact_sums(operands)));
    }
    return ranks.bytes_sent();
}

std::vector<Grid> grids() {
    std::vector<Grid> all;
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{2}, {3}, {2, 2}, {7}, {3, 4}}) {
        all.push_back(full_grid(sizes));
    }
    all.push_back(full_grid({3, 2}, 2));
    const Machine machine = roll_fat_tree(11, 5);
    all.push_back(Grid::from_fabric(machine.fabric, machine.placement).value());
    return all;
}

TEST(EncodedReduction, ExactSumsByEveryAlgorithm) {
    constexpr std::size_t segment_bytes[] = {0, 18, 100};
    int turn = 0;
    for (const Algorithm& algorithm : catalogue()) {
        for (const Collective collective : {Collective::allreduce, Collective::reduce, Collective::reduce_scatter,
                                            Collective::reduce_scatter_block}) {
            if (!algorithm.serves(collective)) continue;
            for (const Grid& grid : grids()) {
                for (const Problem& problem : problems(algorithm, collective, grid, 2)) {
                    SCOPED_TRACE(describe(algorithm, problem) + ", " + grid.summary());
                    EncodedRanks ranks(grid, algorithm, problem, segment_bytes[turn % std::size(segment_bytes)]);
                    const bool exact = turn++ % 2 == 0;
                    for (const int each : {0, 1, 9}) {
                        const int elements = each * ranks.size();
                        if (exact) {
                            check(ranks, contributions(ranks.size(), elements, 31 + elements), COLL_TOPO_EXACT);
                        } else {
                            check(ranks, close_to_one(ranks.size(), elements), COLL_TOPO_FIXED_POINT);
                        }
                    }
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

TEST(EncodedReduction, ExactSumsMoveAThirdMoreThanTheirOperands) {
    const Grid grid = full_grid({4, 4});
    for (const int lanes : {1, 4}) {
        const Problem problem{Collective::allreduce, 1, lanes};
        const auto operands = close_to_one(16, 4096);
        // Extremes travel as they are.
        const std::size_t plain = bytes_sent(grid, problem, COLL_TOPO_MAXIMUM, operands);
        const std::size_t exact = bytes_sent(grid, problem, COLL_TOPO_SUM, operands);
        EXPECT_GT(exact, plain) << lanes << " lanes";
        EXPECT_LE(static_cast<double>(exact), 1.35 * static_cast<double>(plain)) << lanes << " lanes";
    }
}

TEST(EncodedReduction, SumsOfIntegersMoveNoMoreThanTheirOperands) {
    const Grid grid = full_grid({4, 4});
    const Problem problem{Collective::allreduce, 1, 4};
    std::vector<Values> operands(16, Values(4096));
    for (int rank = 0; rank < 16; ++rank) std::iota(operands[rank].begin(), operands[rank].end(), 1000.0 * rank);
    EXPECT_EQ(bytes_sent(grid, problem, COLL_TOPO_SUM, operands),
              bytes_sent(grid, problem, COLL_TOPO_MAXIMUM, operands));
}

TEST(EncodedReduction, ElementsThatAreAllUncertainAreRightAndCostTheirLongIntegers) {
    const Grid grid = full_grid({4, 4});
    const Problem problem{Collective::allreduce};
    const std::size_t elements = 8192;  // repaired in several parts
    std::vector<Values> operands(16, Values(elements));
    // Sums of neighbours overflow.
    constexpr double largest = std::numeric_limits<double>::max();
    for (int rank = 0; rank < 16; ++rank) {
        for (std::size_t i = 0; i < elements; ++i)
            operands[rank][i] = rank < 8 ? largest : rank == 15 ? 1.0 * i : -largest;
    }
    const std::size_t plain = bytes_sent(grid, problem, COLL_TOPO_MAXIMUM, operands);
    const std::size_t exact = bytes_sent(grid, problem, COLL_TOPO_SUM, operands);
    const std::size_t wide = superaccumulator(FloatingType::double_precision).encoded_bytes;
    EXPECT_GT(exact, plain * wide / sizeof(double));
    EXPECT_LE(exact, plain * (wide / sizeof(double) + 2));
}

TEST(EncodedReduction, EndsOnAllRanksWhenARequestFails) {
    const Grid grid = full_grid({2, 2});
    for (const char* name : {"recursive_doubling", "halving_doubling"}) {
        for (int nth = 0; nth < 24; ++nth) {
            EncodedRanks ranks(grid, *find_algorithm(name), Problem{Collective::allreduce}, 54);
            ranks.fail_at(nth % 4, nth);
            ranks.run(COLL_TOPO_EXACT, COLL_TOPO_SUM, contributions(4, 40, nth));
        }
    }
}

TEST(EncodedReduction, ExtremesAreThoseOfTheirRules) {
    const Grid grid = full_grid({3, 2});
    std::vector<Values> operands(6, Values{0.0, 1, 2});
    operands[4] = {-0.0, std::nan("5"), -2};
    const Problem problem{Collective::allreduce};
    EncodedRanks ranks(grid, any_allreduce(grid), problem, 0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Values& result : ranks.run(COLL_TOPO_EXACT, COLL_TOPO_MAXIMUM, operands)) {
        EXPECT_EQ(bits_of(result), bits_of({0.0, nan, 2}));
    }
    for (const Values& result : ranks.run(COLL_TOPO_FIXED_POINT, COLL_TOPO_MINIMUM, operands)) {
        EXPECT_EQ(bits_of(result), bits_of({-0.0, nan, -2}));
    }
}

TEST(ReductionMethod, IsWhatEachModePromises) {
    for (int mode = COLL_TOPO_ANY_ORDER; mode < COLL_TOPO_REPRODUCIBLE_END; ++mode) {
        const int integers = coll_topo_reduction_method(mode, COLL_TOPO_PREDEFINED_OPERATION, COLL_TOPO_INTEGER);
        EXPECT_EQ(integers, COLL_TOPO_AS_THEY_ARE);
        const int own = coll_topo_reduction_method(mode, COLL_TOPO_USER_OPERATION, COLL_TOPO_INTEGER);
        EXPECT_EQ(own, mode == COLL_TOPO_ANY_ORDER ? COLL_TOPO_AS_THEY_ARE : COLL_TOPO_BY_COORDINATES);
    }
    EXPECT_EQ(coll_topo_reduction_method(COLL_TOPO_FIXED_ORDER, COLL_TOPO_SUM, COLL_TOPO_DOUBLE),
              COLL_TOPO_BY_COORDINATES);
    for (const int mode : {COLL_TOPO_FIXED_POINT, COLL_TOPO_EXACT}) {
        const auto method = [&](int operation, int operand) {
            return coll_topo_reduction_method(mode, operation, operand);
        };
        EXPECT_EQ(method(COLL_TOPO_SUM, COLL_TOPO_LONG_DOUBLE_COMPLEX), COLL_TOPO_ENCODED);
        EXPECT_EQ(method(COLL_TOPO_MAXIMUM, COLL_TOPO_FLOAT), COLL_TOPO_ENCODED);
        EXPECT_EQ(method(COLL_TOPO_MINIMUM_LOCATION, COLL_TOPO_DOUBLE_INT), COLL_TOPO_ENCODED);
        EXPECT_EQ(method(COLL_TOPO_MAXIMUM, COLL_TOPO_DOUBLE_INT), COLL_TOPO_BY_COORDINATES);
        EXPECT_EQ(method(COLL_TOPO_SUM, COLL_TOPO_DOUBLE_INT), COLL_TOPO_BY_COORDINATES);
        EXPECT_EQ(method(COLL_TOPO_PREDEFINED_OPERATION, COLL_TOPO_DOUBLE), COLL_TOPO_BY_COORDINATES);
        EXPECT_EQ(method(COLL_TOPO_SUM, COLL_TOPO_OTHER_OPERAND), COLL_TOPO_BY_COORDINATES);
    }
}

}  // namespace
}  // namespace coll_topo::test
