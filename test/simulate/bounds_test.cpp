// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/bounds.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo::test {
namespace {

constexpr double without = 1e30;
constexpr MachineCosts free_of_cost{0, 0, 0, without, without, without, without};
constexpr double bytes = 1e6, bandwidth = 1e9, latency = 1e-6;  // of equal_torus

/// Of the cables, unless the fabric says what work costs.
simulate::Bound bound_on(Fabric fabric, Collective collective, const Placement& placement, int root = 0) {
    if (fabric.costs == MachineCosts{}) fabric.costs = free_of_cost;
    LinkGraph graph(fabric);
    return simulate::bound(collective, bytes, root, fabric, graph, placement);
}

double seconds(const std::vector<int>& sizes, Collective collective, int ranks_per_host = 1, bool wrapped = true) {
    const Fabric fabric = equal_torus(sizes, wrapped);
    return bound_on(fabric, collective, ranks_on_all(fabric, ranks_per_host)).seconds();
}

TEST(Bounds, ReductionsAreLimitedByWhatAHostCanSend) {
    const double all = bytes / bandwidth;
    EXPECT_DOUBLE_EQ(seconds({8}, Collective::allreduce), 2 * all * 7 / 8 / 2 + latency);
    EXPECT_DOUBLE_EQ(seconds({4, 4}, Collective::allreduce), 2 * all * 15 / 16 / 4 + latency);
    EXPECT_DOUBLE_EQ(seconds({4, 4}, Collective::reduce_scatter), all * 15 / 16 / 4 + latency);
    EXPECT_DOUBLE_EQ(seconds({4, 4}, Collective::allgather), all * 15 / 16 / 4 + latency);
    // Ranks of a host share its links, and combine within it.
    EXPECT_DOUBLE_EQ(seconds({4, 4}, Collective::allreduce, 8), 2 * all * 15 / 16 / 4 + latency);
    // The corner of a mesh has two links, and must send and receive all of the vector.
    EXPECT_DOUBLE_EQ(seconds({4, 4}, Collective::allreduce, 1, false), 2 * all * 15 / 48 + latency);
    EXPECT_DOUBLE_EQ(seconds({2}, Collective::allreduce, 1, false), all + latency);
}

TEST(Bounds, ScansSendAllFromTheHostOfTheFirstRank) {
    const double all = bytes / bandwidth;
    for (const auto collective : {Collective::scan, Collective::exscan}) {
        EXPECT_DOUBLE_EQ(seconds({4, 4}, collective), all / 4 + latency);
        EXPECT_DOUBLE_EQ(seconds({4, 4}, collective, 8), all / 4 + latency);
    }
    Fabric fabric = equal_torus({4});
    fabric.costs = free_of_cost;
    fabric.costs.reduce_bandwidth = bandwidth / 100;
    const auto combining = [&](Collective collective) {
        return bound_on(fabric, collective, ranks_on_all(fabric)).combining;
    };
    EXPECT_DOUBLE_EQ(combining(Collective::scan), 3 * 100 * all / 4);
    EXPECT_DOUBLE_EQ(combining(Collective::exscan), 2 * 100 * all / 4) << "the first two combine nothing";
}

TEST(Bounds, NeighboursGetTheirPiecesOverAllPorts) {
    Fabric fabric = equal_torus({4, 4});
    fabric.costs = free_of_cost;
    LinkGraph graph(fabric);
    const auto bound = [&](Collective collective, std::vector<Cartesian::Dimension> dimensions, int ranks_per_host) {
        const Cartesian cartesian(std::move(dimensions));
        return simulate::bound(collective, bytes, 0, fabric, graph, ranks_on_all(fabric, ranks_per_host), &cartesian);
    };
    const double all = bytes / bandwidth;
    const auto each = Collective::neighbor_alltoall, one = Collective::neighbor_allgather;
    EXPECT_DOUBLE_EQ(bound(each, {{4, true}, {4, true}}, 1).seconds(), all / 4 + latency);
    EXPECT_DOUBLE_EQ(bound(one, {{4, true}, {4, true}}, 1).seconds(), all / 4 + latency);
    EXPECT_DOUBLE_EQ(bound(each, {{16, false}}, 1).seconds(), all / 4 + latency) << "two of two neighbours";
    // Two ranks of a host have four neighbours each on other hosts, of six.
    EXPECT_DOUBLE_EQ(bound(each, {{4, true}, {4, true}, {2, false}}, 2).transfer, all / 6 * 8 / 4);
    // In a ring of two each piece counts, unless one is for both.
    EXPECT_DOUBLE_EQ(bound(each, {{8, false}, {2, true}}, 1).transfer, all / 4 * 4 / 4);
    EXPECT_DOUBLE_EQ(bound(one, {{8, false}, {2, true}}, 1).transfer, all / 4 * 3 / 4);
    EXPECT_DOUBLE_EQ(simulate::bound(each, bytes, 0, fabric, graph, ranks_on_all(fabric)).seconds(), 0);
    fabric.costs.local_bandwidth = bandwidth;
    EXPECT_DOUBLE_EQ(bound(each, {{4, true}, {4, true}, {2, false}}, 2).copying, all / 6 * 10 / 6);
    fabric.costs.copy_bandwidth = bandwidth / 100;
    EXPECT_DOUBLE_EQ(bound(each, {{16, true}, {1, true}}, 1).copying, 2 * 100 * all / 4);
    fabric.costs.message_time = 1;
    EXPECT_DOUBLE_EQ(bound(each, {{4, true}, {4, true}}, 1).seconds(), 1);
}

TEST(Bounds, LinksNeedNoTimeForWhatTheyPassAtOnce) {
    Fabric fabric = equal_torus({4, 4});
    fabric.costs = free_of_cost;
    fabric.costs.link_burst = bytes / 100;
    const Placement placement = ranks_on_all(fabric);
    const auto transfer = [&](Collective collective) { return bound_on(fabric, collective, placement).transfer; };
    const double all = bytes / bandwidth;
    EXPECT_DOUBLE_EQ(transfer(Collective::bcast), (all - 4 * all / 100) / 4);
    EXPECT_DOUBLE_EQ(transfer(Collective::allgather), (all * 15 / 16 - 4 * all / 100) / 4);
    EXPECT_DOUBLE_EQ(transfer(Collective::allreduce), (2 * all * 15 - 64 * all / 100) / 64);
    // Eight links lead from one half to the other.
    EXPECT_DOUBLE_EQ(transfer(Collective::alltoall), (all / 16 * 64 - 8 * all / 100) / 8);
    fabric.costs.link_burst = bytes;
    EXPECT_DOUBLE_EQ(transfer(Collective::bcast), 0);
    LinkGraph graph(fabric);
    const Cartesian cartesian({{4, true}, {4, true}});
    fabric.costs.link_burst = bytes / 100;
    EXPECT_DOUBLE_EQ(
        simulate::bound(Collective::neighbor_alltoall, bytes, 0, fabric, graph, placement, &cartesian).transfer,
        (all - 4 * all / 100) / 4);
}

TEST(Bounds, RootsAreLimitedByTheirLinksAndTheFarthestHost) {
    const Fabric fabric = equal_torus({4, 6});
    const Placement placement = ranks_on_all(fabric);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::bcast, placement, 3).seconds(),
                     bytes / (4 * bandwidth) + (2 + 3) * latency);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::reduce, placement).seconds(),
                     bytes / (4 * bandwidth) + (2 + 3) * latency);
}

