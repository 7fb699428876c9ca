// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/breadth_first/port_shares.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace coll_topo {
namespace {

TEST(PortShares, KindsGiveWayToThoseWithFewerPorts) {
    // The first kind would fill the port that alone serves the second.
    const std::vector<UnitKind> kinds = {{0b11, 4}, {0b01, 3}, {0b10, 1}};
    const PortShares shares = share_out(kinds, {1, 1});
    EXPECT_EQ(shares.time, 4);
    EXPECT_EQ(shares.units, (std::vector<std::vector<int>>{{1, 3}, {3, 0}, {0, 1}}));
}

TEST(PortShares, TimeIsThatOfTheSetOfPortsThatIsBusiest) {
    const std::vector<UnitKind> kinds = {{0b001, 5}, {0b011, 3}, {0b100, 1}};
    EXPECT_EQ(least_time(kinds, {1, 1, 1}), 5);
    EXPECT_EQ(least_time(kinds, {2, 1, 1}), 8.0 / 3);
    EXPECT_EQ(share_out(kinds, {2, 1, 1}).time, 3);  // whole units: six and two, or five and three
}

TEST(PortShares, EveryUnitGoesOverAPortItMayUse) {
    const std::vector<UnitKind> kinds = {{0b1010, 7}, {0b0110, 11}, {0b1111, 2}, {0b1000, 3}};
    const PortShares shares = share_out(kinds, {1, 3, 1, 2});
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const auto& units = shares.units[kind];
        EXPECT_EQ(std::accumulate(units.begin(), units.end(), 0), kinds[kind].units);
        for (std::size_t port = 0; port < units.size(); ++port) {
            if ((kinds[kind].ports >> port & 1) == 0) {
                EXPECT_EQ(units[port], 0);
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo
