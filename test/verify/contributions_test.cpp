// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/contributions.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace coll_topo::verify {
namespace {

using Value = std::vector<Contributions::Word>;

Value of(const Contributions& contributions, int rank) {
    Value value(contributions.words());
    contributions.set(value.data(), rank);
    return value;
}

TEST(Contributions, AValueOfZeroesHoldsNothing) {
    for (const bool in_order : {false, true}) {
        const Contributions contributions(130, in_order);
        const Value empty(contributions.words());
        EXPECT_TRUE(contributions.nothing(empty.data()));
        EXPECT_EQ(contributions.text(empty.data()), "nothing");
        for (const int rank : {0, 63, 64, 129}) {
            const Value value = of(contributions, rank);
            EXPECT_FALSE(contributions.nothing(value.data())) << rank;
            EXPECT_TRUE(contributions.only(value.data(), rank));
            EXPECT_FALSE(contributions.only(value.data(), rank ^ 1));
            EXPECT_EQ(contributions.text(value.data()), "ranks " + std::to_string(rank));
        }
    }
}

TEST(Contributions, AllNeedsEveryRankWhateverTheWordsAreFilledWith) {
    for (const bool in_order : {false, true}) {
        for (const int ranks : {1, 2, 63, 64, 65, 128, 129, 200}) {
            const Contributions contributions(ranks, in_order);
            Value value = of(contributions, 0);
            for (int rank = 1; rank < ranks; ++rank) {
                EXPECT_FALSE(contributions.all(value.data())) << ranks << " ranks, " << rank << " of them there";
                ASSERT_TRUE(contributions.combine(value.data(), of(contributions, rank).data(), false));
            }
            EXPECT_TRUE(contributions.all(value.data())) << ranks;
        }
    }
}

TEST(Contributions, NothingIsCountedTwice) {
    const Contributions contributions(100, false);
    Value value = of(contributions, 70);
    ASSERT_TRUE(contributions.combine(value.data(), of(contributions, 3).data(), true));
    const Value before = value;
    EXPECT_FALSE(contributions.combine(value.data(), of(contributions, 70).data(), true));
    EXPECT_EQ(value, before);
    EXPECT_EQ(contributions.text(value.data()), "ranks 3, 70");
}

TEST(Contributions, InOrderOnlyNeighboursMeetAndOnTheRightSide) {
    const Contributions contributions(100, true);
    Value value = of(contributions, 5);
    EXPECT_FALSE(contributions.combine(value.data(), of(contributions, 6).data(), true));
    EXPECT_FALSE(contributions.combine(value.data(), of(contributions, 7).data(), false));
    EXPECT_FALSE(contributions.combine(value.data(), of(contributions, 5).data(), false));
    EXPECT_TRUE(contributions.combine(value.data(), of(contributions, 6).data(), false));
    EXPECT_TRUE(contributions.combine(value.data(), of(contributions, 4).data(), true));
    EXPECT_EQ(contributions.text(value.data()), "ranks 4-6");
}

}  // namespace
}  // namespace coll_topo::verify
