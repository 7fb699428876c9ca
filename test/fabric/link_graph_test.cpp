// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/link_graph.hpp"

#include "coll_topo/fabric/capacity.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace coll_topo {
namespace {

Fabric read(const std::string& text) {
    auto file = read_topology_text(text, "test.conf");
    EXPECT_TRUE(file) << file.error().text();
    return std::move(file->fabric);
}

std::vector<int> route(LinkGraph& graph, int from, int to) {
    std::vector<int> links;
    EXPECT_TRUE(graph.route(from, to, links));
    return links;
}

/// "n0 n1 n2", the vertices a route passes; checks that each link starts where the one before ends.
std::string way(LinkGraph& graph, int from, int to) {
    std::string text = graph.name(from);
    int at = from;
    for (const int link : route(graph, from, to)) {
        EXPECT_EQ(at, graph.links()[link].from);
        at = graph.links()[link].to;
        text += " " + graph.name(at);
    }
    EXPECT_EQ(to, at);
    return text;
}

void expect_routes_without_loops_and_as_long_back(LinkGraph& graph) {
    for (int from = 0; from < graph.hosts(); ++from) {
        for (int to = 0; to < graph.hosts(); ++to) {
            const auto links = route(graph, from, to);
            std::set<int> visited = {from};
            for (const int link : links) EXPECT_TRUE(visited.insert(graph.links()[link].to).second);
            EXPECT_EQ(links.size(), route(graph, to, from).size());
            way(graph, from, to);
        }
    }
}

TEST(LinkGraph, ATorusIsItsHosts) {
    const Fabric fabric = read("TorusName=t Dims=3x2 Nodes=n[0-5] Bandwidth=2GB/s,1GB/s Latency=1us,2us");
    LinkGraph graph(fabric);
    EXPECT_EQ(6, graph.vertices());
    EXPECT_EQ(24u, graph.links().size());
    const auto between = [&](int a, int b) {
        return std::count_if(graph.links().begin(), graph.links().end(),
                             [&](const Link& link) { return link.from == a && link.to == b; });
    };
    EXPECT_EQ(1, between(0, 1));
    EXPECT_EQ(2, between(0, 3)) << "a wrapped dimension of size 2 has two cables";
    for (const Link& link : graph.links()) {
        const bool first_dimension = link.from / 3 == link.to / 3;
        EXPECT_EQ(first_dimension ? 2e9 : 1e9, link.bandwidth);
        EXPECT_EQ(first_dimension ? 1e-6 : 2e-6, link.latency);
    }
}

TEST(LinkGraph, RoutesOfATorusAreThoseOfTheTorus) {
    for (const char* const tie : {"parity", "positive", "negative"}) {
        const Fabric fabric = read("TorusName=t Dims=4x3x2 Wrap=yny Nodes=n[00-23] Tie=" + std::string(tie));
        LinkGraph graph(fabric);
        const Torus& torus = *fabric.torus();
        for (int from = 0; from < 24; ++from) {
            for (int to = 0; to < 24; ++to) {
                std::vector<std::int64_t> expected;
                torus.route(from, to, expected);
                const auto links = route(graph, from, to);
                ASSERT_EQ(expected.size(), links.size());
                for (std::size_t hop = 0; hop < links.size(); ++hop) {
                    EXPECT_EQ(torus.link_target(expected[hop]), graph.links()[links[hop]].to);
                }
                // The two cables of a dimension of size 2 lead to the same place, but only one is on the route.
                std::set<int> different(links.begin(), links.end());
                EXPECT_EQ(links.size(), different.size());
            }
        }
        expect_routes_without_loops_and_as_long_back(graph);
    }
}

TEST(LinkGraph, ParityUsesBothCablesOfADimensionOfTwo) {
    const Fabric fabric = read("TorusName=t Dims=2 Nodes=a,b Tie=parity");
    LinkGraph graph(fabric);
    EXPECT_EQ(4u, graph.links().size());
    // a goes in the positive direction, b in the negative: 1 -> 0 backwards is the cable that a's message came by.
    EXPECT_EQ(0, route(graph, 0, 1)[0] % 2);
    EXPECT_EQ(1, route(graph, 1, 0)[0] % 2);
}

TEST(LinkGraph, CellsWithoutHostHaveRouters) {
    const Fabric fabric = read("TorusName=t Dims=3x2 Wrap=nn\nNodeName=a Coord=0,1\nNodeName=b Coord=2,1\n");
    LinkGraph graph(fabric);
    EXPECT_EQ(2, graph.hosts());
    EXPECT_EQ(6, graph.vertices());
    EXPECT_EQ("a (1,1) b", way(graph, 0, 1));
    EXPECT_EQ("(0,0)", graph.name(graph.vertex_of_cell(0)));
}

TEST(LinkGraph, TheOppositeOfALinkIsTheSameCable) {
    for (const char* text :
         {"TorusName=t Dims=2x3x1 Wrap=yny Nodes=n[0-5]", "TorusName=t Dims=2 Nodes=a,b\nHostLink Latency=1us",
          "SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\nLink From=a,b To=s[1-2] Count=2"}) {
        const Fabric fabric = read(text);
        const LinkGraph graph(fabric);
        for (int link = 0; link < static_cast<int>(graph.links().size()); ++link) {
            const int back = graph.opposite(link);
            EXPECT_NE(link, back);
            EXPECT_EQ(link, graph.opposite(back)) << text;
            EXPECT_EQ(graph.links()[link].from, graph.links()[back].to) << text;
            EXPECT_EQ(graph.links()[link].to, graph.links()[back].from) << text;
        }
    }
}

TEST(LinkGraph, OfTwoCablesInARingOfTwoTheWayBackIsOnTheSame) {
    const Fabric fabric = read("TorusName=t Dims=2 Nodes=a,b");
    const LinkGraph graph(fabric);
    ASSERT_EQ(4u, graph.links().size());  // a positive, a negative, b positive, b negative
    EXPECT_EQ(3, graph.opposite(0));
    EXPECT_EQ(2, graph.opposite(1));
}

TEST(LinkGraph, AHostLinkMakesRouters) {
    const Fabric fabric =
        read("TorusName=t Dims=3 Nodes=n[0-2] Bandwidth=1GB/s Latency=1us\nHostLink Bandwidth=5GB/s\n");
    LinkGraph graph(fabric);
    EXPECT_EQ(6, graph.vertices());
    EXPECT_EQ(12u, graph.links().size());
    EXPECT_EQ("n0 n0.router n2.router n2", way(graph, 0, 2));
    const Link& first = graph.links()[route(graph, 0, 2)[0]];
    EXPECT_EQ(5e9, first.bandwidth);
    EXPECT_EQ(1e-6, first.latency) << "what HostLink does not say is as the links";
    expect_routes_without_loops_and_as_long_back(graph);
}

TEST(LinkGraph, AHostLinkOfLatencyAloneCarriesAllCablesOfItsRouter) {
    const Fabric fabric =
        read("TorusName=t Dims=3x2 Wrap=nn Nodes=n[0-5] Bandwidth=1GB/s,2GB/s Latency=1us\nHostLink Latency=3us\n");
    LinkGraph graph(fabric);
    const std::vector<int> ways = route(graph, 0, 2);
    EXPECT_EQ(ways.size(), 4u);
    EXPECT_EQ(3e9, graph.links()[ways.front()].bandwidth);
    EXPECT_EQ(3e-6, graph.links()[ways.front()].latency);
    EXPECT_EQ(4e9, graph.links()[route(graph, 1, 0).front()].bandwidth) << "in the middle there are three cables";
    const std::vector<double> injection = host_injection(graph).bandwidths;
    EXPECT_EQ(injection, (std::vector<double>{3e9, 4e9, 3e9, 3e9, 4e9, 3e9}));
}

/// Seconds of latency from host 0 to host 1, its neighbour.
double neighbour_latency(const Fabric& fabric) {
    LinkGraph graph(fabric);
    double seconds = 0;
    for (const int link : route(graph, 0, 1)) seconds += graph.links()[link].latency;
    return seconds;
}

TEST(LinkGraph, MessagesStartAsLateAsPlanningCounts) {
    const std::string torus = "TorusName=t Dims=3x2 Nodes=n[0-5] Bandwidth=1GB/s,2GB/s Latency=1us,0.5us\n";
    const Fabric plain = read(torus), late = read(torus + "HostLink Latency=3us\n");
    const Fabric fast = read(torus + "HostLink Bandwidth=9GB/s\n");
    EXPECT_EQ(plain.start_latency(), 0);
    EXPECT_NEAR(late.start_latency(), 6e-6, 1e-12);
    EXPECT_NEAR(fast.start_latency(), 1e-6, 1e-12);
    for (const Fabric* fabric : {&plain, &late, &fast}) {
        EXPECT_NEAR(neighbour_latency(*fabric), 1e-6 + fabric->start_latency(), 1e-12);
    }
}

TEST(LinkGraph, SwitchesWithParallelCables) {
    const Fabric fabric = read(
        "SwitchName=leaf1 Nodes=n[0-3]\nSwitchName=leaf2 Nodes=n[4-7]\n"
        "Link From=leaf[1-2] To=top[1-2] Count=2 Bandwidth=2GB/s Latency=1us\n"
        "HostLink Bandwidth=4GB/s Latency=3us\n");
    LinkGraph graph(fabric);
    EXPECT_EQ(12, graph.vertices());
    EXPECT_EQ(2u * (8 + 8), graph.links().size());
    EXPECT_EQ("n0 leaf1 n3", way(graph, 0, 3));
    EXPECT_EQ("n0 leaf1 top1 leaf2 n4", way(graph, 0, 4));
    EXPECT_EQ("n0 leaf1 top2 leaf2 n5", way(graph, 0, 5));
    EXPECT_EQ("n0 leaf1 top1 leaf2 n6", way(graph, 0, 6));
    EXPECT_NE(route(graph, 0, 4)[1], route(graph, 0, 6)[1]) << "the same switches by the other cable";
    EXPECT_EQ(route(graph, 0, 6), [&] {
        auto links = route(graph, 1, 6);
        links[0] = route(graph, 0, 6)[0];
        return links;
    }()) << "by destination";
    EXPECT_EQ(4e9, graph.links()[route(graph, 0, 4)[0]].bandwidth);
    EXPECT_EQ(2e9, graph.links()[route(graph, 0, 4)[1]].bandwidth);
    expect_routes_without_loops_and_as_long_back(graph);
}

TEST(LinkGraph, CablesOfHostsAreAsThoseOfTheirLeaf) {
    const Fabric fabric = read(
        "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\n"
        "Link From=a To=t Bandwidth=1GB/s Latency=1us\nLink From=b To=t Bandwidth=2GB/s\n");
    LinkGraph graph(fabric);
    EXPECT_EQ(1e9, graph.links()[route(graph, 0, 3).front()].bandwidth);
    EXPECT_EQ(1e-6, graph.links()[route(graph, 0, 3).front()].latency);
    EXPECT_EQ(2e9, graph.links()[route(graph, 0, 3).back()].bandwidth);
}

TEST(LinkGraph, ASlurmTreeOfThreeLevels) {
    const Fabric fabric = read(
        "SwitchName=core Switches=pod[1-2]\nSwitchName=pod1 Switches=leaf[1-2]\nSwitchName=pod2 Switches=leaf[3-4]\n"
        "SwitchName=leaf1 Nodes=n[0-1]\nSwitchName=leaf2 Nodes=n[2-3]\nSwitchName=leaf3 Nodes=n[4-5]\n"
        "SwitchName=leaf4 Nodes=n[6-7]\n");
    LinkGraph graph(fabric);
    EXPECT_EQ("n0 leaf1 n1", way(graph, 0, 1));
    EXPECT_EQ("n0 leaf1 pod1 leaf2 n3", way(graph, 0, 3));
    EXPECT_EQ("n0 leaf1 pod1 core pod2 leaf4 n7", way(graph, 0, 7));
    expect_routes_without_loops_and_as_long_back(graph);

    // When each host sends to the one half-way round, the core's cables carry all of a pod.
    std::vector<int> messages(graph.links().size(), 0);
    for (int host = 0; host < 8; ++host) {
        for (const int link : route(graph, host, (host + 4) % 8)) ++messages[link];
    }
    for (std::size_t link = 0; link < messages.size(); ++link) {
        const std::string from = graph.name(graph.links()[link].from), to = graph.name(graph.links()[link].to);
        const bool of_core = from == "core" || to == "core";
        const bool of_host = from[0] == 'n' || to[0] == 'n';
        EXPECT_EQ(of_host ? 1 : of_core ? 4 : 2, messages[link]) << from << " to " << to;
    }
}

TEST(LinkGraph, ASlurmTreeSaysNothingOfSpeeds) {
    const Fabric fabric = read("SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\nSwitchName=t Switches=a,b\n");
    LinkGraph graph(fabric);
    EXPECT_EQ("n0 a t b n1", way(graph, 0, 1));
    for (const Link& link : graph.links()) EXPECT_EQ(0, link.bandwidth);
}

TEST(LinkGraph, ApartNetworksHaveNoRoute) {
    const Fabric fabric = read("SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\n");
    LinkGraph graph(fabric);
    std::vector<int> links = {7};
    EXPECT_FALSE(graph.route(0, 1, links));
    EXPECT_EQ(std::vector<int>{7}, links);
}

TEST(LinkGraph, TenThousandHosts) {
    const Fabric fabric = read(
        "SwitchName=a Nodes=a[0000-4999]\nSwitchName=b Nodes=b[0000-4999]\n"
        "Link From=a,b To=t[0-15] Count=4 Bandwidth=1GB/s\n");
    LinkGraph graph(fabric);
    for (int host = 0; host < 5000; ++host) EXPECT_EQ(4u, route(graph, host, 9999 - host).size());
}

}  // namespace
}  // namespace coll_topo
