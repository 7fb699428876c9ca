// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/capacity.hpp"
#include "coll_topo/fabric/max_flow.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace coll_topo::test {
namespace {

constexpr double gigabyte = 1e9, microsecond = 1e-6;  // of equal_torus

std::vector<int> all_hosts(const LinkGraph& graph) {
    std::vector<int> hosts(graph.hosts());
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

/// Two leaves with two hosts each and two spines, every cable 1 GB/s; the uplinks of the first leaf have half of that.
Fabric leaf_spine() {
    SwitchGraph graph;
    for (const char* name : {"leaf1", "leaf2", "spine1", "spine2"}) graph.switches.add(name);
    graph.leaf_of_host = {0, 0, 1, 1};
    graph.links = {{0, 2, 1, gigabyte / 2, microsecond},
                   {0, 3, 1, gigabyte / 2, microsecond},
                   {1, 2, 1, gigabyte, microsecond},
                   {1, 3, 1, gigabyte, microsecond}};
    Fabric fabric{{}, graph, {}, gigabyte, microsecond};
    for (const char* name : {"a", "b", "c", "d"}) fabric.hosts.add(name);
    return fabric;
}

TEST(Injection, IsAllLinksOfAHost) {
    const Fabric torus = equal_torus({4, 4, 4}), mesh = equal_torus({4, 4}, false);
    EXPECT_DOUBLE_EQ(host_injection(LinkGraph(torus)).bandwidths[5], 6 * gigabyte);
    EXPECT_DOUBLE_EQ(host_injection(LinkGraph(mesh)).bandwidths[0], 2 * gigabyte);
    EXPECT_DOUBLE_EQ(host_injection(LinkGraph(mesh)).bandwidths[5], 4 * gigabyte);
}

TEST(Injection, HasOneOfTheTwoCablesOfARingOfTwo) {
    for (const Tie tie : {Tie::positive, Tie::negative, Tie::parity}) {
        Fabric torus = equal_torus({2, 4, 2});
        torus.network = Torus("equal", torus.torus()->dimensions(), tie);
        for (int host = 0; host < torus.hosts.size(); ++host) {
            EXPECT_DOUBLE_EQ(host_injection(LinkGraph(torus)).bandwidths[host], 4 * gigabyte);
        }
    }
    EXPECT_DOUBLE_EQ(host_injection(LinkGraph(equal_torus({2, 4}, false))).bandwidths[2], 3 * gigabyte);
}

TEST(Injection, IsLimitedByTheCableOfTheHost) {
    Fabric fabric = equal_torus({4, 4});
    fabric.host_bandwidth = gigabyte;
    EXPECT_DOUBLE_EQ(host_injection(LinkGraph(fabric)).bandwidths[5], gigabyte);
    fabric.host_bandwidth = 100 * gigabyte;
    EXPECT_DOUBLE_EQ(host_injection(LinkGraph(fabric)).bandwidths[5], 4 * gigabyte);
    EXPECT_DOUBLE_EQ(host_injection(LinkGraph(leaf_spine())).bandwidths[0], gigabyte);
}

double bisection(const std::vector<int>& sizes, bool wrapped = true) {
    const Fabric fabric = equal_torus(sizes, wrapped);
    return bisection_bandwidth(fabric, LinkGraph(fabric));
}

TEST(Bisection, OfATorusIsAcrossItsLongestDimension) {
    EXPECT_DOUBLE_EQ(bisection({8}), 2 * gigabyte);
    EXPECT_DOUBLE_EQ(bisection({8, 4}), 8 * gigabyte);
    EXPECT_DOUBLE_EQ(bisection({4, 8}), 8 * gigabyte);
    EXPECT_DOUBLE_EQ(bisection({4, 8}, false), 4 * gigabyte);
    EXPECT_DOUBLE_EQ(bisection({2, 2}), 4 * gigabyte);  // two cables between neighbours
    EXPECT_DOUBLE_EQ(bisection({5, 5}), 10 * gigabyte);
    EXPECT_DOUBLE_EQ(bisection({1}), 0);
}

/// With the graph of all links, and by looking at all cuts.
double evenest_cut(const Fabric& fabric) {
    Cut evenest{0, fabric.hosts.size(), 0};
    for (const Cut& cut : cuts(fabric, LinkGraph(fabric), std::vector<int>(fabric.hosts.size(), 1))) {
        const std::int64_t difference = std::abs(cut.inside - cut.outside);
        const std::int64_t least = std::abs(evenest.inside - evenest.outside);
        if (difference < least || (difference == least && cut.bandwidth < evenest.bandwidth)) evenest = cut;
    }
    return evenest.bandwidth;
}

TEST(Capacity, OfATorusNeedsNoGraphOfItsLinks) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<TorusDimension> dimensions;
        for (std::size_t d = 0, count = 1 + random() % 4; d < count; ++d) {
            dimensions.push_back({static_cast<int>(1 + random() % 5), random() % 2 == 0,
                                  0.7e9 * static_cast<double>(1 + random() % 3), 1e-6});
        }
        const Torus torus("t", dimensions, static_cast<Tie>(random() % 3));
        Fabric fabric{{}, torus, {}, random() % 3 == 0 ? 1.3e9 : 0, random() % 3 == 0 ? 1e-6 : 0};
        for (std::int64_t cell = 0; cell < torus.cells(); ++cell) {
            if (cell > 0 && random() % 3 == 0) continue;
            fabric.hosts.add("n" + std::to_string(cell));
            fabric.cell_of_host.push_back(cell);
        }
        const LinkGraph graph(fabric);
        EXPECT_EQ(host_injection(graph).bandwidths, torus_injection_bandwidths(fabric));
        if (fabric.hosts.size() > 1) {
            EXPECT_EQ(evenest_cut(fabric), torus_bisection_bandwidth(fabric));
        }
        EXPECT_EQ(static_cast<std::int64_t>(graph.links().size()),
                  torus.directed_links() + (fabric.has_host_link() ? 2 * fabric.hosts.size() : 0));
    }
}

