// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/alltoall/offset_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

Torus torus(const std::vector<int>& sizes, unsigned wrapped, Tie tie = Tie::parity) {
    std::vector<TorusDimension> dimensions;
    for (std::size_t d = 0; d < sizes.size(); ++d)
        dimensions.push_back({sizes[d], (wrapped >> d & 1u) != 0, 1e9, 1e-6});
    return {"t", std::move(dimensions), tie};
}

std::string name(const std::vector<int>& sizes, unsigned wrapped) {
    std::string text;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        text += (d > 0 ? "x" : "") + std::to_string(sizes[d]) + ((wrapped >> d & 1u) != 0 ? "w" : "");
    }
    return text;
}

/// visit(sizes) for all sizes from lowest to highest.
template <typename Visit>
void each_shape(int dimensions, int lowest, int highest, Visit&& visit) {
    std::vector<int> sizes(dimensions, lowest);
    while (true) {
        visit(sizes);
        int d = 0;
        while (d < dimensions && sizes[d] == highest) sizes[d++] = lowest;
        if (d == dimensions) return;
        ++sizes[d];
    }
}

std::int64_t ahead(const Torus& torus, std::int64_t cell, std::int64_t offset) {
    std::vector<int> target;
    for (int d = 0; d < static_cast<int>(torus.dimensions().size()); ++d) {
        target.push_back((torus.coordinate(cell, d) + torus.coordinate(offset, d)) % torus.dimensions()[d].size);
    }
    return torus.cell(target);
}

struct Measured {
    std::int64_t sum = 0;    // over groups, of the messages on the busiest link
    std::int64_t bound = 0;  // messages on the busiest link of the whole exchange
    int largest_group = 0;

    double share() const { return sum == 0 ? 1 : static_cast<double>(bound) / static_cast<double>(sum); }
};

/// Leads every message of the exchange along the routes of the torus.
Measured measure(const Torus& torus, const OffsetOrder& order) {
    Measured measured;
    std::vector<std::int64_t> all(torus.links(), 0), load(torus.links()), route;
    for (int group = 0; group < order.groups(); ++group) {
        std::ranges::fill(load, 0);
        for (const std::int32_t offset : order.group(group)) {
            for (std::int64_t cell = 0; cell < torus.cells(); ++cell) {
                route.clear();
                torus.route(cell, ahead(torus, cell, offset), route);
                for (const std::int64_t link : route) ++load[link];
            }
        }
        for (std::size_t link = 0; link < load.size(); ++link) all[link] += load[link];
        measured.sum += *std::ranges::max_element(load);
        measured.largest_group = std::max(measured.largest_group, static_cast<int>(order.group(group).size()));
    }
    measured.bound = *std::ranges::max_element(all);
    return measured;
}

void expect_each_offset_once(const std::vector<int>& sizes, unsigned wrapped, Tie tie) {
    const Torus shape = torus(sizes, wrapped, tie);
    const OffsetOrder order(shape);
    std::vector<int> seen(shape.cells(), 0);
    for (int group = 0; group < order.groups(); ++group) {
        EXPECT_FALSE(order.group(group).empty());
        EXPECT_LE(static_cast<int>(order.group(group).size()), order.window());
        for (const std::int32_t offset : order.group(group)) {
            ASSERT_TRUE(offset > 0 && offset < shape.cells()) << name(sizes, wrapped);
            ++seen[offset];
        }
    }
    EXPECT_TRUE(std::all_of(seen.begin() + 1, seen.end(), [](int times) { return times == 1; }))
        << name(sizes, wrapped);
}

TEST(OffsetOrder, HasEveryOffsetOnceInTwoDimensions) {
    each_shape(2, 1, 9, [](const std::vector<int>& sizes) {
        for (unsigned wrapped = 0; wrapped < 4; ++wrapped) {
            for (const Tie tie : {Tie::positive, Tie::parity}) expect_each_offset_once(sizes, wrapped, tie);
        }
    });
}

TEST(OffsetOrder, HasEveryOffsetOnceInThreeDimensions) {
    each_shape(3, 1, 5, [](const std::vector<int>& sizes) {
        for (unsigned wrapped = 0; wrapped < 8; ++wrapped) expect_each_offset_once(sizes, wrapped, Tie::parity);
    });
}

TEST(OffsetOrder, HasEveryOffsetOnceInOneAndManyDimensions) {
    for (int size = 1; size <= 20; ++size) {
        for (const unsigned wrapped : {0u, 1u}) expect_each_offset_once({size}, wrapped, Tie::negative);
    }
    for (const auto& sizes : std::vector<std::vector<int>>{{3, 3, 3, 3}, {2, 2, 2, 2, 2}, {4, 1, 6, 3}, {6, 6, 6}}) {
        for (const unsigned wrapped : {0u, 5u, ~0u}) expect_each_offset_once(sizes, wrapped, Tie::parity);
    }
}

