// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/torus.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <map>

namespace coll_topo {
namespace {

Torus make_torus(const std::vector<int>& sizes, const std::vector<bool>& wrapped, Tie tie = Tie::parity) {
    std::vector<TorusDimension> dimensions;
    for (std::size_t i = 0; i < sizes.size(); ++i) dimensions.push_back({sizes[i], wrapped[i], 1e9, 1e-6});
    return Torus("t0", dimensions, tie);
}

std::vector<std::int64_t> route(const Torus& torus, std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> links;
    torus.route(from, to, links);
    return links;
}

/// The cells a route visits after the first.
std::vector<std::int64_t> visited(const Torus& torus, std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> cells;
    for (const std::int64_t link : route(torus, from, to)) cells.push_back(torus.link_target(link));
    return cells;
}

TEST(Torus, NumbersCellsWithTheFirstDimensionFastest) {
    const Torus torus = make_torus({4, 3, 2}, {true, true, true});
    EXPECT_EQ(24, torus.cells());
    EXPECT_EQ(144, torus.links());
    EXPECT_EQ(1 + 2 * 4 + 1 * 12, torus.cell({1, 2, 1}));
    for (std::int64_t cell = 0; cell < torus.cells(); ++cell) {
        EXPECT_EQ(cell, torus.cell({torus.coordinate(cell, 0), torus.coordinate(cell, 1), torus.coordinate(cell, 2)}));
    }
}

TEST(Torus, RoutesTheFirstDimensionFirst) {
    const Torus torus = make_torus({5, 5}, {true, true});
    EXPECT_EQ((std::vector<std::int64_t>{1, 2, 7, 12}), visited(torus, 0, 12));
}

TEST(Torus, GoesRoundTheShorterWay) {
    const Torus odd = make_torus({5}, {true});
    EXPECT_EQ((std::vector<std::int64_t>{1, 2}), visited(odd, 0, 2));
    EXPECT_EQ((std::vector<std::int64_t>{4, 3}), visited(odd, 0, 3));
    const Torus mesh = make_torus({5}, {false});
    EXPECT_EQ((std::vector<std::int64_t>{1, 2, 3}), visited(mesh, 0, 3));
    EXPECT_EQ((std::vector<std::int64_t>{3, 2, 1, 0}), visited(mesh, 4, 0));
}

TEST(Torus, TieRuleDecidesHalfWayDistances) {
    const auto first_step = [](Tie tie, std::int64_t from) {
        return visited(make_torus({4}, {true}, tie), from, (from + 2) % 4).front();
    };
    EXPECT_EQ(1, first_step(Tie::positive, 0));
    EXPECT_EQ(2, first_step(Tie::positive, 1));
    EXPECT_EQ(3, first_step(Tie::negative, 0));
    EXPECT_EQ(0, first_step(Tie::negative, 1));
    EXPECT_EQ(1, first_step(Tie::parity, 0));
    EXPECT_EQ(0, first_step(Tie::parity, 1));
}

TEST(Torus, ParityCountsAllCoordinatesOfTheSource) {
    const Torus torus = make_torus({4, 4}, {true, true}, Tie::parity);
    // From (1,1) to (3,3) the sum is even in both dimensions, also after the first one has been walked.
    EXPECT_EQ((std::vector<std::int64_t>{6, 7, 11, 15}), visited(torus, 5, 15));
    // From (0,1) to (2,3) it is odd.
    EXPECT_EQ((std::vector<std::int64_t>{7, 6, 2, 14}), visited(torus, 4, 14));
}

TEST(Torus, ParitySplitsHalfWayTrafficEvenly) {
    const Torus torus = make_torus({4, 4}, {true, true}, Tie::parity);
    std::map<std::int64_t, int> load;
    for (std::int64_t cell = 0; cell < torus.cells(); ++cell) {
        const std::int64_t across = torus.cell({(torus.coordinate(cell, 0) + 2) % 4, torus.coordinate(cell, 1)});
        for (const std::int64_t link : route(torus, cell, across)) ++load[link];
    }
    EXPECT_EQ(32u, load.size());  // both directions of all 16 cables of the first dimension
    for (const auto& [link, messages] : load) EXPECT_EQ(1, messages) << "link " << link;
}

TEST(Torus, TwoCablesJoinTheTwoCellsOfAWrappedDimensionOfSize2) {
    const Torus torus = make_torus({2}, {true}, Tie::parity);
    EXPECT_EQ(1, torus.link_target(0));
    EXPECT_EQ(1, torus.link_target(1));
    EXPECT_EQ(0, torus.link_target(2));
    EXPECT_EQ(0, torus.link_target(3));
    EXPECT_EQ((std::vector<std::int64_t>{0}), route(torus, 0, 1));  // even source: positive
    EXPECT_EQ((std::vector<std::int64_t>{3}), route(torus, 1, 0));  // odd source: negative
    EXPECT_EQ((std::vector<std::int64_t>{1}), route(make_torus({2}, {true}, Tie::negative), 0, 1));
}

TEST(Torus, AMeshHasNoLinkAtItsEdgesAndASizeOf1NoneAtAll) {
    const Torus mesh = make_torus({3, 1}, {false, true});
    EXPECT_EQ(-1, mesh.link_target(1));              // cell 0, first dimension, negative
    EXPECT_EQ(1, mesh.link_target(0));               // cell 0, first dimension, positive
    EXPECT_EQ(-1, mesh.link_target(2 * 4));          // cell 2, first dimension, positive
    EXPECT_EQ(-1, mesh.link_target(1 * 4 + 2));      // cell 1, second dimension, positive
    EXPECT_EQ(-1, mesh.link_target(1 * 4 + 2 + 1));  // cell 1, second dimension, negative
}

/// Walks from every cell to every cell: each hop starts where the last one ended, and no way is shorter.
void expect_shortest_routes(const Torus& torus) {
    const auto count = static_cast<std::int64_t>(torus.dimensions().size());
    for (std::int64_t from = 0; from < torus.cells(); ++from) {
        for (std::int64_t to = 0; to < torus.cells(); ++to) {
            std::int64_t cell = from;
            const std::vector<std::int64_t> links = route(torus, from, to);
            for (const std::int64_t link : links) {
                ASSERT_EQ(cell, link / 2 / count) << from << " to " << to;
                cell = torus.link_target(link);
                ASSERT_GE(cell, 0) << from << " to " << to;
            }
            ASSERT_EQ(to, cell);
            std::size_t shortest = 0;
            for (int d = 0; d < count; ++d) {
                const TorusDimension& dimension = torus.dimensions()[d];
                const int direct = std::abs(torus.coordinate(from, d) - torus.coordinate(to, d));
                shortest += dimension.wrapped ? std::min(direct, dimension.size - direct) : direct;
            }
            ASSERT_EQ(shortest, links.size()) << from << " to " << to;
        }
    }
}

TEST(Torus, EveryRouteIsConnectedAndShortest) {
    for (const Tie tie : {Tie::positive, Tie::negative, Tie::parity}) {
        expect_shortest_routes(make_torus({4, 3}, {true, false}, tie));
        expect_shortest_routes(make_torus({2, 1, 5}, {true, true, true}, tie));
        expect_shortest_routes(make_torus({2, 2, 2, 2, 3}, {true, false, true, true, true}, tie));
        expect_shortest_routes(make_torus({1}, {true}, tie));
    }
}

}  // namespace
}  // namespace coll_topo
