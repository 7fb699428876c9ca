// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/order_ways.hpp"

#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <string>

namespace coll_topo::acceptance {
namespace {

constexpr int most_waves = 6;  // as the measuring program has

/// Reaches hosts in waves, as the measuring program does; `pass` says whether messages pass between two hosts.
int hosts_not_reached(LinkGraph& graph, int leader, const std::function<bool(int, int)>& pass) {
    OrderWays ways(graph, leader);
    std::set<int> missing;
    for (int host = 0; host < graph.hosts(); ++host) {
        if (host != leader) missing.insert(host);
    }
    for (int wave = 0; wave < most_waves; ++wave) {
        std::vector<std::pair<int, int>> tried;
        for (const int host : missing) {
            if (const int by = ways.next(host); by >= 0) tried.emplace_back(host, by);
        }
        for (const auto& [host, by] : tried) {
            if (!pass(host, by)) {
                ways.missed(host, by);
                continue;
            }
            ways.answered(host, by);
            missing.erase(host);
        }
    }
    return static_cast<int>(missing.size());
}

/// Whether two hosts exchange messages where nothing passes over the cable of a link, in either direction.
bool pass(LinkGraph& graph, int dead, int a, int b) {
    std::vector<int> links;
    graph.route(a, b, links);
    graph.route(b, a, links);
    return std::none_of(links.begin(), links.end(),
                        [&](int link) { return link == dead || link == graph.opposite(dead); });
}

const char* const texts[] = {
    "TorusName=t Dims=4x4 Nodes=n[00-15]\nHostLink Latency=1us\n",
    "TorusName=t Dims=2x2x2 Nodes=n[0-7]\n",
    "TorusName=t Dims=3x5 Nodes=n[00-14]\n",
    "SwitchName=a Nodes=n[00-03]\nSwitchName=b Nodes=n[04-07]\nSwitchName=c Nodes=n[08-11]\n"
    "SwitchName=d Nodes=n[12-15]\nLink From=a,b,c,d To=s[1-4]\n",
    "LatinSquareName=q Order=2 HostsPerLeaf=2 Nodes=n[00-13]\n",
};

/// But for the hosts whose own cable it is.
TEST(OrderWays, WhateverCableIsDeadOrdersReachAllHosts) {
    for (const char* const text : texts) {
        const auto file = read_topology_text(text, "test.conf");
        ASSERT_TRUE(file) << file.error().text();
        LinkGraph graph(file->fabric);
        for (int dead = 0; dead < static_cast<int>(graph.links().size()); ++dead) {
            const Link& ends = graph.links()[static_cast<std::size_t>(dead)];
            const bool of_host = graph.hosts_have_cables() && std::min(ends.from, ends.to) < graph.hosts();
            const int owner = std::min(ends.from, ends.to);
            for (int leader = 0; leader < graph.hosts(); ++leader) {
                if (of_host && owner == leader) continue;
                const int left =
                    hosts_not_reached(graph, leader, [&](int a, int b) { return pass(graph, dead, a, b); });
                EXPECT_EQ(of_host ? 1 : 0, left) << text << graph.name(ends.from) << " " << graph.name(ends.to)
                                                 << ", orders from " << graph.name(leader);
            }
        }
    }
}

TEST(OrderWays, AHostThatDoesNotAnswerIsTriedByEachOtherOnce) {
    const auto file = read_topology_text(texts[1], "test.conf");
    LinkGraph graph(file->fabric);
    OrderWays ways(graph, 0);
    for (int host = 1; host < 7; ++host) {
        EXPECT_EQ(0, ways.next(host));
        ways.answered(host, 0);
    }
    std::set<int> tried;
    for (int by = ways.next(7); by >= 0; by = ways.next(7)) EXPECT_TRUE(tried.insert(by).second) << by;
    EXPECT_EQ((std::set<int>{0, 1, 2, 3, 4, 5, 6}), tried);
    EXPECT_FALSE(ways.is_reached(7));
}

TEST(OrderWays, WhatWasLostMayBeReachedAnotherWay) {
    const auto file = read_topology_text(texts[1], "test.conf");
    LinkGraph graph(file->fabric);
    OrderWays ways(graph, 0);
    for (const int host : {1, 2}) ways.answered(host, ways.next(host));
    EXPECT_EQ(0, ways.before(2));
    ways.lost({2});
    EXPECT_FALSE(ways.is_reached(2));
    EXPECT_EQ(0, ways.next(2));
    EXPECT_EQ(1, ways.next(2));
    ways.answered(2, 1);
    EXPECT_EQ(1, ways.before(2));
    EXPECT_EQ(-1, ways.before(0));
}

}  // namespace
}  // namespace coll_topo::acceptance
