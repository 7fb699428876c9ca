// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/verdict.hpp"

#include "coll_topo/acceptance/shortfall.hpp"
#include "coll_topo/import/topology_text.hpp"
#include "test/acceptance/site.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

namespace coll_topo::acceptance {
namespace {

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

/// As many uplinks as hosts: without messages that would share an uplink, all would run at full speed.
TEST(CableVerdict, OnATreeWithManyUplinksHostsAtOtherPlacesAreNamed) {
    const Site site(networks[3].second);
    const int hosts = site.fabric.hosts.size();
    for (int host = 0; host < hosts; ++host) {
        for (int other = host + 1 + host % 3; other < hosts; other += 3) {
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

}  // namespace
}  // namespace coll_topo::acceptance
