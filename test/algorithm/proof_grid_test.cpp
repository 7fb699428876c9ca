// SPDX-License-Identifier: BSD-3-Clause
//
// Every algorithm of the catalogue, for every collective it serves, proved on tori of many shapes. A schedule does not
// depend on the size of the data, so each proof covers all sizes. COLL_TOPO_PROOF=full in the environment proves many
// more shapes.

#include "test/algorithm/machine.hpp"
#include "test/algorithm/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace coll_topo::test {
namespace {

// Gives the number of proofs that were also in rank order.
int prove_everything(const Machine& machine, Rows rows = Rows::that_know_the_network) {
    const auto grid = Grid::from_torus(machine.fabric, machine.placement);
    EXPECT_TRUE(grid) << machine.description << ": " << grid.error().text();
    return grid ? prove_catalogue(*grid, machine.description, rows) : 0;
}

// Every list of sizes >= 2 whose product is at most `volume`, ascending, in a full proof in every order.
void list_shapes(int volume, std::size_t dimensions, std::vector<int>& sizes, std::vector<Shape>& shapes) {
    if (!sizes.empty()) shapes.push_back({sizes});
    if (sizes.size() == dimensions) return;
    const int smallest = sizes.empty() || full_proof() ? 2 : sizes.back();
    for (int size = smallest; size <= std::min(9, volume); ++size) {
        sizes.push_back(size);
        list_shapes(volume / size, dimensions, sizes, shapes);
        sizes.pop_back();
    }
}

std::vector<Shape> shapes_up_to(int volume) {
    std::vector<Shape> shapes = {{{1}}};
    std::vector<int> sizes;
    list_shapes(volume, 6, sizes, shapes);
    return shapes;
}

TEST(ProofGrid, EverySmallTorusAndMesh) {
    int in_order = 0, turn = 0;
    for (Shape& shape : shapes_up_to(full_proof() ? 64 : 24)) {
        for (const unsigned wrapped : {~0u, 0u, 0b101010u}) {
            if (!full_proof() && shape.volume() > 12 && turn++ % 4 < 2) continue;
            shape.wrapped = wrapped;
            in_order += prove_everything(make_machine(shape, equal_ranks_per_host(shape, 1), RankOrder::by_host));
        }
    }
    EXPECT_GT(in_order, tries_all_rows() ? 100 : -1) << "rank order is hardly ever kept, so it is hardly ever proved";
}

TEST(ProofGrid, EverySmallTorusWithSeveralRanksPerHost) {
    int in_order = 0;
    for (const Shape& shape : shapes_up_to(full_proof() ? 24 : 12)) {
        for (int ranks_per_host = 2; ranks_per_host <= 8; ++ranks_per_host) {
            const int ranks = shape.volume() * ranks_per_host;
            if (!full_proof() && (ranks > 36 || (ranks > 24 && ranks_per_host > 3 && ranks_per_host < 8))) continue;
            const RankOrder order = static_cast<RankOrder>(ranks_per_host % 3);
            in_order += prove_everything(make_machine(shape, equal_ranks_per_host(shape, ranks_per_host), order));
        }
    }
    EXPECT_GT(in_order, tries_all_rows() ? 0 : -1);
}

TEST(ProofGrid, SizesOfOneStandAnywhere) {
    for (const Shape& shape : {Shape{{1, 1}}, Shape{{1, 4}}, Shape{{4, 1}}, Shape{{1, 3, 1, 2}}, Shape{{2, 1, 4, 1}},
                               Shape{{1, 1, 5, 1, 1, 2}}}) {
        for (const int ranks_per_host : {1, 3}) {
            prove_everything(make_machine(shape, equal_ranks_per_host(shape, ranks_per_host), RankOrder::by_host));
        }
    }
}

TEST(ProofGrid, EveryNumberOfRanksOnALine) {
    for (int ranks = 1; ranks <= most_ranks(); ++ranks) {
        if (!full_proof() && ranks > 33 && ranks % 32 != 0 && ranks % 13 != 5) continue;
        const Shape shape{{ranks}, ranks % 2 == 0 ? ~0u : 0u};
        prove_everything(make_machine(shape, equal_ranks_per_host(shape, 1), RankOrder::by_host), Rows::all);
    }
}

TEST(ProofGrid, LargePrimes) {
    for (const std::vector<int>& sizes :
         std::vector<std::vector<int>>{{11}, {13}, {17}, {23}, {47}, {11, 3}, {2, 13}, {17, 4}, {11, 11}, {2, 23, 2}}) {
        for (const unsigned wrapped : {~0u, 0u}) {
            const Shape shape{sizes, wrapped};
            for (const int ranks_per_host : {1, 2}) {
                const int ranks = shape.volume() * ranks_per_host;
                if (ranks > most_ranks() || (!full_proof() && ranks > 64 && wrapped == 0)) continue;
                prove_everything(make_machine(shape, equal_ranks_per_host(shape, ranks_per_host), RankOrder::by_host));
            }
        }
    }
    const Shape line{{3}};
    prove_everything(make_machine(line, equal_ranks_per_host(line, 47), RankOrder::by_host));
}

// Ranks on the hosts that `used` names, one each.
std::vector<int> rank_counts_where(const Shape& shape, int (*used)(int x, int y)) {
    std::vector<int> rank_counts;
    for (int host = 0; host < shape.volume(); ++host) {
        rank_counts.push_back(used(host % shape.sizes[0], host / shape.sizes[0]));
    }
    return rank_counts;
}

TEST(ProofGrid, SparsePatterns) {
    const std::vector<int (*)(int, int)> patterns = {
        [](int x, int y) { return x == y ? 1 : 0; },                // diagonal
        [](int x, int y) { return (x + y) % 2 == 0 ? 2 : 0; },      // checkerboard
        [](int x, int y) { return x == 0 || y == 0 ? 1 : 0; },      // an L
        [](int x, int y) { return x % 3 != 1 || y > 1 ? 3 : 0; },   // a comb
        [](int x, int y) { return x + y != 0 ? 1 : 0; },            // all but the first
        [](int x, int y) { return x == 2 && y == 3 ? 7 : 0; },      // one host
        [](int x, int y) { return x >= y ? 1 + (x + y) % 3 : 0; },  // a triangle of hosts with unequally many ranks
    };
    int turn = 0;
    for (const auto pattern : patterns) {
        for (const Shape& shape : {Shape{{5, 5}}, Shape{{6, 4}, 0}, Shape{{4, 8}, 2}}) {
            for (const RankOrder order : {RankOrder::by_host, RankOrder::in_turn, RankOrder::shuffled}) {
                if (!full_proof() && turn++ % 2 == 0) continue;  // each order in turn
                prove_everything(make_machine(shape, rank_counts_where(shape, pattern), order));
            }
        }
    }
}

// A shape of one to six dimensions of sizes 1 to 9 with at most `volume` hosts.
Shape roll_shape(Dice& dice, int volume) {
    Shape shape;
    shape.wrapped = static_cast<unsigned>(dice.roll(0, 63));
    const int dimensions = dice.roll(1, 6);
    for (int d = 0; d < dimensions; ++d) {
        const int size = dice.roll(1, std::clamp(volume, 1, 9));
        shape.sizes.push_back(size);
        volume /= size;
    }
    return shape;
}

// Hosts of 1 to 8 ranks, equal or not, with holes or without; at least one host has ranks.
std::vector<int> roll_rank_counts(Dice& dice, const Shape& shape) {
    const bool equal = dice.roll(0, 1) == 0;
    const int holes_in_ten = dice.roll(0, 2) == 0 ? dice.roll(1, 9) : 0;
    const int largest = std::clamp(most_ranks() / shape.volume(), 1, 8);
    const int ranks_per_host = dice.roll(1, largest);
    std::vector<int> rank_counts;
    for (int host = 0; host < shape.volume(); ++host) {
        const int ranks = equal ? ranks_per_host : dice.roll(1, largest);
        rank_counts.push_back(dice.roll(1, 10) <= holes_in_ten ? 0 : ranks);
    }
    if (std::ranges::all_of(rank_counts, [](int ranks) { return ranks == 0; })) rank_counts.back() = ranks_per_host;
    return rank_counts;
}

TEST(ProofGrid, SampledShapes) {
    for (std::uint32_t seed = 0; seed < (full_proof() ? 2500u : 16u); ++seed) {
        Dice dice(seed);
        const Shape shape = roll_shape(dice, seed % 5 == 0 ? most_ranks() : 40);
        const auto rank_counts = roll_rank_counts(dice, shape);
        prove_everything(make_machine(shape, rank_counts, static_cast<RankOrder>(dice.roll(0, 2)), seed));
    }
}

// The proof must fail for what an algorithm would write if it got one thing wrong.
TEST(ProofGrid, ABrokenScheduleIsFound) {
    const Shape shape{{4, 3}};
    const Machine machine = make_machine(shape, equal_ranks_per_host(shape, 2), RankOrder::by_host);
    const auto grid = Grid::from_torus(machine.fabric, machine.placement);
    ASSERT_TRUE(grid);
    for (const Algorithm& algorithm : rows_to_try()) {
        for (int c = 0; c < collective_count; ++c) {
            const Problem problem{static_cast<Collective>(c)};
            if (!algorithm.serves(problem.collective) || !algorithm.refusal(*grid, problem).empty()) continue;
            SCOPED_TRACE(describe(algorithm, problem));
            const Schedule right = build_all(algorithm, *grid, problem);
            ASSERT_TRUE(prove(problem.collective, right));
            for (std::size_t rank = 0; rank < right.size(); ++rank) {
                Schedule wrong = right;
                wrong[rank].actions.pop_back();
                --wrong[rank].steps.back().end;
                EXPECT_FALSE(prove(problem.collective, wrong)) << "rank " << rank << " lacks its last action";
                // Leaves of one parent may do the same.
                const Program& other = right[(rank + 1) % right.size()];
                if (other.actions == right[rank].actions) continue;
                wrong[rank] = other;
                EXPECT_FALSE(prove(problem.collective, wrong)) << "rank " << rank << " runs its neighbour's program";
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
