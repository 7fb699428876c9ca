// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/route_reader.hpp"

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

const std::string two_leaves =
    "SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=n[4-7]\nLink From=a,b To=s[1-2] Count=2 Bandwidth=1GB/s\n";

Fabric read(const std::string& text) {
    auto file = read_topology_text(text, "t.conf");
    EXPECT_TRUE(file) << file.error().text();
    return file ? std::move(file->fabric) : Fabric{{}, SwitchGraph{}, {}, 0, 0};
}

std::string error_of(const std::string& routes) {
    const auto file = read_topology_text(two_leaves + routes, "t.conf");
    return file ? "no error" : file.error().text();
}

TEST(RouteReader, ReadsRoutesInAnyOrder) {
    const auto graph = std::get<SwitchGraph>(read("Route At=b To=n[0-1] Via=s1\nRoute At=a To=n5,n4 Via=s2 Cable=2\n" +
                                                  two_leaves + "Route At=s[1-2] To=n7 Via=b Cable=1\n")
                                                 .network);
    const auto expect_route = [&](std::size_t index, int at, int host, int link, int cable) {
        const GivenRoute& route = graph.routes[index];
        EXPECT_EQ(std::tuple(at, host, link, cable), std::tuple(route.at, route.host, route.link, route.cable))
            << index;
    };
    ASSERT_EQ(6u, graph.routes.size());
    expect_route(0, 0, 4, 1, 1);
    expect_route(1, 0, 5, 1, 1);
    expect_route(2, 1, 0, 2, -1);
    expect_route(3, 1, 1, 2, -1);
    expect_route(4, 2, 7, 2, 0);
    expect_route(5, 3, 7, 3, 0);
}

TEST(RouteReader, MessagesGoByTheRoutes) {
    const Fabric fabric = read(two_leaves + "Route At=a To=n[4-7] Via=s2 Cable=1\n");
    LinkGraph network(fabric);
    for (int to = 4; to < 8; ++to) {
        std::vector<int> route;
        ASSERT_TRUE(network.route(0, to, route));
        ASSERT_EQ(4u, route.size());
        EXPECT_EQ(4, route[1]) << "four directions of cables to s1 come first";
        EXPECT_EQ("s2", network.name(network.links()[route[1]].to));
    }
}

TEST(RouteReader, NamesSwitchesOfGeneratedTrees) {
    const std::string mesh = "FullMeshName=m Ports=6 Nodes=n[0-35]\n";
    const Fabric fabric = read("Route At=leaf(0,0),leaf(0,[1-2]) To=n[33-35] Via=spine(0,3)\n" + mesh +
                               "Route At=leaf(0,0) To=n[3-5] Via=spine(0,2)\n");
    const auto& graph = std::get<SwitchGraph>(fabric.network);
    ASSERT_EQ(12u, graph.routes.size());
    LinkGraph network(fabric);
    for (const auto& [to, spine] : {std::pair{3, "spine(0,2)"}, std::pair{5, "spine(0,2)"}}) {
        std::vector<int> route;
        ASSERT_TRUE(network.route(0, to, route));
        EXPECT_EQ(spine, network.name(network.links()[route[1]].to));
    }
    const auto error = [&](const std::string& routes) {
        const auto file = read_topology_text(mesh + routes, "t.conf");
        return file ? "no error" : file.error().text();
    };
    EXPECT_EQ("t.conf:2:10: there is no switch 'leaf(0,7)' in this file",
              error("Route At=leaf(0,7) To=n3 Via=spine(0,1)"));
    EXPECT_EQ("t.conf:2:10: there is no switch 'leaf(0,0' in this file",
              error("Route At=leaf(0,0 To=n3 Via=spine(0,1)"));
    EXPECT_EQ("t.conf:2:31: no cable between switches 'leaf(0,0)' and 'spine(1,2)'",
              error("Route At=leaf(0,0) To=n35 Via=spine(1,2)"));
}

TEST(RouteReader, TheDigestDependsOnThem) {
    const auto digest = [](const std::string& routes) { return read(two_leaves + routes).digest(); };
    const std::string routes[] = {"",
                                  "Route At=a To=n4 Via=s1",
                                  "Route At=a To=n5 Via=s1",
                                  "Route At=b To=n1 Via=s1",
                                  "Route At=a To=n4 Via=s2",
                                  "Route At=a To=n4 Via=s1 Cable=1",
                                  "Route At=a To=n4 Via=s1 Cable=2",
                                  "Route At=a To=n[4-5] Via=s1"};
    for (const std::string& one : routes) {
        for (const std::string& other : routes) EXPECT_EQ(one == other, digest(one) == digest(other)) << one << other;
    }
    EXPECT_EQ(digest("Route At=a To=n5,n4 Via=s1"), digest("Route At=a To=n4 Via=s1\nRoute At=a To=n5 Via=s1"));
}

TEST(RouteReader, SaysWhatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"Route At=c To=n4 Via=s1", "t.conf:4:10: there is no switch 'c' in this file"},
        {"Route At=a To=n[3-9] Via=s1", "t.conf:4:15: there is no host 'n8' in this file"},
        {"Route At=a To=n4 Via=s3", "t.conf:4:22: there is no switch 's3' in this file"},
        {"Route At=a To=n4 Via=s[1-2]", "t.conf:4:22: Via= takes one switch"},
        {"Route At=a To=n4 Via=b", "t.conf:4:22: no cable between switches 'a' and 'b'"},
        {"Route At=a To=n4 Via=s1 Cable=3", "t.conf:4:31: Cable must be from 1 to 2, not '3'"},
        {"Route At=a,b To=n4 Via=s1", "t.conf:4:17: host 'n4' is connected to switch 'b', which needs no route to it"},
        {"Route At=a To=n[4-5] Via=s1\nRoute At=a To=n5 Via=s2",
         "t.conf:5:1: second route from switch 'a' to host 'n5'; the first is at t.conf:4:1"},
        {"Route At=a To=n4 Via=s1\nRoute At=s1 To=n4 Via=a",
         "t.conf:4:1: messages to host 'n4' go in a circle: 'a', 's1', 'a'; give a Route at one of these switches that "
         "leads out of it"},
        {"SwitchName=c Nodes=m0\nRoute At=a To=m0 Via=s1",
         "t.conf:5:1: messages to host 'm0' end at switch 's1', from which no cables lead to the host; connect the "
         "switches, or leave out the route"},
    };
    for (const auto& [routes, expected] : cases) EXPECT_EQ(expected, error_of(routes)) << routes;
}

TEST(RouteReader, RefusesMoreRoutesThanAnyNetworkHas) {
    EXPECT_EQ("t.conf:4:1: more than 4194304 routes, counting each switch in At= with each host in To=", [] {
        const auto file = read_topology_text(
            "SwitchName=a Nodes=n[1-3000]\nSwitchName=b Nodes=m[1-3000]\nLink From=a,b To=s[1-1500]\n"
            "Route At=s[1-1500] To=n[1-3000] Via=a",
            "t.conf");
        return file ? "no error" : file.error().text();
    }());
}

}  // namespace
}  // namespace coll_topo