TEST(Bounds, PiecesOfARootAreLimitedByItsLinks) {
    const double all = bytes / bandwidth;
    for (const auto collective : {Collective::gather, Collective::scatter}) {
        EXPECT_DOUBLE_EQ(seconds({4, 4}, collective), all * 15 / 16 / 4 + latency);
        EXPECT_DOUBLE_EQ(seconds({4, 4}, collective, 2), all * 15 / 16 / 4 + latency) << "but those of its own host";
        const Fabric fabric = equal_torus({4, 6});
        EXPECT_DOUBLE_EQ(bound_on(fabric, collective, ranks_on_all(fabric)).farthest, (2 + 3) * latency);
    }
}

TEST(Bounds, AlltoallIsLimitedByTheBisection) {
    // Half of a ring of n must send the other m n/4 bytes over two links.
    EXPECT_DOUBLE_EQ(seconds({8}, Collective::alltoall), bytes / bandwidth + latency);
    EXPECT_DOUBLE_EQ(seconds({16, 16}, Collective::alltoall), 2 * bytes / bandwidth + latency);
    EXPECT_DOUBLE_EQ(seconds({4, 16}, Collective::alltoall), 2 * bytes / bandwidth + latency);
    EXPECT_DOUBLE_EQ(seconds({16}, Collective::alltoall, 1, false), 4 * bytes / bandwidth + latency);
    // 7 places: 3 against 4, each pair with a 7th.
    EXPECT_DOUBLE_EQ(seconds({7}, Collective::alltoall), bytes / 7 * 12 / (2 * bandwidth) + latency);
    // Eight ranks on each of four hosts: 16 x 16 pairs with a 32nd each.
    EXPECT_DOUBLE_EQ(seconds({4}, Collective::alltoall, 8), bytes / 32 * 256 / (2 * bandwidth) + latency);
}

TEST(Bounds, LittleDataStillTakeTheLatencyToTheFarthest) {
    Fabric fabric = equal_torus({8, 8});
    fabric.costs = free_of_cost;
    LinkGraph graph(fabric);
    const auto bound = simulate::bound(Collective::allreduce, 8, 0, fabric, graph, ranks_on_all(fabric));
    EXPECT_DOUBLE_EQ(bound.seconds(), 8 * latency);
    EXPECT_EQ(bound.limit(), simulate::Limit::latency);
}

TEST(Bounds, NoDataAndOneRankHaveNone) {
    const Fabric two = equal_torus({2});
    LinkGraph graph(two);
    EXPECT_EQ(simulate::bound(Collective::allreduce, 0, 0, two, graph, ranks_on_all(two)).seconds(), 0);

    EXPECT_EQ(bound_on(two, Collective::allreduce, ranks_on({1})).seconds(), 0);
}

TEST(Bounds, HostsThatTakeNoPartDoNotCount) {
    const Fabric fabric = equal_torus({8});
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::allreduce, ranks_on({0, 4})).seconds(),
                     bytes / (2 * bandwidth) + latency);
    // One pair, half of the data, two ways.
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::alltoall, ranks_on({0, 4})).seconds(),
                     bytes / 2 / (2 * bandwidth) + latency);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::allreduce, ranks_on({0, 4})).farthest, 4 * latency);
}

/// 4x4 hosts whose links cost nothing, or nearly so.
simulate::Bound bound_of_work(const MachineCosts& costs, Collective collective, int ranks_per_host = 1) {
    Fabric fabric = equal_torus({4, 4});
    fabric.network = Torus("fast", {{4, true, without, 0}, {4, true, without, 0}}, Tie::parity);
    fabric.costs = costs;
    return bound_on(fabric, collective, ranks_on_all(fabric, ranks_per_host));
}

void expect(const simulate::Bound& bound, double seconds, simulate::Limit limit) {
    EXPECT_NEAR(bound.seconds(), seconds, 1e-9 * seconds);
    EXPECT_EQ(simulate::limit_name(bound.limit()), simulate::limit_name(limit));
}

TEST(Bounds, AllRanksShareTheCombining) {
    MachineCosts costs = free_of_cost;
    costs.reduce_bandwidth = 1e9;
    for (const auto collective : {Collective::allreduce, Collective::reduce, Collective::reduce_scatter}) {
        expect(bound_of_work(costs, collective), 1e-3 * 15 / 16, simulate::Limit::combining);
        expect(bound_of_work(costs, collective, 4), 1e-3 * 63 / 64, simulate::Limit::combining);
    }
    EXPECT_LT(bound_of_work(costs, Collective::alltoall).seconds(), 1e-20);
}

TEST(Bounds, RanksCopyTheirOwnPiece) {
    MachineCosts costs = free_of_cost;
    costs.copy_bandwidth = 1e9;
    for (const auto collective : {Collective::allgather, Collective::alltoall}) {
        expect(bound_of_work(costs, collective), 1e-3 / 16, simulate::Limit::copying);
    }
    EXPECT_LT(bound_of_work(costs, Collective::allreduce).seconds(), 1e-20);
}

TEST(Bounds, RanksOfAHostGetTheRestFromEachOther) {
    MachineCosts costs = free_of_cost;
    costs.local_bandwidth = 1e9;
    // Four ranks want a megabyte each; the host's four cables bring 4 GB/s, each rank's memory 1 GB/s.
    Fabric fabric = equal_torus({4, 4});
    fabric.costs = costs;
    const Placement four = ranks_on_all(fabric, 4);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::bcast, four).copying, 4e-3 / 8);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::allgather, four).copying, 63. / 64 * 4e-3 / 8);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::reduce, four).copying, 1e-3 / 5);
    EXPECT_EQ(bound_on(fabric, Collective::bcast, ranks_on_all(fabric)).copying, 0);
    // On one host there are no cables; the root has the data already.
    expect(bound_on(fabric, Collective::bcast, ranks_on({3}, 4)), 1e-3, simulate::Limit::copying);
}

