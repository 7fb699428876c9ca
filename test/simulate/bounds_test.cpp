// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/bounds.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

constexpr double bytes = 1e6, bandwidth = 1e9, latency = 1e-6;  // of equal_torus

simulate::Bound bound_on(const Fabric& fabric, Collective collective, const Placement& placement, int root = 0) {
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

TEST(Bounds, RootsAreLimitedByTheirLinksAndTheFarthestHost) {
    const Fabric fabric = equal_torus({4, 6});
    const Placement placement = ranks_on_all(fabric);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::bcast, placement, 3).seconds(),
                     bytes / (4 * bandwidth) + (2 + 3) * latency);
    EXPECT_DOUBLE_EQ(bound_on(fabric, Collective::reduce, placement).seconds(),
                     bytes / (4 * bandwidth) + (2 + 3) * latency);
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
    const Fabric fabric = equal_torus({8, 8});
    LinkGraph graph(fabric);
    const Placement placement = ranks_on_all(fabric);
    EXPECT_DOUBLE_EQ(simulate::bound(Collective::allreduce, 8, 0, fabric, graph, placement).seconds(), 8 * latency);
}

TEST(Bounds, NoDataAndOneHostHaveNone) {
    const Fabric two = equal_torus({2});
    LinkGraph graph(two);
    EXPECT_EQ(simulate::bound(Collective::allreduce, 0, 0, two, graph, ranks_on_all(two)).seconds(), 0);

    const Fabric fabric = equal_torus({8});
    EXPECT_EQ(bound_on(fabric, Collective::allreduce, ranks_on({3}, 4)).seconds(), 0);
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

}  // namespace
}  // namespace coll_topo::test
