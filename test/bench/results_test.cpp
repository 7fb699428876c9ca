// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/results.hpp"

#include "coll_topo/mpi_run/median.hpp"

#include <gtest/gtest.h>

namespace coll_topo::bench {
namespace {

Measurement seen(std::vector<double> seconds, int by_topo) {
    Measurement measurement;
    measurement.calls = static_cast<int>(seconds.size());
    measurement.calls_by_topo = by_topo;
    measurement.seconds = std::move(seconds);
    return measurement;
}

TEST(BenchResults, Median) {
    EXPECT_EQ(0, median({}));
    EXPECT_EQ(7, median({7}));
    EXPECT_EQ(2, median({9, 1, 2}));
    EXPECT_EQ(2.5, median({9, 3, 1, 2}));
}

TEST(BenchResults, RowsOfACase) {
    CaseFacts facts;
    facts.collective = "allreduce";
    facts.bytes = 1000;
    facts.bus_share = 1.5;
    facts.bound = simulate::Bound{.transfer = 1};
    const auto rows = rows_of(facts, {"topo", "tuned"}, {seen({2, 4, 3}, 3), seen({12, 12, 12}, 0)});
    ASSERT_EQ(2u, rows.size());
    EXPECT_EQ(3, rows[0].median);
    EXPECT_EQ(2, rows[0].least);
    EXPECT_EQ(4, rows[0].most);
    EXPECT_EQ(500, rows[0].bus_bandwidth);
    EXPECT_EQ(1.0 / 3, rows[0].share_of_bound());
    EXPECT_EQ((std::vector{1, 0.25}), rows[0].ratios);
    EXPECT_EQ((std::vector{4.0, 1.0}), rows[1].ratios);
}

TEST(BenchResults, TopoMustHaveRunItsOwnCallsAndNoOthers) {
    const auto served = [](const std::string& component, int by_topo) {
        return rows_of({}, {component}, {seen({1, 1}, by_topo)})[0].served();
    };
    EXPECT_TRUE(served("topo", 2));
    EXPECT_TRUE(served("topo:ring", 2));
    EXPECT_FALSE(served("topo", 1));
    EXPECT_FALSE(served("topo", 0));
    EXPECT_TRUE(served("tuned", 0));
    EXPECT_FALSE(served("tuned", 1));
}

}  // namespace
}  // namespace coll_topo::bench
