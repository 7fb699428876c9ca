// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/torus_load.hpp"

#include "test/fabric/one_by_one.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace coll_topo {
namespace {

/// Between all cells, which are called by their numbers.
TorusLoad load_between_all(const Torus& torus) {
    std::vector<std::int64_t> cells(torus.cells());
    std::iota(cells.begin(), cells.end(), 0);
    return TorusLoad({torus, cells});
}

TEST(TorusLoad, CountsTheMessagesOnTheLinksThatRoutingTakes) {
    for (const Tie tie : {Tie::parity, Tie::positive, Tie::negative}) {
        const Torus torus("mixed", {{5, false, 1, 0.25}, {4, true, 1, 0.25}, {2, true, 1, 0.25}}, tie);
        std::mt19937 random(7);
        const auto cell = [&] { return static_cast<int>(random() % torus.cells()); };
        std::vector<std::pair<int, int>> messages;
        for (int i = 0; i < 200; ++i) messages.emplace_back(cell(), cell());
        TorusLoad load = load_between_all(torus);
        test::OneByOne count(torus);
        for (const auto& [from, to] : messages) {
            load.for_legs(from, to, [&](const TorusLeg& leg) { load.add(leg, 1); });
            count.add(from, to);
        }
        load.sum_up();
        for (const auto& [from, to] : messages) {
            double most = 0;
            std::size_t hops = 0;
            load.for_legs(from, to, [&](const TorusLeg& leg) {
                most = std::max(most, load.busiest(leg));
                hops += leg.hops;
            });
            EXPECT_EQ(most, count.most(from, to)) << from << " to " << to;
            EXPECT_EQ(hops, count.route(from, to).size()) << from << " to " << to;
        }
        load.clear();
        load.sum_up();
        for (int dimension = 0; dimension < 3; ++dimension) EXPECT_EQ(load.busiest(dimension), 0);
    }
}

TEST(TorusLoad, KnowsTheBusiestLinkOfADimensionInEitherDirection) {
    TorusLoad load = load_between_all(Torus("mixed", {{5, true, 1, 1}, {3, false, 1, 1}}, Tie::parity));
    const auto add = [&](int from, int to, double amount) {
        load.for_legs(from, to, [&](const TorusLeg& leg) { load.add(leg, amount); });
    };
    add(0, 2, 1);
    add(1, 4, 0.5);        // 1 -> 0 -> 4
    add(4, 1, 2);          // 4 -> 0 -> 1, the second link with the first message
    add(2, 2 + 2 * 5, 4);  // the other dimension alone
    load.sum_up();
    EXPECT_EQ(load.busiest(0), 3);
    EXPECT_EQ(load.busiest(1), 4);
}

TEST(TorusRoutes, NumberTheCablesOfTheLinesInUse) {
    const Torus torus("large", {{100, true, 1, 1}, {100, true, 1, 1}, {100, true, 1, 1}}, Tie::parity);
    const std::int64_t far = torus.cell({40, 0, 70});
    TorusRoutes routes(torus, std::vector<std::int64_t>{far, 0});
    const auto first_cables = [&](int from, int to) {
        std::vector<int> found;
        routes.for_legs(from, to, [&](const TorusLeg& leg) { found.push_back(leg.line); });
        return found;
    };
    EXPECT_EQ(routes.cables(), 0);
    EXPECT_EQ(first_cables(1, 0), (std::vector<int>{0, 100}));
    EXPECT_EQ(first_cables(0, 1), (std::vector<int>{200, 300})) << "back along another corner";
    EXPECT_EQ(first_cables(1, 0), (std::vector<int>{0, 100}));
    EXPECT_EQ(routes.cables(), 400);
    EXPECT_EQ(routes.dimension(99), 0);
    EXPECT_EQ(routes.dimension(100), 2);
    EXPECT_EQ(routes.dimension(200), 0);
}

TEST(TorusLoad, OfALineToWhichNoMessageHasComeIsNone) {
    TorusLoad load = load_between_all(Torus("flat", {{4, true, 1, 1}, {4, true, 1, 1}}, Tie::parity));
    load.for_legs(0, 1, [&](const TorusLeg& leg) { load.add(leg, 1); });
    load.sum_up();
    int legs = 0;
    load.for_legs(4, 5, [&](const TorusLeg& leg) { legs += load.busiest(leg) == 0; });
    EXPECT_EQ(legs, 1);
    load.sum_up();
    EXPECT_EQ(load.busiest(1), 0);
}

}  // namespace
}  // namespace coll_topo
