// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace coll_topo {
namespace {

SwitchGraph graph_of(int switches, const std::vector<SwitchLink>& links, const std::vector<int>& leaf_of_host) {
    SwitchGraph graph;
    for (int index = 0; index < switches; ++index) graph.switches.add("s" + std::to_string(index));
    graph.links = links;
    graph.leaf_of_host.assign(leaf_of_host.begin(), leaf_of_host.end());
    return graph;
}

/// Every leaf with every spine; hosts leaf by leaf.
SwitchGraph leaf_spine(int leaves, int spines, int hosts_per_leaf, int cables = 1) {
    std::vector<SwitchLink> links;
    std::vector<int> leaf_of_host;
    for (int leaf = 0; leaf < leaves; ++leaf) {
        for (int spine = 0; spine < spines; ++spine) links.push_back({leaf, leaves + spine, cables, 1e9, 1e-6});
        leaf_of_host.insert(leaf_of_host.end(), hosts_per_leaf, leaf);
    }
    return graph_of(leaves + spines, links, leaf_of_host);
}

/// The 2-ary 3-tree: 4 leaves with 2 hosts each, 4 switches above, 4 at the top.
SwitchGraph three_levels() {
    std::vector<SwitchLink> links;
    for (int pod = 0; pod < 2; ++pod) {
        for (int leaf = 0; leaf < 2; ++leaf) {
            for (int up = 0; up < 2; ++up) links.push_back({2 * pod + leaf, 4 + 2 * pod + up});
        }
        for (int middle = 0; middle < 2; ++middle) {
            for (int up = 0; up < 2; ++up) links.push_back({4 + 2 * pod + middle, 8 + 2 * middle + up});
        }
    }
    return graph_of(12, links, {0, 0, 1, 1, 2, 2, 3, 3});
}

std::vector<CableUse> route(SwitchRouting& routing, int from, int host) {
    std::vector<CableUse> cables;
    EXPECT_TRUE(routing.route(from, host, cables));
    return cables;
}

/// A way leads from end to end, up and then down, and has the given number of hops.
void expect_up_and_down(const SwitchGraph& graph, int from, int host, const std::vector<CableUse>& cables,
                        std::size_t hops) {
    EXPECT_EQ(hops, cables.size());
    bool down = false;
    int at = from;
    for (const CableUse& use : cables) {
        const SwitchLink& link = graph.links[use.link];
        ASSERT_EQ(at, use.up ? link.from : link.to);
        EXPECT_LT(use.cable, link.count);
        EXPECT_FALSE(down && use.up) << "up after down";
        down = !use.up;
        at = use.up ? link.to : link.from;
    }
    EXPECT_EQ(graph.leaf_of_host[host], at);
}

/// Of two pods with two leaves each, below the same switches.
void expect_shortest_ways(const SwitchGraph& graph, SwitchRouting& routing, int hosts_per_leaf) {
    for (int from = 0; from < 4; ++from) {
        for (int host = 0; host < 4 * hosts_per_leaf; ++host) {
            const int leaf = host / hosts_per_leaf;
            const std::size_t hops = from == leaf ? 0 : from / 2 == leaf / 2 ? 2 : 4;
            expect_up_and_down(graph, from, host, route(routing, from, host), hops);
        }
    }
}

TEST(SwitchRouting, GoesUpAndDownTheShortestWay) {
    const SwitchGraph graph = three_levels();
    SwitchRouting routing(graph);
    expect_shortest_ways(graph, routing, 2);
}

TEST(SwitchRouting, TheNextHopDependsOnSwitchAndDestinationOnly) {
    const SwitchGraph graph = three_levels();
    SwitchRouting routing(graph);
    std::map<std::pair<int, int>, std::pair<int, int>> next_hop;
    for (int from = 0; from < 4; ++from) {
        for (int host = 0; host < 8; ++host) {
            int at = from;
            for (const CableUse& use : route(routing, from, host)) {
                const auto [known, is_new] = next_hop.try_emplace({at, host}, use.link, use.cable);
                EXPECT_EQ(known->second, std::pair(use.link, use.cable));
                at = use.up ? graph.links[use.link].to : graph.links[use.link].from;
            }
        }
    }
}

/// Messages per direction of a cable when every host of one leaf (or pod) sends to one host elsewhere.
std::map<std::pair<int, int>, int> load(SwitchRouting& routing, const std::vector<std::pair<int, int>>& ways) {
    std::map<std::pair<int, int>, int> messages;
    for (const auto& [from, host] : ways) {
        for (const CableUse& use : route(routing, from, host)) ++messages[{use.link, 2 * use.cable + (use.up ? 0 : 1)}];
    }
    return messages;
}

TEST(SwitchRouting, HostsOfALeafSpreadOverAllCables) {
    const SwitchGraph graph = leaf_spine(3, 2, 4, 2);
    SwitchRouting routing(graph);
    const auto messages = load(routing, {{0, 4}, {0, 5}, {0, 6}, {0, 7}});
    EXPECT_EQ(8u, messages.size()) << "four cables up and four down";
    for (const auto& [cable, count] : messages) EXPECT_EQ(1, count);
}

TEST(SwitchRouting, SpreadsOnEveryLevel) {
    // Each host of the left pod to its opposite: 2-ary trees carry any shift without contention.
    const SwitchGraph graph = three_levels();
    SwitchRouting routing(graph);
    for (int shift = 1; shift < 8; ++shift) {
        std::vector<std::pair<int, int>> ways;
        for (int host = 0; host < 8; ++host) ways.emplace_back(host / 2, (host + shift) % 8);
        for (const auto& [cable, count] : load(routing, ways)) EXPECT_EQ(1, count) << "shift " << shift;
    }
}

TEST(SwitchRouting, HostsAtDifferentLevelsMeet) {
    // s0 below s1 below s2, which has the leaf s3.
    const SwitchGraph graph = graph_of(4, {{0, 1}, {1, 2}, {3, 2}}, {0, 3});
    SwitchRouting routing(graph);
    expect_up_and_down(graph, 0, 1, route(routing, 0, 1), 3);
    expect_up_and_down(graph, 3, 0, route(routing, 3, 0), 3);
}

TEST(SwitchRouting, WithoutASwitchAboveBothTheShortestWay) {
    // Leaves 0 and 2 have different spines, 3 and 4; leaf 1 has both.
    const SwitchGraph graph = graph_of(5, {{0, 3}, {1, 3}, {1, 4}, {2, 4}}, {0, 1, 2});
    SwitchRouting routing(graph);
    const auto cables = route(routing, 0, 2);
    ASSERT_EQ(4u, cables.size());
    EXPECT_EQ(0, cables[0].link);
    EXPECT_EQ(1, cables[1].link);
    EXPECT_EQ(2, cables[2].link);
    EXPECT_EQ(3, cables[3].link);
}

/// Leaf, spine and core switches with parallel cables: 2 pods of 2 leaves with 4 hosts and 2 spines, 2 cores; 2 cables
/// from each leaf to each spine of its pod, and from each spine to each core.
SwitchGraph leaf_spine_core() {
    std::vector<SwitchLink> links;
    for (int pod = 0; pod < 2; ++pod) {
        for (int leaf = 0; leaf < 2; ++leaf) {
            for (int spine = 0; spine < 2; ++spine) links.push_back({2 * pod + leaf, 4 + 2 * pod + spine, 2, 0, 0});
        }
        for (int spine = 0; spine < 2; ++spine) {
            for (int core = 0; core < 2; ++core) links.push_back({4 + 2 * pod + spine, 8 + core, 2, 0, 0});
        }
    }
    return graph_of(10, links, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
}

TEST(SwitchRouting, ThreeLevelsWithParallelCables) {
    const SwitchGraph graph = leaf_spine_core();
    SwitchRouting routing(graph);
    expect_shortest_ways(graph, routing, 4);
    // Shifts of all hosts meet nowhere: 4 hosts and 4 cables up at every leaf, 8 and 8 at every pod.
    for (int shift = 1; shift < 16; ++shift) {
        std::vector<std::pair<int, int>> ways;
        for (int host = 0; host < 16; ++host) ways.emplace_back(host / 4, (host + shift) % 16);
        for (const auto& [cable, count] : load(routing, ways)) EXPECT_EQ(1, count) << "shift " << shift;
    }
}

TEST(SwitchRouting, AGivenRouteComesFirst) {
    SwitchGraph graph = leaf_spine(3, 2, 2, 2);  // links: leaf 0 to 3, 0 to 4, 1 to 3, ...
    graph.routes = {{0, 2, 1, 1}, {0, 3, 1, -1}, {0, 5, 0, -1}, {3, 5, 2, 0}};
    SwitchRouting routing(graph);
    EXPECT_FALSE(find_lost_messages(graph));
    const auto to_2 = route(routing, 0, 2);
    ASSERT_EQ(2u, to_2.size());
    EXPECT_EQ(1, to_2[0].link) << "by switch 4, though host 2 would go by switch 3";
    EXPECT_EQ(1, to_2[0].cable);
    EXPECT_EQ(3, to_2[1].link) << "d-mod-k from there on";
    const auto to_3 = route(routing, 0, 3);
    EXPECT_EQ(1, to_3[0].link);
    EXPECT_EQ(1, to_3[0].cable) << "3 div 2 mod 2";
    EXPECT_EQ(4, route(routing, 2, 2)[0].link) << "only at switch 0";

    // Switch 3 sends what is for host 5, at switch 2, down to switch 1; from there it goes up by another spine.
    const auto detour = route(routing, 0, 5);
    ASSERT_EQ(2u + 2u, detour.size());
    EXPECT_EQ(2, detour[1].link);
    EXPECT_FALSE(detour[1].up);
}

TEST(SwitchRouting, FindsMessagesThatGoInACircle) {
    SwitchGraph graph = leaf_spine(3, 2, 1);
    // What is for host 2 goes from leaf 0 to spine 3, and back from there.
    graph.routes = {{0, 2, 0, -1}, {3, 2, 0, -1}};
    const auto lost = find_lost_messages(graph);
    ASSERT_TRUE(lost);
    EXPECT_TRUE(lost->circle);
    EXPECT_EQ(2, lost->host);
    EXPECT_EQ((std::vector<std::int32_t>{0, 3}), lost->switches);
    SwitchRouting routing(graph);
    std::vector<CableUse> cables;
    EXPECT_FALSE(routing.route(0, 2, cables));
    EXPECT_TRUE(cables.empty());
    EXPECT_FALSE(routing.route(3, 2, cables));
    graph.routes = {{0, 1, 0, -1}, {0, 2, 0, -1}};
    EXPECT_FALSE(find_lost_messages(graph));
}

TEST(SwitchRouting, FindsMessagesThatEndBeforeTheirHost) {
    SwitchGraph graph = graph_of(4, {{0, 2}, {1, 3}}, {0, 1});
    graph.routes = {{0, 1, 0, -1}};
    const auto lost = find_lost_messages(graph);
    ASSERT_TRUE(lost);
    EXPECT_FALSE(lost->circle);
    EXPECT_EQ((std::vector<std::int32_t>{0, 2}), lost->switches);
}

/// The cable with a number, when the first cables of all links come before the second ones.
std::pair<int, int> counted_one_by_one(const std::vector<int>& counts, int number) {
    for (int cable = 0;; ++cable) {
        for (int link = 0; link < static_cast<int>(counts.size()); ++link) {
            if (cable < counts[link] && number-- == 0) return {link, cable};
        }
    }
}

TEST(SwitchRouting, CountsTheFirstCablesOfAllLinksFirst) {
    for (const std::vector<int>& counts :
         {std::vector{1, 1, 1}, {3, 1, 2}, {5, 5, 2}, {1, 7}, {4}, {2, 6, 2, 6, 1}, {65535, 65535}}) {
        // Two leaves, hosts at the second, and a spine for each link.
        const int cables = std::accumulate(counts.begin(), counts.end(), 0);
        std::vector<SwitchLink> links;
        for (int spine = 0; spine < static_cast<int>(counts.size()); ++spine) {
            links.push_back({0, 2 + spine, counts[spine]});
            links.push_back({1, 2 + spine, counts[spine]});
        }
        const SwitchGraph graph =
            graph_of(2 + static_cast<int>(counts.size()), links, std::vector<int>(std::min(2 * cables, 200000), 1));
        SwitchRouting routing(graph);
        const int step = std::max(1, cables / 50);
        for (int host = 0; host < static_cast<int>(graph.leaf_of_host.size()); host += step) {
            const auto use = routing.next(0, host);
            EXPECT_EQ(counted_one_by_one(counts, host % cables), std::pair(use->link / 2, use->cable));
        }
    }
}

TEST(SwitchRouting, ReachesAllOfManyLeaves) {
    // With what it knows of every leaf in a table of its own, this would take gigabytes.
    const SwitchGraph graph = leaf_spine(20000, 4, 1);
    SwitchRouting routing(graph);
    std::size_t cables = 0;
    for (int host = 1; host < 20000; ++host) cables += route(routing, 0, host).size();
    EXPECT_EQ(2u * 19999, cables);
}

TEST(SwitchRouting, SaysWhenThereIsNoWay) {
    const SwitchGraph graph = graph_of(3, {{0, 2}}, {0, 1});
    SwitchRouting routing(graph);
    std::vector<CableUse> cables;
    EXPECT_FALSE(routing.route(0, 1, cables));
    EXPECT_TRUE(cables.empty());
}

}  // namespace
}  // namespace coll_topo
