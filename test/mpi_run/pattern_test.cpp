// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/pattern.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace coll_topo::bench {
namespace {

constexpr int ranks = 5;
constexpr std::uint32_t call = 7;

/// What a correct allreduce of a hundred elements leaves, leaving out one rank's contribution and adding another's.
std::vector<Element> sum(int missing, int twice) {
    std::vector<Element> total(100), contribution(100);
    for (int rank = 0; rank < ranks; ++rank) {
        fill(contribution, {0, weight_of(rank, call)});
        const Element times = (rank != missing) + (rank == twice);
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += times * contribution[i];
    }
    return total;
}

Pattern expected(std::size_t first, std::uint32_t number) {
    Element weight = 0;
    for (int rank = 0; rank < ranks; ++rank) weight += weight_of(rank, number);
    return {first, weight};
}

TEST(BenchPattern, ASumHasTheForm) {
    EXPECT_FALSE(first_difference(sum(-1, -1), expected(0, call)));
}

TEST(BenchPattern, ShowsAMissingOrDoubledContribution) {
    for (int rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(0u, first_difference(sum(rank, -1), expected(0, call))) << rank;
        EXPECT_EQ(0u, first_difference(sum(-1, rank), expected(0, call))) << rank;
    }
    EXPECT_EQ(0u, first_difference(sum(1, 3), expected(0, call)));
}

TEST(BenchPattern, ShowsAResultOfAnotherCallOrPlace) {
    EXPECT_EQ(0u, first_difference(sum(-1, -1), expected(0, call + 1)));
    EXPECT_EQ(0u, first_difference(sum(-1, -1), expected(1, call)));
}

TEST(BenchPattern, FindsTheOneWrongElement) {
    std::vector<Element> total = sum(-1, -1);
    total[42] ^= 0x80000000U;
    EXPECT_EQ(42u, first_difference(total, expected(0, call)));
}

}  // namespace
}  // namespace coll_topo::bench
