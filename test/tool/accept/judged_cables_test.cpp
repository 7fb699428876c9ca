// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/judged_cables.hpp"

#include "coll_topo/acceptance/partial_measurement.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace coll_topo::tool {
namespace {

struct Site {
    TopologyFile file = *read_topology_text("TorusName=t Dims=4x4 Nodes=n[00-15] Bandwidth=1GB/s Latency=10us\n", "t");
    LinkGraph graph{file.fabric};
    acceptance::CablePlan plan = acceptance::make_cable_plan(file.fabric, graph, hosts());
    std::vector<MeasuredCables> later = {};  ///< what is measured after the first time
    int asked = 0;

    static std::vector<int> hosts() {
        std::vector<int> all;
        for (int host = 0; host < 16; ++host) all.push_back(host);
        return all;
    }

    /// All as the file says, but for the first test.
    MeasuredCables with(double share) const {
        MeasuredCables cables;
        for (const int host : hosts()) cables.hosts.emplace_back(file.fabric.hosts.name(host));
        cables.rounds = cables.rounds_done = acceptance::number_of_rounds(plan);
        const acceptance::LinkCapacities capacities(graph);
        cables.measured = acceptance::expected(plan, capacities, acceptance::Cluster(file.fabric));
        cables.measured.alone[0] *= share;
        cables.measured.together[0] *= share;
        return cables;
    }

    std::unique_ptr<JudgedCables> judge(const MeasuredCables& first) {
        const auto again = [&](int) -> Expected<MeasuredCables> {
            if (asked == static_cast<int>(later.size())) return failure("no more");
            return later[static_cast<std::size_t>(asked++)];
        };
        return *JudgedCables::judge(first, file.fabric, acceptance::least_share, again);
    }
};

TEST(JudgedCables, WhatIsWellIsMeasuredOnce) {
    Site site;
    site.later = {site.with(0.1)};
    EXPECT_TRUE(site.judge(site.with(1))->verdict().accepted);
    EXPECT_EQ(site.asked, 0);
}

TEST(JudgedCables, AFaultHasToBeSeenTwice) {
    Site site;
    site.later = {site.with(0.41), site.with(1)};
    const auto judged = site.judge(site.with(0.4));
    EXPECT_EQ(site.asked, 1);
    EXPECT_EQ(judged->verdict().findings.size(), 1u);
    EXPECT_TRUE(judged->left_open().empty());
}

TEST(JudgedCables, WhatWasOnceInTheWayIsNoFault) {
    Site site;
    site.later = {site.with(1)};
    EXPECT_TRUE(site.judge(site.with(0.4))->verdict().accepted);
}

TEST(JudgedCables, AnotherResultEachTimeIsNeitherAFaultNorWell) {
    Site site;
    site.later = {site.with(0.5), site.with(0.3), site.with(0.65), site.with(1)};
    const auto judged = site.judge(site.with(0.4));
    EXPECT_EQ(site.asked, 3);
    EXPECT_FALSE(judged->verdict().accepted);
    EXPECT_TRUE(judged->verdict().findings.empty());
    EXPECT_EQ(judged->verdict().doubtful, (std::vector<int>{0}));
    EXPECT_NE(judged->left_open().find("1 test gave another result each time"), std::string::npos);
}

TEST(JudgedCables, WhereNothingCanBeMeasuredAgainTheFaultStaysInDoubt) {
    Site site;
    const auto judged = site.judge(site.with(0.4));
    EXPECT_FALSE(judged->verdict().accepted);
    EXPECT_TRUE(judged->verdict().findings.empty());
    EXPECT_EQ(judged->left_open(), "1 test unlike the file, which could not be measured again: no more");
    const auto once = JudgedCables::judge(site.with(0.4), site.file.fabric, acceptance::least_share, {});
    EXPECT_EQ((*once)->verdict().findings.size(), 1u);
}

TEST(JudgedCables, WhatFailsOnceIsMeasuredOnceMore) {
    Site site;
    MeasuredCables incomplete = site.with(0.4);
    --incomplete.rounds_done;
    site.later = {incomplete, site.with(0.4)};
    EXPECT_EQ(site.judge(site.with(0.4))->verdict().findings.size(), 1u);
    site.asked = 0;
    site.later = {incomplete, incomplete, site.with(0.4)};
    const auto judged = site.judge(site.with(0.4));
    EXPECT_TRUE(judged->verdict().findings.empty());
    EXPECT_NE(judged->left_open().find("it was not measured to the end"), std::string::npos);
}

TEST(JudgedCables, WhereAHostIsSilentTheRestIsInDoubt) {
    Site site;
    MeasuredCables cables = site.with(0.4);
    cables.measured.silent = {10};
    const auto judged = site.judge(cables);
    EXPECT_EQ(site.asked, 0);
    EXPECT_TRUE(judged->verdict().findings.empty());
    EXPECT_EQ(judged->verdict().doubtful, (std::vector<int>{0}));
    EXPECT_TRUE(judged->left_open().empty());
}

TEST(JudgedCables, KnowsWhetherSomethingHasNoResult) {
    Site site;
    site.later = {site.with(0), site.with(0)};
    EXPECT_TRUE(site.judge(site.with(0))->has_gaps());
    EXPECT_FALSE(site.judge(site.with(0.5))->has_gaps());
}

}  // namespace
}  // namespace coll_topo::tool
