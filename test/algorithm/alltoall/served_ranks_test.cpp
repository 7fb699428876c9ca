// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/alltoall/served_ranks.hpp"

#include "test/algorithm/machine.hpp"

#include <gtest/gtest.h>

#include <set>

namespace coll_topo::test {
namespace {

TEST(ServedRanks, EveryRankIsInOneGroupOfEachKind) {
    const Machine machine = make_machine({{4, 3}}, {3, 2, 2, 0, 2, 3, 4, 2, 2, 5, 3, 2}, RankOrder::shuffled, 7);
    const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
    ASSERT_GT(grid.extra_hosts(), 0);
    for (const int aggregators : {1, 2}) {
        const ServedRanks served(grid, aggregators);
        std::set<int> seen;
        for (int place = 0; place < grid.places(); ++place) {
            std::size_t by_any = 0;
            for (int part = 0; part < aggregators; ++part) by_any += served.by(place, part).size();
            EXPECT_EQ(by_any, served.at(place).size());
            for (const std::int32_t rank : served.at(place)) {
                EXPECT_TRUE(seen.insert(rank).second);
                const Server server = served.server(rank);
                EXPECT_EQ(server.host, place);
                EXPECT_EQ(served.at(place)[served.index_at(rank)], rank);
                EXPECT_EQ(served.by(place, server.part)[served.index_by(rank)], rank);
            }
        }
        EXPECT_EQ(static_cast<int>(seen.size()), grid.ranks());
    }
}

TEST(ServedRanks, NumbersTheRanksOfAPartInTheirOrder) {
    const Machine machine = make_machine({{3, 2}}, {3, 3, 3, 3, 3, 3}, RankOrder::in_turn);
    const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
    const ServedRanks served(grid, 2);
    std::vector<int> next = {0, 0};
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        EXPECT_EQ(served.index_of_part(rank), next[served.server(rank).part]++);
    }
    EXPECT_EQ(served.of_part(0), next[0]);
    EXPECT_EQ(served.of_part(1), next[1]);
}

TEST(ServedRanks, AggregatorsOfTheBoxServeThemselves) {
    const Machine machine = make_machine({{2, 2}}, {4, 3, 5, 4}, RankOrder::shuffled, 2);
    const Grid grid = Grid::from_torus(machine.fabric, machine.placement).value();
    const ServedRanks served(grid, 3);
    for (int place = 0; place < grid.places(); ++place) {
        for (int part = 0; part < 3; ++part) {
            const Server server = served.server(grid.aggregator_rank(place, part, 3));
            EXPECT_EQ(server.host, place);
            EXPECT_EQ(server.part, part);
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
