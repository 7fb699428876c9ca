// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/verdict.hpp"

#include "coll_topo/acceptance/shortfall.hpp"
#include "coll_topo/import/topology_text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "test/acceptance/random_faults.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>

namespace coll_topo::acceptance {
namespace {

const std::string cable = " Bandwidth=1GB/s Latency=10us\n";

/// The networks on which faults are tried.
const std::vector<std::pair<std::string, std::string>> networks = {
    {"torus 4x4", "TorusName=t Dims=4x4 Nodes=n[00-15]" + cable},
    {"torus 2x2x2", "TorusName=t Dims=2x2x2 Nodes=n[0-7]" + cable},
    {"torus 5x3", "TorusName=t Dims=5x3 Nodes=n[00-14]" + cable},
    {"tree 4x4",
     "SwitchName=leaf1 Nodes=n[00-03]\nSwitchName=leaf2 Nodes=n[04-07]\nSwitchName=leaf3 Nodes=n[08-11]\n"
     "SwitchName=leaf4 Nodes=n[12-15]\nLink From=leaf[1-4] To=spine[1-4]" +
         cable},
    {"tapered tree",
     "SwitchName=leaf1 Nodes=n[00-05]\nSwitchName=leaf2 Nodes=n[06-11]\n"
     "SwitchName=leaf3 Nodes=n[12-17]\nLink From=leaf[1-3] To=spine[1-3]" +
         cable},
};

struct Site {
    explicit Site(const std::string& text) : fabric(read(text)), graph(fabric) {
        std::vector<int> hosts(static_cast<std::size_t>(fabric.hosts.size()));
        std::iota(hosts.begin(), hosts.end(), 0);
        plan = make_cable_plan(fabric, graph, hosts);
    }

    static Fabric read(const std::string& text) {
        auto file = read_topology_text(text, "test.conf");
        if (!file) ADD_FAILURE() << file.error().text();
        return std::move(file->fabric);
    }

    CableVerdict judge(const DrawnFault& drawn, double noise, std::uint64_t seed) const {
        return judge_cables(plan, fabric, graph, measure_with(drawn, noise, seed, plan, fabric, graph));
    }

    std::string text(const CableVerdict& verdict) const {
        std::string said;
        for (const Finding& finding : verdict.findings) {
            said += fault_text(finding.fault, fabric, graph);
            for (const Fault& other : finding.or_else) said += " OR " + fault_text(other, fabric, graph);
            said += "; ";
        }
        for (const SlowKind& kind : verdict.slow_kinds) said += "kind " + std::to_string(kind.test) + "; ";
        for (const int host : verdict.silent) said += "silent " + std::to_string(host) + "; ";
        return said + std::to_string(verdict.not_explained.size()) + " not explained";
    }

    std::string text(const DrawnFault& drawn) const {
        if (drawn.fault) return fault_text(*drawn.fault, fabric, graph);
        return drawn.silent >= 0 ? "silent " + std::to_string(drawn.silent) : "kind " + std::to_string(drawn.slow_kind);
    }

