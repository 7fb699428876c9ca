// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/contributions.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace coll_topo::verify {
namespace {

using Value = Contributions::Value;
constexpr Value nothing = Contributions::nothing;

TEST(Contributions, OneRankAloneIsNeitherNothingNorAll) {
    for (const bool in_order : {false, true}) {
        const Contributions contributions(130, in_order);
        EXPECT_EQ(contributions.text(nothing), "nothing");
        EXPECT_EQ(contributions.lowest(nothing), -1);
        EXPECT_FALSE(contributions.all(nothing));
        for (const int rank : {0, 63, 64, 129}) {
            const Value value = Contributions::only(rank);
            EXPECT_NE(value, nothing);
            EXPECT_FALSE(contributions.all(value)) << rank;
            EXPECT_EQ(contributions.lowest(value), rank);
            EXPECT_EQ(contributions.text(value), "ranks " + std::to_string(rank));
        }
    }
}

TEST(Contributions, AllNeedsEveryRank) {
    for (const bool in_order : {false, true}) {
        for (const int ranks : {1, 2, 63, 64, 65, 128, 129, 200}) {
            Contributions contributions(ranks, in_order);
            Value value = Contributions::only(0);
            for (int rank = 1; rank < ranks; ++rank) {
                EXPECT_FALSE(contributions.all(value)) << ranks << " ranks, " << rank << " of them there";
                value = contributions.combine(value, Contributions::only(rank));
                ASSERT_NE(value, nothing);
            }
            EXPECT_TRUE(contributions.all(value)) << ranks;
        }
    }
}

TEST(Contributions, NothingIsCountedTwice) {
    Contributions contributions(100, false);
    const Value value = contributions.combine(Contributions::only(3), Contributions::only(70));
    EXPECT_EQ(contributions.text(value), "ranks 3, 70");
    for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(contributions.combine(value, Contributions::only(70)), nothing);
        EXPECT_EQ(contributions.combine(Contributions::only(3), value), nothing);
        EXPECT_EQ(contributions.combine(value, value), nothing);
        EXPECT_EQ(contributions.combine(value, nothing), nothing);
    }
    EXPECT_EQ(contributions.text(value), "ranks 3, 70");
}

TEST(Contributions, InOrderOnlyNeighboursMeetAndOnTheRightSide) {
    Contributions contributions(100, true);
    const auto only = [](int rank) { return Contributions::only(rank); };
    for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(contributions.combine(only(6), only(5)), nothing);
        EXPECT_EQ(contributions.combine(only(5), only(7)), nothing);
        EXPECT_EQ(contributions.combine(only(5), only(5)), nothing);
        const Value pair = contributions.combine(only(5), only(6));
        EXPECT_EQ(contributions.combine(pair, only(4)), nothing);
        EXPECT_EQ(contributions.text(contributions.combine(only(4), pair)), "ranks 4-6");
    }
}

// However they came about, equal sets have the same number and different ones do not; compared with std::set.
TEST(Contributions, EqualSetsAreTheSameValue) {
    std::mt19937 random(27);
    for (const int ranks : {3, 8, 70}) {
        Contributions contributions(ranks, false);
        std::vector<std::set<int>> sets = {{}};
        std::vector<Value> values = {nothing};
        for (int rank = 0; rank < ranks; ++rank) {
            sets.push_back({rank});
            values.push_back(Contributions::only(rank));
        }
        for (int trial = 0; trial < 3000; ++trial) {
            const std::size_t a = random() % sets.size(), b = random() % sets.size();
            std::set<int> both = sets[a];
            both.insert(sets[b].begin(), sets[b].end());
            const bool legal = !sets[a].empty() && !sets[b].empty() && both.size() == sets[a].size() + sets[b].size();
            const Value value = contributions.combine(values[a], values[b]);
            ASSERT_EQ(value != nothing, legal);
            EXPECT_EQ(contributions.combine(values[b], values[a]), value);
            if (!legal) continue;
            EXPECT_EQ(contributions.all(value), both.size() == static_cast<std::size_t>(ranks));
            EXPECT_EQ(contributions.lowest(value), *both.begin());
            for (std::size_t i = 0; i < sets.size(); ++i) ASSERT_EQ(sets[i] == both, values[i] == value);
            sets.push_back(both);
            values.push_back(value);
        }
    }
}

}  // namespace
}  // namespace coll_topo::verify
