// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/chain.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

constexpr double rounding = 1e-12;
constexpr MachineCosts costs{.message_time = 1e-6, .reduce_bandwidth = 1e12};

/// Of 101 blocks that take so long on the cable of one hop, between two that follow each other.
double period(Collective collective, double transfer, double latency) {
    constexpr double bandwidth = 10e9;
    constexpr int segments = 101;
    const Problem problem{.collective = collective, .segments = segments};
    ChainCost cost(costs, problem, segments * transfer * bandwidth);
    ChainCost first(costs, {.collective = collective}, transfer * bandwidth);
    cost.add_between_hosts(1, latency, bandwidth);
    first.add_between_hosts(1, latency, bandwidth);
    return (cost.seconds() - first.seconds()) / (segments - 1);
}

TEST(ChainCost, KeepsShortWaysBusy) {
    for (const double transfer : {2e-6, 10e-6})
        EXPECT_NEAR(period(Collective::bcast, transfer, 1.5e-6), transfer, rounding);
    EXPECT_NEAR(period(Collective::bcast, 0.1e-6, 0.4e-6), costs.message_time, rounding);
}

TEST(ChainCost, LetsLongWaysWaitBetweenShortBlocks) {
    EXPECT_NEAR(period(Collective::bcast, 2e-6, 4.5e-6), 3e-6, rounding);
    EXPECT_NEAR(period(Collective::bcast, 18e-6, 4.5e-6), 18.5e-6, rounding) << "half of it";
    // Few blocks are under way: they do not fill the cable.
    EXPECT_NEAR(period(Collective::bcast, 1e-6, 10e-6), 4e-6, rounding);
}

TEST(ChainCost, ReceivesWhileItCombines) {
    EXPECT_NEAR(period(Collective::reduce, 10e-6, 4.5e-6), 10e-6, rounding);
    EXPECT_NEAR(period(Collective::reduce, 2e-6, 4.5e-6), 3.26e-6, rounding);
}

}  // namespace
}  // namespace coll_topo::test
