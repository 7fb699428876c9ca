// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/ways_to_leaf.hpp"

#include "coll_topo/fabric/switch_routing.hpp"
#include "test/fabric/direct_search.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(WaysToLeaf, AreThoseOfADirectSearch) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const SwitchGraph graph = random_switches(seed);
        const SwitchLinks links(graph);
        for (const std::int32_t leaf : graph.leaf_of_host) {
            std::size_t kept = 0;
            WaysToLeaf ways(graph, links, leaf, false, kept);
            const DirectSearch search(graph, leaf);
            for (int at = graph.switches.size() - 1; at >= 0; --at) {
                if (at == leaf) continue;
                const WaysToLeaf::Hop hop = ways.from(at);
                ASSERT_EQ(search.hops(at) >= 0, hop.phase != WaysToLeaf::Phase::none) << seed;
                if (hop.phase == WaysToLeaf::Phase::none) continue;
                ASSERT_EQ(search.hops(at), hop.hops) << "seed " << seed << ", from " << at << " to " << leaf;
                ASSERT_EQ(search.links(at), std::vector<int>(hop.links.begin(), hop.links.end())) << seed;
            }
        }
    }
}

/// The routing keeps one set of ways for leaves with the same switches above.
TEST(WaysToLeaf, OfTwinsEndAtTheRightOne) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const SwitchGraph graph = random_switches(seed);
        SwitchRouting routing(graph);
        for (std::size_t host = 0; host < graph.leaf_of_host.size(); ++host) {
            const int leaf = graph.leaf_of_host[host];
            const DirectSearch search(graph, leaf);
            for (int at = 0; at < graph.switches.size(); ++at) {
                std::vector<CableUse> cables;
                ASSERT_EQ(search.hops(at) >= 0, routing.route(at, static_cast<int>(host), cables)) << seed;
                if (search.hops(at) < 0) continue;
                ASSERT_EQ(search.hops(at), static_cast<int>(cables.size())) << seed;
                if (at == leaf) continue;
                const std::vector<int> links = search.links(at);
                ASSERT_NE(std::find(links.begin(), links.end(), cables[0].link), links.end()) << seed;
            }
        }
    }
}

TEST(WaysToLeaf, RememberOnlyWhatIsAboveWhoAsks) {
    // Pods of two leaves below a switch of their own, all pods below one switch.
    constexpr int pods = 1000;
    SwitchGraph graph;
    for (int index = 0; index < 3 * pods + 1; ++index) graph.switches.add("s" + std::to_string(index));
    for (int pod = 0; pod < pods; ++pod) {
        graph.leaf_of_host.insert(graph.leaf_of_host.end(), {2 * pod, 2 * pod + 1});
        graph.links.insert(graph.links.end(), {{2 * pod, 2 * pods + pod}, {2 * pod + 1, 2 * pods + pod}});
        graph.links.push_back({2 * pods + pod, 3 * pods});
    }
    const SwitchLinks links(graph);
    std::size_t kept = 0;
    WaysToLeaf ways(graph, links, 0, true, kept);
    EXPECT_EQ(4, ways.from(2).hops);
    EXPECT_LE(kept, 10u);
}

}  // namespace
}  // namespace coll_topo::test