TEST(Bounds, CablesOfAHostDoNotHelpOthers) {
    // A line of three hosts, with four ranks each: the one in the middle has twice the cables of the others.
    Fabric fabric = equal_torus({3}, false);
    fabric.costs = free_of_cost;
    fabric.costs.local_bandwidth = 1e9;
    fabric.costs.reduce_bandwidth = 0.5e9;
    const Placement four = ranks_on_all(fabric, 4);
    const auto work = [&](Collective collective, int root = 0) {
        return bound_on(fabric, collective, four, root).work;
    };
    const double combining = 11 * 2e-3;
    EXPECT_DOUBLE_EQ(work(Collective::reduce_scatter), (combining + 2 * (4 - 4. / 12) * 1e-3) / (12 + 2));
    EXPECT_DOUBLE_EQ(work(Collective::reduce, 5), (combining + 2 * 4e-3) / (12 + 2));
    EXPECT_DOUBLE_EQ(work(Collective::scan), (combining + (3 + 4) * 1e-3) / (12 + 2));
    // All of them are too few.
    EXPECT_DOUBLE_EQ(work(Collective::bcast), 11e-3 / (12 + 4));
    EXPECT_DOUBLE_EQ(work(Collective::allreduce), (combining + 2 * 11e-3) / (12 + 4));
}

TEST(Bounds, RanksOfAHostShareItsMemory) {
    MachineCosts costs = free_of_cost;
    costs.reduce_bandwidth = 1e9;
    costs.memory_bandwidth = 2e9;
    expect(bound_of_work(costs, Collective::allreduce, 4), 2 * 1e-3 * 63 / 64, simulate::Limit::combining);
    costs = free_of_cost;
    costs.local_bandwidth = 1e9;
    costs.memory_bandwidth = 2e9;
    Fabric fabric = equal_torus({4, 4});
    fabric.costs = costs;
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::bcast, ranks_on_all(fabric, 4)).copying, 4e-3 / (4 + 2));
}

TEST(Bounds, OneProcessorCopiesAndCombines) {
    MachineCosts costs = free_of_cost;
    costs.local_bandwidth = 1e9;
    costs.reduce_bandwidth = 1e9;
    Fabric fabric = equal_torus({4, 4});
    fabric.costs = costs;
    // On one host, three megabytes are combined and six received by four ranks.
    expect(bound_on(fabric, Collective::allreduce, ranks_on({3}, 4)), 9e-3 / 4, simulate::Limit::copying);
    // On all, 63 are combined and 126 received by 64 ranks, and by 16 hosts of 4 GB/s each.
    expect(bound_on(fabric, Collective::allreduce, ranks_on_all(fabric, 4)), 189e-3 / 128, simulate::Limit::combining);
    // Where ranks have hosts of their own, it is never more than the longest of cables and combining.
    const simulate::Bound alone = bound_on(fabric, Collective::allreduce, ranks_on_all(fabric));
    EXPECT_LE(alone.work, std::max(alone.combining, alone.transfer));
}

TEST(Bounds, MessagesDoubleThoseThatKnow) {
    MachineCosts costs = free_of_cost;
    costs.message_time = 1e-6;
    expect(bound_of_work(costs, Collective::bcast), 4e-6, simulate::Limit::messages);
    // A root may get those of all others at once.
    expect(bound_of_work(costs, Collective::gather), 1e-6, simulate::Limit::messages);
    expect(bound_of_work(costs, Collective::reduce), 1e-6, simulate::Limit::messages);
    Fabric seventeen = equal_torus({17});
    seventeen.costs = costs;
    EXPECT_DOUBLE_EQ(bound_on(seventeen, Collective::allreduce, ranks_on_all(seventeen)).messages, 5e-6);
    costs.shared_message_time = 1e-6;
    expect(bound_of_work(costs, Collective::bcast), 15e-6, simulate::Limit::messages);
    expect(bound_of_work(costs, Collective::allreduce), 30e-6, simulate::Limit::messages);
}

TEST(Bounds, MessagesWithinAHostTakeLessOfSharedProcessors) {
    Fabric fabric = equal_torus({4, 4});
    fabric.costs = free_of_cost;
    fabric.costs.message_time = 4e-6;
    fabric.costs.local_message_time = 1e-6;
    fabric.costs.shared_message_time = 2e-6;
    const Placement four = ranks_on_all(fabric, 4);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::bcast, four).messages, 15 * 2e-6 + 48 * 0.5e-6);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::allreduce, four).messages, 2 * (15 * 2e-6 + 48 * 0.5e-6));
}

}  // namespace
}  // namespace coll_topo::test