    Fabric fabric;
    LinkGraph graph;
    CablePlan plan;
};

bool names(const Site& site, const CableVerdict& verdict, const DrawnFault& drawn) {
    if (!verdict.not_explained.empty()) return false;
    if (drawn.silent >= 0) return verdict.silent == std::vector<int>{drawn.silent} && verdict.findings.empty();
    if (!drawn.fault) {
        const std::vector<int> kinds = kinds_of_tests(site.plan, site.fabric, site.graph);
        return verdict.findings.empty() && verdict.slow_kinds.size() == 1 &&
               kinds[static_cast<std::size_t>(verdict.slow_kinds[0].test)] == drawn.slow_kind;
    }
    if (verdict.findings.size() != 1 || !verdict.slow_kinds.empty()) return false;
    const Finding& finding = verdict.findings[0];
    // One of the cables up of a switch is missing, but equal cables do not tell which.
    const bool may_be_one_of_several = drawn.fault->kind == FaultKind::missing_cable;
    if (!finding.or_else.empty() && !may_be_one_of_several) return false;
    return finding.fault.same_as(*drawn.fault) ||
           std::any_of(finding.or_else.begin(), finding.or_else.end(),
                       [&](const Fault& other) { return other.same_as(*drawn.fault); });
}

/// Of each kind on each network: 3, or what the environment says.
std::uint64_t faults_of_a_kind() {
    const char* const text = std::getenv("COLL_TOPO_FAULTS");
    return text == nullptr ? 3 : std::strtoull(text, nullptr, 10);
}

/// What is measured comes from the same model of a network by which faults are judged, with noise.
TEST(CableVerdict, NamesFaultsOfAllKindsOnAllNetworks) {
    int drawn_faults = 0, found = 0, named = 0;
    for (const auto& [name, text] : networks) {
        const Site site(text);
        for (int kind = 0; kind < drawn_kinds; ++kind) {
            for (std::uint64_t seed = 1; seed <= faults_of_a_kind(); ++seed) {
                const auto drawn = draw_fault(kind, seed, site.plan, site.fabric, site.graph);
                if (!drawn) continue;
                const CableVerdict verdict = site.judge(*drawn, 0.05, seed);
                ++drawn_faults;
                found += verdict.accepted ? 0 : 1;
                if (names(site, verdict, *drawn)) {
                    ++named;
                } else {
                    std::cout << name << ": " << site.text(*drawn) << "; said: " << site.text(verdict) << "\n";
                }
            }
        }
    }
    std::cout << drawn_faults << " faults, " << found << " found, " << named << " named\n";
    EXPECT_GE(drawn_faults, 40);
    EXPECT_EQ(drawn_faults, found);
    EXPECT_GE(named, 0.95 * drawn_faults);
}

/// The leaf or the cell of each host, by names.
std::map<std::string, std::string> places_of(const Fabric& fabric) {
    std::map<std::string, std::string> places;
    const auto* const switches = std::get_if<SwitchGraph>(&fabric.network);
    for (int host = 0; host < fabric.hosts.size(); ++host) {
        places[std::string(fabric.hosts.name(host))] =
            switches == nullptr
                ? std::to_string(fabric.cell(host))
                : std::string(switches->switches.name(switches->leaf_of_host[static_cast<std::size_t>(host)]));
    }
    return places;
}

TEST(CableVerdict, SaysHowHostsAreWired) {
    int compared = 0;
    for (const auto& [name, text] : networks) {
        const Site site(text);
        for (int kind = 0; kind < drawn_kinds; ++kind) {
            const auto drawn = draw_fault(kind, 1, site.plan, site.fabric, site.graph);
            if (!drawn) continue;
            const CableVerdict verdict = site.judge(*drawn, 0, 1);
            const bool known =
                drawn->fault && verdict.findings.size() == 1 && verdict.findings.front().fault.same_as(*drawn->fault);
            if (!known || !verdict.as_wired) continue;
            Cluster cluster(site.fabric);
            ASSERT_TRUE(apply(*drawn->fault, cluster));
            EXPECT_EQ(verdict.as_wired->digest(), as_wired(cluster).digest()) << name << ": " << site.text(*drawn);
            EXPECT_NE(verdict.as_wired->digest(), site.fabric.digest()) << name << ": " << site.text(*drawn);
            const auto written = read_topology_text(importing::topology_text(*verdict.as_wired), "written.conf");
            ASSERT_TRUE(written) << written.error().text();
            EXPECT_EQ(places_of(written->fabric), places_of(*verdict.as_wired)) << name << ": " << site.text(*drawn);
            ++compared;
        }
    }
    EXPECT_GE(compared, 6);
}

TEST(CableVerdict, AcceptsClustersThatAreWhatTheirFileSays) {
    for (const auto& [name, text] : networks) {
        const Site site(text);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const CableVerdict verdict = site.judge({}, 0.08, seed);
            EXPECT_TRUE(verdict.accepted) << name << ": " << site.text(verdict);
        }
    }
}

TEST(CableVerdict, ACableAboveTheLeastShareIsNoFault) {
    const Site site(networks[0].second);
    DrawnFault drawn{Fault{FaultKind::slow_cable, ends_of(site.graph, 0), 0.85}};
    EXPECT_TRUE(site.judge(drawn, 0, 1).accepted);
    drawn.fault->share = 0.75;
    EXPECT_FALSE(site.judge(drawn, 0, 1).accepted);
    EXPECT_TRUE(judge_cables(site.plan, site.fabric, site.graph,
                             measure_with(drawn, 0, 1, site.plan, site.fabric, site.graph), 0.7)
                    .accepted);
}

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

/// As many uplinks as hosts: without messages that would share an uplink, all would run at full speed.
TEST(CableVerdict, OnATreeWithManyUplinksHostsAtOtherPlacesAreNamed) {
    const Site site(networks[3].second);
    const int hosts = site.fabric.hosts.size();
    for (int host = 0; host < hosts; ++host) {
        for (int other = host + 1; other < hosts; ++other) {
            if (host / 4 == other / 4) continue;
            Fault swap{FaultKind::swapped_hosts};
            swap.host = host;
            swap.other = other;
            const CableVerdict verdict = site.judge({swap}, 0, 1);
            EXPECT_TRUE(names(site, verdict, {swap})) << host << " " << other << ": " << site.text(verdict);
        }
        for (int leaf = 0; leaf < 4; ++leaf) {
            if (leaf == host / 4) continue;
            Fault moved{FaultKind::moved_host};
            moved.host = host;
            moved.other = leaf;
            for (const bool renumbered : {false, true}) {
                moved.renumbered = renumbered;
                const CableVerdict verdict = site.judge({moved}, 0, 1);
                EXPECT_TRUE(names(site, verdict, {moved}))
                    << host << " " << leaf << (renumbered ? " renumbered: " : ": ") << site.text(verdict);
            }
        }
    }
}

/// In a ring of two the messages of both hosts may take different cables; but without an answer no message ends.
TEST(CableVerdict, WhereNoAnswerPassesThereIsNoResult) {
    const Site site(networks[1].second);
    const LinkCapacities capacities(site.graph);
    LinkGraph graph(site.fabric);
    int only_answers = 0;
    for (int link = 0; link < static_cast<int>(graph.links().size()); ++link) {
        const LinkEnds there = ends_of(graph, link), back{there.to, there.from, there.number};
        Cluster cluster(site.fabric);
        apply({FaultKind::dead_cable, there}, cluster);
        const CableMeasurement measured = expected(site.plan, capacities, cluster);
        const auto passes = [&](int from, int to) {
            std::vector<int> links;
            graph.route(from, to, links);
            return std::none_of(links.begin(), links.end(), [&](int each) {
                return ends_of(graph, each) == there || ends_of(graph, each) == back;
            });
        };
        for (std::size_t test = 0; test < site.plan.tests.size(); ++test) {
            for (const Message& message : site.plan.tests[test].messages) {
                if (passes(message.to, message.from)) continue;
                EXPECT_EQ(0, measured.alone[test]);
                only_answers += passes(message.from, message.to) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(only_answers, 0);
}

TEST(CableVerdict, WhatIsInDoubtIsNoFaultAndNotMet) {
    const Site site(networks[0].second);
    const Fault slow{FaultKind::slow_cable, ends_of(site.graph, 0), 0.4};
    const CableMeasurement measured = measure_with({slow}, 0, 1, site.plan, site.fabric, site.graph);
    Doubts doubts{std::vector<bool>(site.plan.pairs.size(), false), std::vector<bool>(site.plan.tests.size(), true),
                  std::vector<bool>(site.plan.tests.size(), true)};
    const CableVerdict open = judge_cables(site.plan, site.fabric, site.graph, measured, least_share, doubts);
    EXPECT_FALSE(open.accepted);
    EXPECT_FALSE(open.doubtful.empty());
    EXPECT_TRUE(open.findings.empty() && open.slow_kinds.empty() && open.not_explained.empty()) << site.text(open);
    // A doubt about a result that is as it should be is none.
    const CableVerdict good =
        judge_cables(site.plan, site.fabric, site.graph, measure_with({}, 0, 1, site.plan, site.fabric, site.graph),
                     least_share, doubts);
    EXPECT_TRUE(good.accepted);
    doubts.alone.assign(site.plan.tests.size(), false);
    doubts.together = doubts.alone;
    EXPECT_TRUE(judge_cables(site.plan, site.fabric, site.graph, measured, least_share, doubts)
                    .findings.front()
                    .fault.same_as(slow));
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

}  // namespace
}  // namespace coll_topo::acceptance
