// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/even_spread.hpp"
#include "coll_topo/fabric/leaf_groups.hpp"
#include "coll_topo/input/topology_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace coll_topo::test {
namespace {

using Numbers = std::vector<int>;

TEST(EvenShares, AreEqualOrDifferByOne) {
    EXPECT_EQ(even_shares(Numbers{9, 9, 9}, 6), (Numbers{2, 2, 2}));
    EXPECT_EQ(even_shares(Numbers{9, 9, 9}, 8), (Numbers{3, 3, 2}));
    EXPECT_EQ(even_shares(Numbers{}, 0), Numbers{});
}

TEST(EvenShares, FillSmallPartsFirst) {
    EXPECT_EQ(even_shares(Numbers{1, 9, 9}, 9), (Numbers{1, 4, 4}));
    EXPECT_EQ(even_shares(Numbers{1, 3, 9}, 13), (Numbers{1, 3, 9}));
}

TEST(SpreadOverFewest, TakesThePartsWithTheLeastRoomToSpare) {
    EXPECT_EQ(spread_over_fewest(Numbers{8, 5, 4, 8}, 8), (Numbers{8, 0, 0, 0}));
    EXPECT_EQ(spread_over_fewest(Numbers{8, 5, 4, 8}, 4), (Numbers{0, 0, 4, 0}));
    EXPECT_EQ(spread_over_fewest(Numbers{8, 5, 6, 8}, 10), (Numbers{0, 5, 5, 0}));
    EXPECT_EQ(spread_over_fewest(Numbers{8, 3, 3}, 10), (Numbers{7, 3, 0}));
    EXPECT_EQ(spread_over_fewest(Numbers{2, 3}, 0), (Numbers{0, 0}));
}

TEST(SpreadOverFewest, HoldsTheTotalInAsFewPartsAsCan) {
    rc::check("shares fit, add up, are as even as they can be, and no fewer parts would do", [] {
        const auto capacity = *rc::gen::nonEmpty(rc::gen::container<Numbers>(rc::gen::inRange(0, 9)));
        const int room = std::accumulate(capacity.begin(), capacity.end(), 0);
        const int total = *rc::gen::inRange(0, room + 1);
        const Numbers shares = spread_over_fewest(capacity, total);
        RC_ASSERT(std::accumulate(shares.begin(), shares.end(), 0) == total);
        int most = 0;
        for (std::size_t part = 0; part < capacity.size(); ++part) {
            RC_ASSERT(shares[part] >= 0);
            RC_ASSERT(shares[part] <= capacity[part]);
            most = std::max(most, shares[part]);
        }
        for (std::size_t part = 0; part < capacity.size(); ++part) {
            // A used part that is far below another is full.
            if (shares[part] > 0 && shares[part] < most - 1) RC_ASSERT(shares[part] == capacity[part]);
        }
        const auto used =
            static_cast<std::size_t>(std::count_if(shares.begin(), shares.end(), [](int s) { return s > 0; }));
        Numbers largest = capacity;
        std::sort(largest.rbegin(), largest.rend());
        if (used == 0) return;
        const auto without_one = largest.begin() + static_cast<std::ptrdiff_t>(used) - 1;
        RC_ASSERT(std::accumulate(largest.begin(), without_one, 0) < total);
    });
}

/// The 36-host machine: 3 layers of 4 corners, 3 hosts a leaf; a group is a corner, of 9 hosts.
Fabric mesh_of_36() {
    return read_topology_text("FullMeshName=m Ports=6 Nodes=s[00-35] Bandwidth=1GB/s\n", "mesh.conf").value().fabric;
}

Job job_on(const Fabric& fabric, int hosts) {
    Job job;
    job.hosts = hosts;
    for (int host = 0; host < fabric.hosts.size(); ++host) job.free_hosts.push_back(host);
    return job;
}

std::map<int, int> hosts_by_group(const Fabric& fabric, const JobPlacement& placement) {
    const auto& graph = std::get<SwitchGraph>(fabric.network);
    const auto groups = leaf_groups(graph);
    std::map<int, int> hosts;
    for (const std::int32_t host : placement.hosts) ++hosts[groups[graph.leaf_of_host[host]]];
    return hosts;
}

TEST(EvenSpread, UsesAsFewGroupsAsTheSourceSays) {
    const Fabric fabric = mesh_of_36();
    for (int hosts = 1; hosts <= 36; ++hosts) {
        const auto placement = place_even_spread(fabric, job_on(fabric, hosts)).value();
        const auto groups = hosts_by_group(fabric, placement);
        ASSERT_EQ(static_cast<int>(groups.size()), (hosts + 8) / 9);
        for (const auto& [group, share] : groups) {
            EXPECT_LE(share, (hosts + static_cast<int>(groups.size()) - 1) / static_cast<int>(groups.size()));
            EXPECT_GE(share, hosts / static_cast<int>(groups.size()));
        }
    }
}

TEST(EvenSpread, RanksAreConsecutiveInsideLeavesAndGroups) {
    const Fabric fabric = mesh_of_36();
    const auto placement = place_even_spread(fabric, job_on(fabric, 12)).value();
    EXPECT_EQ(placement.hosts, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14}));
    EXPECT_EQ(placement.shape, "2 groups of 6 hosts, 4 leaves of 3 hosts");
    EXPECT_DOUBLE_EQ(placement.value.value(), 1);
}

TEST(EvenSpread, LeavesLargeGroupsWhole) {
    const Fabric fabric = mesh_of_36();
    Job job = job_on(fabric, 5);
    std::erase_if(job.free_hosts, [](std::int32_t host) { return host >= 18 && host < 22; });
    EXPECT_EQ(place_even_spread(fabric, job).value().hosts, (std::vector<std::int32_t>{22, 23, 24, 25, 26}));
    job.hosts = 33;
    EXPECT_FALSE(place_even_spread(fabric, job).has_value());
}

TEST(EvenSpread, TakesWhatThereIsWhereGroupsAreUnequal) {
    const Fabric fabric = mesh_of_36();
    Job job = job_on(fabric, 20);
    std::erase_if(job.free_hosts, [](std::int32_t host) { return host < 15; });  // 3, 9 and 9 are left
    const auto placement = place_even_spread(fabric, job).value();
    EXPECT_EQ(hosts_by_group(fabric, placement), (std::map<int, int>{{1, 3}, {2, 9}, {3, 8}}));
}

}  // namespace
}  // namespace coll_topo::test