TEST(Bisection, OfALongRingIsFoundWithoutAllItsCuts) {
    const Fabric ring = equal_torus({100000});
    EXPECT_DOUBLE_EQ(torus_bisection_bandwidth(ring), 2 * gigabyte);
}

TEST(Bisection, OfSwitchesIsBetweenTheHalvesOfTheHosts) {
    const Fabric fabric = leaf_spine();
    EXPECT_DOUBLE_EQ(bisection_bandwidth(fabric, LinkGraph(fabric)), gigabyte);
}

TEST(Cuts, OfSwitchesAreWhatIsBelowEach) {
    const Fabric fabric = leaf_spine();
    const auto found = cuts(fabric, LinkGraph(fabric), std::vector<int>{1, 2, 4, 8});
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].inside, 3);
    EXPECT_EQ(found[0].outside, 12);
    EXPECT_DOUBLE_EQ(found[0].bandwidth, gigabyte);
    EXPECT_EQ(found[1].inside, 12);
    EXPECT_DOUBLE_EQ(found[1].bandwidth, 2 * gigabyte);
    EXPECT_EQ(found[2].outside, 0);  // all hosts are below a spine
}

/// Two pods of two leaves, each joined by two switches that have a slower cable to the same core.
Fabric pods() {
    SwitchGraph graph;
    for (const char* name : {"leaf1", "leaf2", "mid1", "mid2", "leaf3", "leaf4", "mid3", "mid4", "core"}) {
        graph.switches.add(name);
    }
    graph.leaf_of_host = {0, 1, 4, 5};
    for (const int pod : {0, 4}) {
        for (const int mid : {pod + 2, pod + 3}) {
            for (const int leaf : {pod, pod + 1}) graph.links.push_back({leaf, mid, 1, gigabyte, microsecond});
            graph.links.push_back({mid, 8, 1, gigabyte / 4, microsecond});
        }
    }
    Fabric fabric{{}, graph, {}, gigabyte, microsecond};
    for (const char* name : {"a", "b", "c", "d"}) fabric.hosts.add(name);
    return fabric;
}

TEST(Cuts, OfSwitchesAboveTheSameHostsAreOne) {
    const Fabric fabric = pods();
    const auto found = cuts(fabric, LinkGraph(fabric), std::vector<int>{1, 2, 4, 8});
    ASSERT_EQ(found.size(), 9u);
    for (const int mid : {2, 3}) {
        EXPECT_EQ(found[mid].inside, 3);
        EXPECT_EQ(found[mid].outside, 12);
        EXPECT_DOUBLE_EQ(found[mid].bandwidth, gigabyte / 2) << "not the cables to the other switch of the pod";
        EXPECT_EQ(found[mid].links, 2);
    }
    EXPECT_DOUBLE_EQ(found[0].bandwidth, 2 * gigabyte);
}

