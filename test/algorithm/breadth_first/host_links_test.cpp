// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/breadth_first/host_links.hpp"

#include "coll_topo/fabric/link_graph.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace coll_topo {
namespace {

using test::equal_torus;
using test::ranks_on;

std::vector<int> next_to(const HostLinks& links, int host) {
    std::vector<int> hosts;
    for (const HostLink& link : links.of(host)) hosts.push_back(link.host);
    return hosts;
}

HostLinks links_among(const std::vector<std::int64_t>& cells, const std::vector<int>& sizes, bool wrapped) {
    const HostCells all(*equal_torus(sizes, wrapped).torus(), cells);
    return {all, static_cast<int>(cells.size())};
}

TEST(HostLinks, LeadToTheNextHostOfEachLine) {
    // a . b c on a mesh: hosts 0, 1, 2.
    const HostLinks line = links_among({0, 2, 3}, {4}, false);
    EXPECT_EQ(next_to(line, 0), (std::vector<int>{1}));
    EXPECT_EQ(next_to(line, 1), (std::vector<int>{2, 0}));
    EXPECT_NEAR(line.of(0)[0].latency, 2e-6, 1e-12);
    EXPECT_EQ(line.number(1, 0), 1);
}

TEST(HostLinks, MessagesHaveALatencyThatIsNotOfHops) {
    const HostCells cells(*equal_torus({4}, false).torus(), {0, 2, 3}, 5e-6);
    EXPECT_NEAR(HostLinks(cells, 3).of(0)[0].latency, 7e-6, 1e-12);
}

TEST(HostLinks, ARingOfTwoHostsHasOne) {
    EXPECT_EQ(next_to(links_among({0, 1}, {2}, true), 0), (std::vector<int>{1}));
    EXPECT_EQ(next_to(links_among({0, 2}, {4}, true), 0), (std::vector<int>{1}));
    EXPECT_EQ(next_to(links_among({0, 1, 2}, {3}, true), 1), (std::vector<int>{2, 0}));
}

TEST(HostLinks, HaveNoRouteThatMessagesDoNotTake) {
    // From 4 on to 0, three cables, messages go back instead, past 3, 2 and 1.
    const HostLinks ring = links_among({0, 1, 2, 3, 4}, {7}, true);
    EXPECT_EQ(next_to(ring, 0), (std::vector<int>{1, 4}));
    // Four of eight cells apart both ways, but one way leads past others.
    const HostLinks half = links_among({0, 1, 2, 4}, {8}, true);
    EXPECT_EQ(next_to(half, 0), (std::vector<int>{1}));
    EXPECT_EQ(next_to(half, 3), (std::vector<int>{2}));
}

TEST(HostLinks, ShareNoCables) {
    std::mt19937 dice(1);
    for (int trial = 0; trial < 100; ++trial) {
        const std::vector<int> sizes = {2 + static_cast<int>(dice() % 6), 2 + static_cast<int>(dice() % 6)};
        const Fabric fabric = equal_torus(sizes, trial % 2 == 0);
        std::vector<int> hosts;
        for (int cell = 0; cell < sizes[0] * sizes[1]; ++cell) {
            if (cell == 0 || dice() % 2 == 0) hosts.push_back(cell);
        }
        const Placement placement = ranks_on(hosts);
        const Grid grid = Grid::from_torus(fabric, placement).value();
        const HostLinks links(*grid.cells(), grid.hosts());
        LinkGraph graph(fabric);
        std::set<int> used;
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            for (const HostLink& link : links.of(grid.host(rank))) {
                std::vector<int> route;
                ASSERT_TRUE(graph.route(placement[rank].host, placement[grid.ranks_of_host(link.host)[0]].host, route));
                for (const int cable : route) EXPECT_TRUE(used.insert(cable).second) << grid.summary();
                EXPECT_NEAR(link.latency, 1e-6 * static_cast<double>(route.size()), 1e-12);
                EXPECT_LT(links.number(link.host, grid.host(rank)), links.of(link.host).size());
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo
