// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_diameter.hpp"

#include "coll_topo/fabric/switch_routing.hpp"
#include "test/fabric/direct_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace coll_topo::test {
namespace {

/// Over all pairs of leaves, to the first host of each; -1 if a route does not arrive.
int longest_route(const SwitchGraph& graph) {
    std::map<int, int> first_host;
    for (std::size_t host = 0; host < graph.leaf_of_host.size(); ++host) {
        first_host.emplace(graph.leaf_of_host[host], static_cast<int>(host));
    }
    SwitchRouting routing(graph);
    std::size_t longest = 0;
    for (const auto& [from, ignored] : first_host) {
        for (const auto& [to, host] : first_host) {
            std::vector<CableUse> cables;
            if (!routing.route(from, host, cables)) return -1;
            longest = std::max(longest, cables.size());
        }
    }
    return static_cast<int>(longest);
}

void expect_longest_route(const SwitchGraph& graph, unsigned seed) {
    const SwitchDiameter diameter = find_switch_diameter(graph);
    EXPECT_TRUE(diameter.exact);
    EXPECT_EQ(longest_route(graph), diameter.joined ? diameter.links : -1) << seed;
}

/// Adds routes at random, in so far as messages arrive.
void add_routes(SwitchGraph& graph, unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 8 && !graph.links.empty(); ++i) {
        const auto link = static_cast<std::int32_t>(random() % graph.links.size());
        const auto host = static_cast<std::int32_t>(random() % graph.leaf_of_host.size());
        const std::int32_t at = random() % 3 == 0 ? graph.links[link].to : graph.links[link].from;
        const auto same = [&](const GivenRoute& route) { return route.at == at && route.host == host; };
        if (graph.leaf_of_host[host] == at || std::ranges::any_of(graph.routes, same)) continue;
        const auto before = graph.routes;
        graph.routes.push_back({at, host, link, -1});
        std::sort(graph.routes.begin(), graph.routes.end());
        if (find_lost_messages(graph)) graph.routes = before;
    }
}

TEST(SwitchDiameter, IsTheLongestRoute) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        SwitchGraph graph = random_switches(seed);
        expect_longest_route(graph, seed);
        add_routes(graph, seed);
        expect_longest_route(graph, seed);
    }
}

/// `groups` groups of leaves with spines of their own, and cores that all spines of a plane are below; no cores: only
/// the spines.
SwitchGraph fat_tree(int groups, int leaves, int spines, int cores) {
    SwitchGraph graph;
    const int first_spine = groups * leaves, first_core = first_spine + groups * spines;
    for (int i = 0; i < first_core + spines * cores; ++i) graph.switches.add("s" + std::to_string(i));
    for (int group = 0; group < groups; ++group) {
        for (int leaf = group * leaves; leaf < (group + 1) * leaves; ++leaf) {
            graph.leaf_of_host.push_back(leaf);
            for (int s = 0; s < spines; ++s) graph.links.push_back({leaf, first_spine + group * spines + s});
        }
        for (int s = 0; s < spines; ++s) {
            for (int c = 0; c < cores; ++c) {
                graph.links.push_back({first_spine + group * spines + s, first_core + s * cores + c});
            }
        }
    }
    return graph;
}

TEST(SwitchDiameter, OfAFatTreeLooksAtEachLinkAFewTimes) {
    for (const int size : {500, 1000, 2000}) {
        const SwitchGraph two = fat_tree(1, size, 8, 0), three = fat_tree(size / 10, 10, 4, 2);
        const SwitchDiameter of_two = find_switch_diameter(two, static_cast<std::int64_t>(4 * two.links.size()));
        EXPECT_TRUE(of_two.exact);
        EXPECT_EQ(2, of_two.links);
        const SwitchDiameter of_three = find_switch_diameter(three, static_cast<std::int64_t>(4 * three.links.size()));
        EXPECT_TRUE(of_three.exact);
        EXPECT_EQ(4, of_three.links);
    }
}

TEST(SwitchDiameter, IsAtLeastWhatWasFoundInTime) {
    // Leaf i shares a spine with leaf i + 1 only, and the last one with the first.
    constexpr int leaves = 100;
    SwitchGraph graph;
    for (int index = 0; index < 2 * leaves; ++index) graph.switches.add("s" + std::to_string(index));
    for (int leaf = 0; leaf < leaves; ++leaf) {
        graph.leaf_of_host.push_back(leaf);
        graph.links.insert(graph.links.end(), {{leaf, leaves + leaf}, {leaf, leaves + (leaf + 1) % leaves}});
    }
    EXPECT_EQ(leaves, find_switch_diameter(graph).links);
    const SwitchDiameter given_up = find_switch_diameter(graph, 1000);
    EXPECT_FALSE(given_up.exact);
    EXPECT_GT(given_up.links, 0);
}

TEST(SwitchDiameter, OfATreeIsFoundFromTwoLeaves) {
    // A chain of switches with a host each.
    constexpr int switches = 1000;
    SwitchGraph graph;
    for (int index = 0; index < switches; ++index) {
        graph.switches.add("s" + std::to_string(index));
        graph.leaf_of_host.push_back(index);
        if (index > 0) graph.links.push_back({index - 1, index});
    }
    const SwitchDiameter diameter = find_switch_diameter(graph, 0);
    EXPECT_TRUE(diameter.exact);
    EXPECT_EQ(switches - 1, diameter.links);
}

TEST(JoinedParts, AreWhatLinksJoin) {
    SwitchGraph graph;
    for (const char* name : {"a", "b", "c", "d", "e"}) graph.switches.add(name);
    graph.links = {{3, 1}, {0, 2}, {4, 2}};
    const auto part = joined_parts(graph);
    EXPECT_EQ(part[3], part[1]);
    EXPECT_EQ(part[0], part[4]);
    EXPECT_NE(part[0], part[1]);
}

}  // namespace
}  // namespace coll_topo::test
