// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/free_box.hpp"

#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

namespace coll_topo::test {
namespace {

Job job_without(const Fabric& fabric, int hosts, const std::set<int>& busy) {
    Job job;
    job.hosts = hosts;
    for (int host = 0; host < fabric.hosts.size(); ++host) {
        if (!busy.contains(host)) job.free_hosts.push_back(host);
    }
    return job;
}

TEST(FreeBox, SurfaceCountsNoLinksWhereTheBoxFillsADimension) {
    const Fabric fabric = equal_torus({4, 6});
    EXPECT_EQ(surface(*fabric.torus(), {2, 2}), 8);
    EXPECT_EQ(surface(*fabric.torus(), {4, 2}), 8);
    EXPECT_EQ(surface(*fabric.torus(), {4, 6}), 0);
    EXPECT_EQ(surface(*fabric.torus(), {1, 4}), 10);
}

TEST(FreeBox, ARingIsBetterThanASquareOfThatSurface) {
    const Fabric fabric = equal_torus({4, 6});
    // 8 hosts: 4 x 2 and 2 x 4 have surfaces of 8 and 12.
    EXPECT_EQ(place_free_box(fabric, job_without(fabric, 8, {})).value().shape, "a box of 4 x 2");
    // 16 of 16 x 16: 4 x 4 has a surface of 16, a ring of 32.
    const Fabric large = equal_torus({16, 16});
    EXPECT_EQ(place_free_box(large, job_without(large, 16, {})).value().shape, "a box of 4 x 4");
    // 64: 8 x 8 and 16 x 4 have 32, but hosts of a ring are nearer to each other.
    EXPECT_EQ(place_free_box(large, job_without(large, 64, {})).value().shape, "a box of 16 x 4");
}

TEST(FreeBox, GoesAcrossTheEdgeOfATorusButNotOfAMesh) {
    // Free: columns 0 and 4 of five, next to each other on the ring.
    std::set<int> busy;
    for (int cell = 0; cell < 20; ++cell) {
        if (cell % 5 != 0 && cell % 5 != 4) busy.insert(cell);
    }
    const Fabric torus = equal_torus({5, 4});
    const auto box = place_free_box(torus, job_without(torus, 8, busy)).value();
    EXPECT_EQ(box.hosts, (std::vector<std::int32_t>{4, 0, 9, 5, 14, 10, 19, 15}));
    EXPECT_DOUBLE_EQ(box.value.value(), 1);
    const Fabric mesh = equal_torus({5, 4}, false);
    EXPECT_FALSE(place_free_box(mesh, job_without(mesh, 8, busy)).has_value());
    EXPECT_EQ(place_free_box(mesh, job_without(mesh, 4, busy)).value().shape, "a box of 1 x 4");
}

TEST(FreeBox, LiesWhereItSpoilsLeast) {
    // A hole of 2 x 2 and a wide free area: the hole is taken.
    const Fabric fabric = equal_torus({8, 8}, false);
    std::set<int> busy;
    for (int x = 5; x < 8; ++x) {
        for (int y = 5; y < 8; ++y) busy.insert(x + 8 * y);
    }
    for (const int cell : {6 + 8 * 6, 7 + 8 * 6, 6 + 8 * 7, 7 + 8 * 7}) busy.erase(cell);
    EXPECT_EQ(place_free_box(fabric, job_without(fabric, 4, busy)).value().hosts,
              (std::vector<std::int32_t>{54, 55, 62, 63}));
}

TEST(FreeBox, CellsLeftOverStayFree) {
    const Fabric fabric = equal_torus({8, 8});
    const auto placement = place_free_box(fabric, job_without(fabric, 7, {})).value();
    EXPECT_EQ(placement.shape, "a box of 4 x 2");
    EXPECT_EQ(placement.hosts.size(), 7U);
    EXPECT_TRUE(placement.surplus.empty());
}

/// Whether all cells of a box are free, looked up one by one.
bool is_free(const Torus& torus, const std::set<std::int32_t>& free, std::int64_t first,
             const std::vector<int>& sizes) {
    for (int x = 0; x < sizes[0]; ++x) {
        for (int y = 0; y < sizes[1]; ++y) {
            int at[] = {torus.coordinate(first, 0) + x, torus.coordinate(first, 1) + y};
            for (int d = 0; d < 2; ++d) {
                if (at[d] < torus.dimensions()[d].size) continue;
                if (!torus.dimensions()[d].wrapped) return false;
                at[d] -= torus.dimensions()[d].size;
            }
            if (!free.contains(static_cast<std::int32_t>(torus.cell({at[0], at[1]})))) return false;
        }
    }
    return true;
}

TEST(FreeBox, HasTheSmallestSurfaceOfAllThatThereAre) {
    rc::check("brute force finds no better box, and none where there is none", [] {
        const std::vector<int> sizes = {*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6)};
        const Fabric fabric = equal_torus(sizes, *rc::gen::arbitrary<bool>());
        const auto busy = *rc::gen::container<std::set<int>>(rc::gen::inRange(0, sizes[0] * sizes[1]));
        const Job job = job_without(fabric, *rc::gen::inRange(1, 10), busy);
        const std::set<std::int32_t> free(job.free_hosts.begin(), job.free_hosts.end());
        const Torus& torus = *fabric.torus();

        std::int64_t least = -1;
        for (int width = 1; width <= sizes[0]; ++width) {
            for (int height = 1; height <= sizes[1]; ++height) {
                const bool smaller = (width - 1) * height >= job.hosts || width * (height - 1) >= job.hosts;
                if (width * height < job.hosts || smaller) continue;
                for (std::int64_t cell = 0; cell < torus.cells(); ++cell) {
                    if (!is_free(torus, free, cell, {width, height})) continue;
                    const std::int64_t links = surface(torus, {width, height});
                    if (least < 0 || links < least) least = links;
                }
            }
        }
        const auto placement = place_free_box(fabric, job);
        RC_ASSERT(placement.has_value() == (least >= 0));
        if (!placement) return;
        const std::set<std::int32_t> hosts(placement->hosts.begin(), placement->hosts.end());
        RC_ASSERT(static_cast<int>(hosts.size()) == job.hosts);
        RC_ASSERT(std::includes(free.begin(), free.end(), hosts.begin(), hosts.end()));
        RC_ASSERT(placement->reason.find("surface of " + std::to_string(least) + " link") != std::string::npos);
    });
}

}  // namespace
}  // namespace coll_topo::test
