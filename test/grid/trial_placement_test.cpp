// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/trial_placement.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

std::vector<int> hosts_of(const Fabric& fabric, std::string_view rule, int ranks_per_host, int ranks) {
    const auto placement = TrialPlacement::make(fabric, rule, ranks_per_host, ranks);
    if (!placement) return {-1};
    std::vector<int> hosts;
    for (int rank = 0; rank < ranks; ++rank) hosts.push_back(placement->host(rank));
    return hosts;
}

TEST(TrialPlacement, ByRankFillsHostAfterHost) {
    EXPECT_EQ(hosts_of(test::equal_torus({4}), "rank", 2, 5), (std::vector<int>{0, 0, 1, 1, 2}));
}

TEST(TrialPlacement, RoundRobinUsesAsManyHostsAsNeeded) {
    EXPECT_EQ(hosts_of(test::equal_torus({4}), "roundrobin", 2, 5), (std::vector<int>{0, 1, 2, 0, 1}));
}

TEST(TrialPlacement, ByListTakesHostsAsNamed) {
    EXPECT_EQ(hosts_of(test::equal_torus({4}), "n[3,1],n3", 1, 3), (std::vector<int>{3, 1, 3}));
}

std::string message_of(std::string_view rule, int ranks_per_host, int ranks) {
    const auto placement = TrialPlacement::make(test::equal_torus({4}), rule, ranks_per_host, ranks);
    return placement ? "none" : placement.error().text();
}

TEST(TrialPlacement, SaysWhatDoesNotFit) {
    EXPECT_EQ(message_of("rank", 2, 9),
              "coll_topo_place=rank: 9 ranks at 2 per host need 5 hosts, but there are 4; start fewer ranks or raise "
              "coll_topo_ranks_per_host");
    EXPECT_EQ(message_of("n[0,9]", 1, 2), "coll_topo_place: the topology file has no host 'n9'");
    EXPECT_EQ(message_of("rank", 0, 2), "coll_topo_ranks_per_host must be at least 1");
    EXPECT_NE(message_of("n[0,", 1, 2), "none");
}

}  // namespace
}  // namespace coll_topo
