// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/torus_load.hpp"

#include "test/fabric/one_by_one.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>

namespace coll_topo {
namespace {

TEST(TorusLoad, CountsTheMessagesOnTheLinksThatRoutingTakes) {
    for (const Tie tie : {Tie::parity, Tie::positive, Tie::negative}) {
        const Torus torus("mixed", {{5, false, 1, 0.25}, {4, true, 1, 0.25}, {2, true, 1, 0.25}}, tie);
        std::mt19937 random(7);
        const auto cell = [&] { return static_cast<std::int64_t>(random() % torus.cells()); };
        std::vector<std::pair<std::int64_t, std::int64_t>> messages;
        for (int i = 0; i < 200; ++i) messages.emplace_back(cell(), cell());
        TorusLoad load(torus);
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
    TorusLoad load(Torus("mixed", {{5, true, 1, 1}, {3, false, 1, 1}}, Tie::parity));
    const auto add = [&](std::int64_t from, std::int64_t to, double amount) {
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

}  // namespace
}  // namespace coll_topo