TEST(Cuts, OfATorusAreBetweenAnyTwoPlacesOfADimension) {
    const Fabric fabric = equal_torus({4, 3});
    const auto found = cuts(fabric, LinkGraph(fabric), std::vector<int>(12, 1));
    // Each arc and its complement, at all places but one that stays on one side: 4 and 3 places taken two by two, and
    // those that end at the last place twice.
    std::vector<std::pair<std::int64_t, double>> sides;
    for (const Cut& cut : found) {
        EXPECT_EQ(cut.inside + cut.outside, 12);
        sides.emplace_back(std::min(cut.inside, cut.outside), cut.bandwidth);
    }
    EXPECT_EQ(std::count(sides.begin(), sides.end(), std::pair(std::int64_t{6}, 6 * gigabyte)), 3);
    EXPECT_EQ(std::count(sides.begin(), sides.end(), std::pair(std::int64_t{3}, 6 * gigabyte)), 6);
    EXPECT_EQ(std::count(sides.begin(), sides.end(), std::pair(std::int64_t{4}, 8 * gigabyte)), 5);
    EXPECT_EQ(found.size(), 14u);
}

TEST(Cuts, OfAMeshAreAtAnyPlace) {
    const Fabric fabric = equal_torus({4}, false);
    const auto found = cuts(fabric, LinkGraph(fabric), std::vector<int>{1, 1, 5, 0});
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].inside, 2);
    EXPECT_EQ(found[1].outside, 5);
    EXPECT_DOUBLE_EQ(found[1].bandwidth, gigabyte);
}

TEST(MaxFlow, UsesAllWaysAtOnce) {
    const Fabric torus = equal_torus({4, 4});
    const std::vector<int> one = {0}, other = {5};
    EXPECT_DOUBLE_EQ(max_flow(LinkGraph(torus), one, other), 4 * gigabyte);
    const Fabric row = equal_torus({5}, false);
    const std::vector<int> middle = {2}, ends = {0, 4};
    EXPECT_DOUBLE_EQ(max_flow(LinkGraph(row), middle, ends), 2 * gigabyte);
    EXPECT_DOUBLE_EQ(max_flow(LinkGraph(row), one, std::vector<int>{4}), gigabyte);
}

TEST(MaxFlow, GoesALongWayWithoutALongStack) {
    constexpr int switches = 300000;
    SwitchGraph graph;
    for (int index = 0; index < switches; ++index) graph.switches.add("s" + std::to_string(index));
    for (int index = 1; index < switches; ++index) graph.links.push_back({index - 1, index, 1, gigabyte, 0});
    graph.leaf_of_host = {0, switches - 1};
    Fabric fabric{{}, std::move(graph), {}, gigabyte, 0};
    for (const char* name : {"a", "b"}) fabric.hosts.add(name);
    EXPECT_DOUBLE_EQ(bisection_bandwidth(fabric, LinkGraph(fabric)), gigabyte);
}

double diameter(const Fabric& fabric) {
    LinkGraph graph(fabric);
    return diameter_latency(graph, all_hosts(graph));
}

TEST(Diameter, IsTheLongestWay) {
    EXPECT_NEAR(diameter(equal_torus({4, 6})), 5 * microsecond, 1e-12);
    EXPECT_NEAR(diameter(equal_torus({4, 6}, false)), 8 * microsecond, 1e-12);
    EXPECT_NEAR(diameter(leaf_spine()), 4 * microsecond, 1e-12);
    EXPECT_EQ(diameter(equal_torus({1})), 0);
}

TEST(Diameter, OfManyHostsIsFoundFromTwo) {
    ASSERT_GT(32 * 33, most_exact_hosts);
    EXPECT_NEAR(diameter(equal_torus({32, 33})), (16 + 16) * microsecond, 1e-12);
    EXPECT_NEAR(diameter(equal_torus({32, 33}, false)), (31 + 32) * microsecond, 1e-12);
}

TEST(FarthestLatency, IsFromOneHost) {
    const Fabric fabric = equal_torus({9}, false);
    LinkGraph graph(fabric);
    EXPECT_NEAR(farthest_latency(graph, 3, all_hosts(graph)), 5 * microsecond, 1e-12);
    EXPECT_EQ(farthest_latency(graph, 3, std::vector<int>{3}), 0);
}

}  // namespace
}  // namespace coll_topo::test