// floor(c/2) ceil(c/2) r message times for c columns and r rows, c >= r: no order can be faster.
TEST(OffsetOrder, ReachesTheBoundOnEveryMeshOfTwoDimensions) {
    each_shape(2, 2, 9, [](const std::vector<int>& sizes) {
        const int columns = std::max(sizes[0], sizes[1]), rows = std::min(sizes[0], sizes[1]);
        const Torus mesh = torus(sizes, 0);
        const OffsetOrder order(mesh);
        const Measured measured = measure(mesh, order);
        EXPECT_EQ(measured.sum, columns / 2 * ((columns + 1) / 2) * rows) << name(sizes, 0);
        EXPECT_EQ(measured.sum, measured.bound) << name(sizes, 0);
        EXPECT_LE(measured.largest_group, 2);
    });
}

TEST(OffsetOrder, BeginsAsPrintedOnAMesh) {
    const OffsetOrder order(torus({6, 5}, 0));
    const auto cell = [](int x, int y) { return (x + 6) % 6 + (y + 5) % 5 * 6; };
    const std::vector<std::vector<int>> printed = {
        {cell(1, 0), cell(0, 1)},   {cell(-1, 0), cell(0, -1)}, {cell(2, 0), cell(0, 2)},   {cell(-2, 0), cell(0, -2)},
        {cell(1, 1), cell(-1, -1)}, {cell(1, -1), cell(-1, 1)}, {cell(1, 2), cell(-2, -1)}, {cell(1, -2), cell(-2, 1)},
    };
    for (std::size_t group = 0; group < printed.size(); ++group) {
        const auto got = order.group(static_cast<int>(group));
        EXPECT_EQ(std::vector<int>(got.begin(), got.end()), printed[group]) << "group " << group;
    }
}

TEST(OffsetOrder, IsCloseToTheBoundOnToriOfTwoDimensions) {
    each_shape(2, 3, 12, [](const std::vector<int>& sizes) {
        const Torus shape = torus(sizes, ~0u);
        const OffsetOrder order(shape);
        const Measured measured = measure(shape, order);
        EXPECT_GE(measured.share(), 0.98) << name(sizes, 3) << ": " << measured.sum << " over " << measured.bound;
        const bool odd = sizes[0] % 2 != 0 && sizes[1] % 2 != 0;
        if (odd) {
            EXPECT_EQ(measured.sum, measured.bound) << name(sizes, 3);
        }
        // On 5x6 the half-way offsets must stay together.
        const bool needs_more = sizes == std::vector{5, 6};
        EXPECT_LE(measured.largest_group, needs_more ? 5 : 4) << name(sizes, 3);
    });
}

// All half-way offsets of a ring on the links of one direction: they need more room on the other ring.
TEST(OffsetOrder, IsCloseToTheBoundWhereTiesGoOneWay) {
    each_shape(2, 3, 12, [](const std::vector<int>& sizes) {
        for (const Tie tie : {Tie::positive, Tie::negative}) {
            const Torus shape = torus(sizes, ~0u, tie);
            const Measured measured = measure(shape, OffsetOrder(shape));
            EXPECT_GE(measured.share(), 0.975) << name(sizes, 3) << ": " << measured.sum << " over " << measured.bound;
            EXPECT_LE(measured.largest_group, 6) << name(sizes, 3);
        }
    });
}

TEST(OffsetOrder, IsCloseToTheBoundOnToriOfThreeDimensions) {
    each_shape(3, 3, 6, [](const std::vector<int>& sizes) {
        const Torus shape = torus(sizes, ~0u);
        const OffsetOrder order(shape);
        const Measured measured = measure(shape, order);
        // Two rings of six behind one of odd size: half-way offsets that must stay together on both.
        const double share = sizes == std::vector{3, 6, 6} ? 0.96 : sizes == std::vector{5, 6, 6} ? 0.97 : 0.98;
        EXPECT_GE(measured.share(), share) << name(sizes, 7) << ": " << measured.sum << " over " << measured.bound;
        // Half-way offsets on the first ring of six stay together behind dimensions of odd size.
        const bool stay_together = sizes[0] % 2 != 0 && (sizes[1] == 6 || sizes[2] == 6);
        EXPECT_LE(measured.largest_group, share < 0.98 ? 16 : stay_together ? 10 : 6) << name(sizes, 7);
        if (sizes[0] % 2 != 0 && sizes[1] % 2 != 0 && sizes[2] % 2 != 0) {
            EXPECT_EQ(measured.sum, measured.bound) << name(sizes, 7);
        }
    });
}

}  // namespace
}  // namespace coll_topo::test
