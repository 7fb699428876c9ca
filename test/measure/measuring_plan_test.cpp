// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/measuring_plan.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>

namespace coll_topo::bench {
namespace {

Fabric fabric_of(const std::string& text) {
    auto file = read_topology_text(text, "test.conf");
    if (!file) ADD_FAILURE() << file.error().text();
    return std::move(file->fabric);
}

std::vector<int> hosts(int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool has(const std::vector<RankPair>& messages, RankPair message) {
    return std::count(messages.begin(), messages.end(), message) == 1;
}

TEST(MeasuringPlan, EveryCableOfADimensionCarriesAMessageEachWay) {
    const auto plan = make_measuring_plan(fabric_of("TorusName=t Dims=4x3 Wrap=yn Nodes=n[00-11]\n"), hosts(12));
    ASSERT_EQ(plan.messages.size(), 2u);
    EXPECT_EQ(plan.messages[0].size(), 2u * 4 * 3);
    EXPECT_TRUE(has(plan.messages[0], {3, 0}) && has(plan.messages[0], {0, 3}));
    EXPECT_EQ(plan.messages[1].size(), 2u * 4 * 2);  // a mesh: nothing round the edge
    EXPECT_FALSE(has(plan.messages[1], {0, 8}));
    EXPECT_EQ(plan.all_messages().size(), 40u);
}

TEST(MeasuringPlan, HostsOfARingOfTwoSendToEachOtherOnce) {
    const auto plan = make_measuring_plan(fabric_of("TorusName=t Dims=2x1 Nodes=a,b\n"), hosts(2));
    EXPECT_EQ(plan.messages[0], (std::vector<RankPair>{{0, 1}, {1, 0}}));
    EXPECT_TRUE(plan.messages[1].empty());
}

TEST(MeasuringPlan, OnlyHostsWithRanksTakePart) {
    const auto plan = make_measuring_plan(fabric_of("TorusName=t Dims=5 Nodes=n[0-4]\n"), {4, 1, 0});
    EXPECT_EQ(plan.messages[0].size(), 4u);
    EXPECT_TRUE(has(plan.messages[0], {2, 1}) && has(plan.messages[0], {0, 2}));
}

TEST(MeasuringPlan, OneRankSpeaksForAHostAndTwoMeasureWithinIt) {
    const auto plan = make_measuring_plan(fabric_of("TorusName=t Dims=3 Nodes=n[0-2]\n"), {2, 2, 0, 0, 0, 1});
    EXPECT_EQ(plan.speakers, (std::vector<int>{2, 5, 0}));
    EXPECT_EQ(plan.local, (std::vector<RankPair>{{2, 3}, {0, 1}}));
}

TEST(MeasuringPlan, ProbesHaveSeveralLengthsAlongADimension) {
    const auto plan = make_measuring_plan(fabric_of("TorusName=t Dims=8x2 Nodes=n[00-15]\n"), hosts(16));
    for (const std::vector<int>& hops : {std::vector{1, 0}, {2, 0}, {3, 0}, {4, 0}, {0, 1}, {1, 1}}) {
        EXPECT_TRUE(std::any_of(plan.probes.begin(), plan.probes.end(),
                                [&](const LatencyProbe& probe) { return probe.hops == hops; }))
            << hops[0] << ',' << hops[1];
    }
    EXPECT_LE(plan.probes.size(), 3u * 7);
}

TEST(MeasuringPlan, CountsTheCablesBetweenSwitches) {
    const auto plan = make_measuring_plan(
        fabric_of("SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nLink From=a,b To=s Latency=1us\n"), hosts(4));
    ASSERT_FALSE(plan.probes.empty());
    EXPECT_EQ(plan.probes[0].ranks, RankPair(0, 1));
    EXPECT_EQ(plan.probes[0].hops, std::vector{0});
    EXPECT_EQ(plan.probes[1].ranks, RankPair(0, 2));
    EXPECT_EQ(plan.probes[1].hops, std::vector{2});
    EXPECT_EQ(plan.messages, (std::vector<std::vector<RankPair>>{{{0, 1}, {1, 2}, {2, 3}, {3, 0}}}));
}

TEST(MeasuringPlan, OneHostHasNoMessages) {
    const auto plan = make_measuring_plan(fabric_of("TorusName=t Dims=3x3 Nodes=n[0-8]\n"), {4, 4});
    EXPECT_TRUE(plan.probes.empty());
    EXPECT_TRUE(plan.all_messages().empty());
    EXPECT_EQ(plan.local, (std::vector<RankPair>{{0, 1}}));
}

}  // namespace
}  // namespace coll_topo::bench
