// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/shortfall.hpp"
#include "test/acceptance/site.hpp"

#include <algorithm>

namespace coll_topo::acceptance {
namespace {

TEST(CableVerdict, SeveralFaultsAreNamedOneByOne) {
    const Site site(networks[0].second);
    Cluster cluster(site.fabric);
    Fault swap{FaultKind::swapped_hosts};
    swap.host = 2;
    swap.other = 9;
    const Fault slow{FaultKind::slow_cable, ends_of(site.graph, 0), 0.4};
    for (const Fault& fault : {swap, slow}) ASSERT_TRUE(apply(fault, cluster));
    const CableVerdict verdict =
        judge_cables(site.plan, site.fabric, site.graph, expected(site.plan, LinkCapacities(site.graph), cluster));
    ASSERT_EQ(2u, verdict.findings.size()) << site.text(verdict);
    EXPECT_TRUE(verdict.findings[0].fault.same_as(swap));
    EXPECT_TRUE(verdict.findings[1].fault.same_as(slow));
    EXPECT_TRUE(verdict.not_explained.empty());
}

TEST(CableVerdict, WhatNoFaultExplainsIsSaid) {
    // Two tests without a cable in common are slow, and all others over their cables are not.
    const Site site(networks[3].second);
    CableMeasurement measured = expected(site.plan, LinkCapacities(site.graph), Cluster(site.fabric));
    const auto test = std::find_if(site.plan.tests.begin(), site.plan.tests.end(), [&](const CableTest& candidate) {
        return candidate.messages.front().links.size() == 4;
    });
    ASSERT_NE(test, site.plan.tests.end());
    const auto index = static_cast<std::size_t>(test - site.plan.tests.begin());
    measured.together[index] *= 0.5;
    const CableVerdict verdict = judge_cables(site.plan, site.fabric, site.graph, measured);
    EXPECT_FALSE(verdict.accepted);
    EXPECT_TRUE(verdict.findings.empty()) << site.text(verdict);
    EXPECT_EQ(std::vector<int>{static_cast<int>(index)}, verdict.not_explained);
}

TEST(CableVerdict, FaultsAreSaidInWords) {
    const Site torus(networks[0].second), tree(networks[3].second);
    Fault swap{FaultKind::swapped_hosts};
    swap.host = 5;
    swap.other = 6;
    EXPECT_EQ("hosts n05 and n06 are swapped", fault_text(swap, torus.fabric, torus.graph));
    Fault moved{FaultKind::moved_host};
    moved.host = 1;
    moved.other = 2;
    EXPECT_EQ("host n01 is at the switch leaf3", fault_text(moved, tree.fabric, tree.graph));
    EXPECT_EQ("the cable from n00 to n01 carries 40 % in this direction",
              fault_text({FaultKind::slow_direction, ends_of(torus.graph, 0), 0.4}, torus.fabric, torus.graph));
    Fault order{FaultKind::dimension_order};
    order.order = {1, 0};
    EXPECT_EQ("hosts are numbered along the dimensions in the order 2,1", fault_text(order, torus.fabric, torus.graph));
}

/// A slow cable would explain one of two results, and is contradicted by the other.
TEST(CableVerdict, AFaultThatExplainsLittleIsNotNamed) {
    const Site site(networks[0].second);
    CableMeasurement measured = expected(site.plan, LinkCapacities(site.graph), Cluster(site.fabric));
    measured.alone[31] *= 0.2;
    measured.together[58] *= 0.5;
    const CableVerdict verdict = judge_cables(site.plan, site.fabric, site.graph, measured);
    EXPECT_TRUE(verdict.findings.empty()) << site.text(verdict);
    EXPECT_EQ((std::vector<int>{31, 58}), verdict.not_explained);
}

/// Which of four equal cables is missing, no test tells.
TEST(CableVerdict, OtherFaultsThatExplainAsMuchAreNamed) {
    const Site site(networks[3].second);
    const auto& links = site.graph.links();
    for (int link = 0; link < static_cast<int>(links.size()); ++link) {
        const Fault missing{FaultKind::missing_cable, ends_of(site.graph, link)};
        Cluster cluster(site.fabric);
        if (!apply(missing, cluster)) continue;
        const CableVerdict verdict = site.judge({missing}, 0, 1);
        ASSERT_EQ(1u, verdict.findings.size()) << site.text(verdict);
        EXPECT_EQ(3u, verdict.findings.front().or_else.size()) << site.text(verdict);
        return;
    }
    FAIL() << "no cable can be missing";
}

}  // namespace
}  // namespace coll_topo::acceptance
