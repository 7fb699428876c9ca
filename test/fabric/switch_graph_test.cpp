// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_graph.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

SwitchGraph graph_of(int switches, const std::vector<std::pair<int, int>>& links) {
    SwitchGraph graph;
    for (int index = 0; index < switches; ++index) graph.switches.add("s" + std::to_string(index));
    for (const auto& [from, to] : links) graph.links.push_back({from, to, 1, 0, 0});
    return graph;
}

TEST(SwitchGraph, ATreeAndAFatTreeHaveNoCycle) {
    EXPECT_TRUE(find_cycle(graph_of(0, {})).empty());
    EXPECT_TRUE(find_cycle(graph_of(3, {{0, 2}, {1, 2}})).empty());
    EXPECT_TRUE(find_cycle(graph_of(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}})).empty());
}

TEST(SwitchGraph, FindsTheLinksOfACycleOnly) {
    // 0 -> 1 -> 2 -> 3 -> 1 with a way out at 2 -> 4.
    const SwitchGraph graph = graph_of(5, {{0, 1}, {2, 4}, {1, 2}, {3, 1}, {2, 3}});
    const std::vector<int> cycle = find_cycle(graph);
    ASSERT_EQ(3u, cycle.size());
    for (std::size_t index = 0; index < cycle.size(); ++index) {
        EXPECT_EQ(graph.links[cycle[index]].to, graph.links[cycle[(index + 1) % cycle.size()]].from);
    }
}

TEST(SwitchGraph, ASwitchAboveItselfIsACycle) {
    EXPECT_EQ((std::vector<int>{1}), find_cycle(graph_of(2, {{0, 1}, {1, 1}})));
}

}  // namespace
}  // namespace coll_topo
