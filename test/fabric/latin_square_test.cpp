// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/latin_square.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace coll_topo {
namespace {

std::set<std::string> leaves_of(const SwitchGraph& graph, const std::string& spine) {
    std::set<std::string> leaves;
    for (const SwitchLink& link : graph.links) {
        if (graph.switches.name(link.to) == spine) leaves.emplace(graph.switches.name(link.from));
    }
    return leaves;
}

std::string named(const std::string& letter, int c, int r) {
    return letter + "(" + std::to_string(c) + "," + std::to_string(r) + ")";
}

TEST(LatinSquare, OfOrder3IsTheMachineWith52Hosts) {
    const SwitchGraph graph = latin_square(3, 4, {0, 0, 1, 12.5e9, 1e-6});
    ASSERT_EQ(26, graph.switches.size());
    EXPECT_EQ(52u, graph.leaf_of_host.size());
    EXPECT_EQ(52u, graph.links.size());
    const char* const order[] = {"P",      "P(0)",   "P(1)",   "P(2)",   "P(0,0)", "P(0,1)", "P(0,2)",
                                 "P(1,0)", "P(1,1)", "P(1,2)", "P(2,0)", "P(2,1)", "P(2,2)", "L"};
    for (int index = 0; index < 14; ++index) EXPECT_EQ(order[index], graph.switches.name(index));
    for (int host = 0; host < 52; ++host) EXPECT_EQ(host / 4, graph.leaf_of_host[host]);
    EXPECT_DOUBLE_EQ(12.5e9, graph.links.back().bandwidth);
    EXPECT_DOUBLE_EQ(1e-6, graph.links.back().latency);
}

TEST(LatinSquare, OfPrimeOrderHasTheLinesOfTheFormula) {
    for (const int n : {2, 3, 5, 7}) {
        const SwitchGraph graph = latin_square(n, 1, {});
        std::set<std::string> infinity = {"P"};
        for (int c = 0; c < n; ++c) {
            infinity.insert("P(" + std::to_string(c) + ")");
            std::set<std::string> column = {"P"};
            for (int r = 0; r < n; ++r) column.insert(named("P", c, r));
            EXPECT_EQ(column, leaves_of(graph, "L(" + std::to_string(c) + ")"));
            for (int r = 0; r < n; ++r) {
                std::set<std::string> line = {"P(" + std::to_string(c) + ")"};
                for (int i = 0; i < n; ++i) line.insert(named("P", i, (r + c * i) % n));
                EXPECT_EQ(line, leaves_of(graph, named("L", c, r)));
            }
        }
        EXPECT_EQ(infinity, leaves_of(graph, "L"));
    }
}

TEST(LatinSquare, AnyTwoLeavesShareExactlyOneSpineInPrimePowerOrdersToo) {
    for (const int n : {2, 3, 4, 5, 7, 8, 9}) {
        const SwitchGraph graph = latin_square(n, n + 1, {});
        const auto leaves = static_cast<int>(latin_square_leaves(n));
        ASSERT_EQ(2 * leaves, graph.switches.size());
        std::vector<std::set<int>> spines(leaves);
        for (const SwitchLink& link : graph.links) spines[link.from].insert(link.to);
        for (int a = 0; a < leaves; ++a) {
            ASSERT_EQ(n + 1u, spines[a].size());
            for (int b = 0; b < a; ++b) {
                int shared = 0;
                for (const int spine : spines[a]) shared += static_cast<int>(spines[b].count(spine));
                ASSERT_EQ(1, shared) << "order " << n << ", leaves " << a << " and " << b;
            }
        }
    }
}

TEST(LatinSquare, IsEmptyForAnOrderWithoutAField) {
    EXPECT_EQ(0, latin_square(6, 1, {}).switches.size());
}

}  // namespace
}  // namespace coll_topo
