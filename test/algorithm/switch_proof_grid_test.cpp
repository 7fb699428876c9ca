// SPDX-License-Identifier: BSD-3-Clause
//
// The schedules of the algorithms that know the network, proved on fat trees of many shapes. COLL_TOPO_PROOF=full in
// the environment proves many more.

#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo::test {
namespace {

/// What a test has met.
struct Count {
    int in_order = 0;  // proofs
    int skewed = 0;
    int undivided = 0;
    int with_extra_hosts = 0;
};

// Proves all there is for ranks on the hosts.
void prove_everything(const Fabric& fabric, const Placement& placement, const std::string& description, Count& count) {
    const auto grid = Grid::from_switches(fabric, placement);
    ASSERT_TRUE(grid) << description << ": " << grid.error().text();
    count.skewed += grid->skewed() ? 1 : 0;
    count.with_extra_hosts += grid->extra_hosts() > 0 ? 1 : 0;
    count.undivided += std::ranges::any_of(grid->axes(), &Axis::undivided) ? 1 : 0;
    count.in_order += prove_catalogue(*grid, description, Rows::that_know_the_network);
}

TEST(SwitchProofGrid, EveryNumberOfEqualLeaves) {
    Count count;
    for (int leaves = 1; leaves <= 8; ++leaves) {
        for (int hosts = 1; hosts <= 8; ++hosts) {
            for (int ranks_per_host = 1; ranks_per_host <= (hosts * leaves <= 20 ? 3 : 1); ++ranks_per_host) {
                if (!full_proof() && hosts * leaves > 24 && (hosts + leaves) % 5 != 0) continue;
                if (!full_proof() && hosts * leaves > 6 && ranks_per_host == 2 + (hosts + leaves) % 2) continue;
                const Fabric fabric = leaf_spine_fabric(std::vector<int>(leaves, hosts), 1 + leaves % 3);
                prove_everything(fabric, ranks_on_all(fabric, ranks_per_host),
                                 std::to_string(leaves) + " leaves of " + std::to_string(hosts), count);
            }
        }
    }
    EXPECT_GT(count.in_order, tries_all_rows() ? 100 : -1)
        << "rank order is hardly ever kept, so it is hardly ever proved";
}

TEST(SwitchProofGrid, UnequalLeaves) {
    Count count;
    for (std::uint32_t seed = 0; seed < (full_proof() ? 1000u : 40u); ++seed) {
        Dice dice(seed);
        std::vector<int> hosts;
        const int leaves = dice.roll(2, 8), largest = dice.roll(2, 8);
        for (int leaf = 0; leaf < leaves; ++leaf) hosts.push_back(dice.roll(1, largest));
        const Fabric fabric = leaf_spine_fabric(hosts, dice.roll(1, 4));
        const int ranks_per_host = dice.roll(1, std::clamp(most_ranks() / fabric.hosts.size(), 1, 3));
        prove_everything(fabric, ranks_on_all(fabric, ranks_per_host), "leaves of seed " + std::to_string(seed), count);
    }
    EXPECT_GT(count.with_extra_hosts, 20);
}

// Ranks on some hosts of the fabric, one of ten left out at most, in any order.
Placement some_hosts(const Fabric& fabric, Dice& dice) {
    std::vector<int> hosts;
    const int left_out_of_twenty = dice.roll(0, 1) * dice.roll(1, 10);
    for (int host = 0; host < fabric.hosts.size(); ++host) {
        if (dice.roll(1, 20) > left_out_of_twenty) hosts.push_back(host);
    }
    if (hosts.empty()) hosts.push_back(0);
    const int ranks_per_host = dice.roll(1, std::clamp(most_ranks() / static_cast<int>(hosts.size()), 1, 3));
    Placement placement = ranks_on(hosts, ranks_per_host);
    if (dice.roll(0, 1) == 0) return placement;
    for (std::size_t last = placement.size() - 1; last > 0; --last) {
        std::swap(placement[last], placement[dice.roll(0, static_cast<int>(last))]);
    }
    return placement;
}

TEST(SwitchProofGrid, FullMeshes) {
    Count count;
    const Fabric small = full_mesh_fabric(6);
    for (int ranks_per_host = 1; ranks_per_host <= (full_proof() ? 3 : 2); ++ranks_per_host) {
        prove_everything(small, ranks_on_all(small, ranks_per_host), "full mesh of 6 ports", count);
    }
    const Fabric large = full_mesh_fabric(8);
    prove_everything(large, ranks_on_all(large), "full mesh of 8 ports", count);
    for (std::uint32_t seed = 0; seed < (full_proof() ? 300u : 6u); ++seed) {
        Dice dice(seed);
        prove_everything(seed % 3 == 0 ? large : small, some_hosts(seed % 3 == 0 ? large : small, dice),
                         "full mesh with holes of seed " + std::to_string(seed), count);
    }
    EXPECT_GT(count.undivided, 0);
}

TEST(SwitchProofGrid, Dragonflies) {
    Count count;
    for (std::uint32_t seed = 0; seed < (full_proof() ? 200u : 8u); ++seed) {
        Dice dice(seed);
        const Fabric fabric = dragonfly_fabric(dice.roll(2, 4));
        prove_everything(fabric, some_hosts(fabric, dice), "dragonfly of seed " + std::to_string(seed), count);
    }
    EXPECT_GT(count.with_extra_hosts, 0);
}

TEST(SwitchProofGrid, PlanesInFull) {
    Count count;
    for (const int order : {2, 3, 4, 5}) {
        const Fabric fabric = latin_square_fabric(order, order + 1);
        if (fabric.hosts.size() > most_ranks()) continue;
        const int most_per_host = std::min(3, most_ranks() / fabric.hosts.size());
        for (int ranks_per_host = 1; ranks_per_host <= most_per_host; ++ranks_per_host) {
            prove_everything(fabric, ranks_on_all(fabric, ranks_per_host), "plane of order " + std::to_string(order),
                             count);
        }
    }
    EXPECT_GT(count.undivided, 0);
}

// Ranks under the leaves of the grid where the first columns meet the first rows: leaf 1 + n + column * n + row.
Placement submesh(int order, int hosts_per_leaf, int columns, int rows, int used_per_leaf) {
    std::vector<int> hosts;
    for (int column = 0; column < columns; ++column) {
        for (int row = 0; row < rows; ++row) {
            const int leaf = 1 + order + column * order + row;
            for (int host = 0; host < used_per_leaf; ++host) hosts.push_back(leaf * hosts_per_leaf + host);
        }
    }
    return ranks_on(hosts);
}

TEST(SwitchProofGrid, SubmeshesOfPlanes) {
    Count count;
    for (const int order : {2, 3, 4, 5}) {
        const Fabric fabric = latin_square_fabric(order, order + 1);
        for (int columns = 1; columns <= order; ++columns) {
            for (int rows = 1; rows <= order; ++rows) {
                for (const int hosts : {1, 2, order + 1}) {
                    if (columns * rows * hosts > most_ranks()) continue;
                    if (!full_proof() && order > 3 && (columns + rows + hosts) % 2 != 0) continue;
                    prove_everything(fabric, submesh(order, order + 1, columns, rows, hosts),
                                     std::to_string(columns) + "x" + std::to_string(rows) + " leaves of order " +
                                         std::to_string(order),
                                     count);
                }
            }
        }
    }
    EXPECT_GE(count.skewed, 6);
}

TEST(SwitchProofGrid, PlanesWithHoles) {
    Count count;
    for (const int order : {2, 3, 4, 5}) {
        for (std::uint32_t seed = 0; seed < (full_proof() ? 100u : 3u); ++seed) {
            Dice dice(seed);
            const Fabric fabric = latin_square_fabric(order, dice.roll(1, order == 5 ? 3 : order + 1));
            prove_everything(fabric, some_hosts(fabric, dice),
                             "plane of order " + std::to_string(order) + " with holes of seed " + std::to_string(seed),
                             count);
        }
    }
    EXPECT_GT(count.with_extra_hosts, 5);
}

}  // namespace
}  // namespace coll_topo::test
