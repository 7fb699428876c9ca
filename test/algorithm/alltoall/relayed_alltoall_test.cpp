// SPDX-License-Identifier: BSD-3-Clause
//
// What relayed_alltoall claims of cables, of what relays keep, and of its time.
#include "coll_topo/algorithm/alltoall/relays.hpp"
#include "coll_topo/algorithm/cost/leaf_load.hpp"
#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/switch_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

const Algorithm& relayed_alltoall() {
    return *find_algorithm("relayed_alltoall");
}

constexpr Problem of_alltoall{.collective = Collective::alltoall};

std::string refusal_on(const Grid& grid) {
    return relayed_alltoall().refusal(grid, of_alltoall);
}

Grid leaves_of(const std::vector<int>& hosts, int spines, int ranks_per_host = 1) {
    const Fabric fabric = leaf_spine_fabric(hosts, spines);
    return Grid::from_switches(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

/// With two hosts of some leaves on a cable, and others with one of their own.
std::vector<Grid> uneven_grids() {
    std::vector<Grid> grids;
    for (const int ranks_per_host : {1, 2, 3}) {
        grids.push_back(leaves_of({5, 7, 4}, 4, ranks_per_host));
        grids.push_back(leaves_of({8, 5, 3, 7}, 4, ranks_per_host));
        grids.push_back(leaves_of({6, 5, 4}, 3, ranks_per_host));
    }
    return grids;
}

/// Seconds of the busiest cable under the messages of all ranks, with pieces of a byte.
double busiest_cable(const Grid& grid) {
    LeafLoad load(grid);
    const Schedule schedule = build_all(relayed_alltoall(), grid, of_alltoall);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        for (const Action& action : schedule[rank].actions) {
            const int from = grid.host(rank), to = is_transfer(action) ? grid.host(action.peer) : from;
            if (is_send(action) && from != to) load.add(from, to, action.count);
        }
    }
    return load.take();
}

TEST(RelayedAlltoall, EvensOutWhatCablesCarry) {
    for (const Grid& grid : uneven_grids()) {
        const LeafLoad load(grid);
        EXPECT_GT(load.all_at_once(1), 1.19 * load.all_at_once_evenly(1)) << grid.summary();
        EXPECT_LE(busiest_cable(grid), 1.15 * load.all_at_once_evenly(1)) << grid.summary();
    }
}

TEST(RelayedAlltoall, PassesOnFewPieces) {
    for (const Grid& grid : uneven_grids()) {
        const auto pieces = static_cast<double>(grid.ranks()) * (grid.ranks() - 1);
        const auto relayed = static_cast<double>(find_relays(grid).pieces.size());
        EXPECT_GT(relayed, 0);
        EXPECT_LT(relayed, 0.05 * pieces) << grid.summary();
    }
}

TEST(RelayedAlltoall, RelaysAreOnThirdHostsAndShareTheWork) {
    for (const Grid& grid : uneven_grids()) {
        std::set<std::pair<int, int>> relayed;
        std::map<int, int> kept, kept_by_host;
        for (const RelayedPiece& piece : find_relays(grid).pieces) {
            EXPECT_NE(grid.host(piece.by), grid.host(piece.from));
            EXPECT_NE(grid.host(piece.by), grid.host(piece.to));
            EXPECT_TRUE(relayed.insert({piece.from, piece.to}).second) << "twice";
            ++kept[piece.by];
            ++kept_by_host[grid.host(piece.by)];
        }
        for (const auto& [rank, pieces] : kept) {
            EXPECT_LE(pieces, 1 + kept_by_host[grid.host(rank)] / grid.most_ranks_per_host()) << grid.summary();
        }
    }
}

TEST(RelayedAlltoall, HasOneMessageOfARoundBetweenRanks) {
    for (const Grid& grid : uneven_grids()) {
        std::set<std::pair<int, std::pair<int, int>>> to_relays, from_relays;
        int last = 0;
        for (const RelayedPiece& piece : find_relays(grid).pieces) {
            EXPECT_TRUE(to_relays.insert({piece.round, {piece.from, piece.by}}).second);
            EXPECT_TRUE(from_relays.insert({piece.round, {piece.by, piece.to}}).second);
            EXPECT_GE(piece.round, last);
            last = piece.round;
        }
    }
}

TEST(RelayedAlltoall, IsProvedWhereverLeavesAreUneven) {
    int applies = 0;
    for (std::uint32_t seed = 0; seed < (full_proof() ? 300u : 40u); ++seed) {
        Dice dice(seed);
        std::vector<int> hosts;
        const int leaves = dice.roll(2, 5);
        for (int leaf = 0; leaf < leaves; ++leaf) hosts.push_back(dice.roll(1, 7));
        const Fabric fabric = leaf_spine_fabric(hosts, dice.roll(2, 5));
        Placement placement;
        for (int host = 0; host < fabric.hosts.size(); ++host) {
            for (int rank = dice.roll(1, 3); rank > 0; --rank) placement.push_back({host});
        }
        const Grid grid = Grid::from_switches(fabric, placement).value();
        if (!refusal_on(grid).empty()) continue;
        ++applies;
        const auto proof = prove(Collective::alltoall, build_all(relayed_alltoall(), grid, of_alltoall));
        EXPECT_TRUE(proof) << "seed " << seed << ": " << proof.error().text();
    }
    EXPECT_GE(applies, 10);
}

TEST(RelayedAlltoall, IsForRoutesThatLoadCablesUnevenly) {
    EXPECT_EQ(refusal_on(leaves_of({4, 4, 4}, 4)), "routes load all cables nearly alike");
    EXPECT_EQ(refusal_on(leaves_of({5, 7, 4}, 1)), "routes load all cables nearly alike");
    EXPECT_EQ(refusal_on(leaves_of({5, 7, 4}, 4)), "");
    // Two hosts of either leaf, both at the same cable.
    const Fabric tree = leaf_spine_fabric({4, 4}, 2);
    EXPECT_EQ(refusal_on(Grid::from_switches(tree, ranks_on({0, 2, 4, 6})).value()), "no ways past the busiest cables");
    EXPECT_EQ(refusal_on(leaves_of(std::vector<int>(43, 3), 2)), "more than 128 hosts");
}

TEST(RelayedAlltoall, TakesAsLongAsTheBusiestCable) {
    constexpr double bytes = 1e9;
    for (const Grid& grid : uneven_grids()) {
        const double piece = bytes / grid.ranks(), busiest = piece * busiest_cable(grid);
        const double seconds = relayed_alltoall().seconds(grid, of_alltoall, bytes);
        EXPECT_NEAR(seconds, busiest, 0.1 * busiest) << grid.summary();
    }
}

TEST(RelayedAlltoall, TakesAsLongAsTheRankWithMostToPassOn) {
    for (const Grid& grid : uneven_grids()) {
        int most = 0;
        for (const Program& program : build_all(relayed_alltoall(), grid, of_alltoall)) {
            most = std::max(most, static_cast<int>(std::ranges::count_if(program.actions, is_send)));
        }
        const double seconds = relayed_alltoall().seconds(grid, of_alltoall, /*bytes=*/1);
        EXPECT_GE(seconds, most * grid.costs().message_time) << grid.summary();
    }
}

}  // namespace
}  // namespace coll_topo::test
