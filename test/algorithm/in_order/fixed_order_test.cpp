// SPDX-License-Identifier: BSD-3-Clause
//
// The rows that combine operands in a fixed order, run by threads: that the order is that of coordinates, and that all
// ranks and all rows get the same bits.

#include "coll_topo/algorithm/in_order/coordinate_lines.hpp"
#include "coll_topo/execute/executor.hpp"
#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/in_process_transport.hpp"
#include "test/execute/rank_threads.hpp"
#include "test/grid/switch_fixture.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace coll_topo::test {
namespace {

using Vector = std::vector<std::uint64_t>;

constexpr std::size_t elements = 41;

// Neither associative nor commutative, so that the value shows the order and the grouping of its operands.
std::uint64_t knot(std::uint64_t left, std::uint64_t right) {
    return std::rotl((left ^ 0x9e3779b97f4a7c15u) * 3, 17) + right * 0xbf58476d1ce4e5b9u;
}

void combine_knots(const void* left, void* right) {
    auto& value = *static_cast<std::uint64_t*>(right);
    value = knot(*static_cast<const std::uint64_t*>(left), value);
}

void add_doubles(const void* left, void* right) {
    auto& value = *static_cast<std::uint64_t*>(right);
    const double sum = std::bit_cast<double>(*static_cast<const std::uint64_t*>(left)) + std::bit_cast<double>(value);
    value = std::bit_cast<std::uint64_t>(sum);
}

Vector knots(int rank) {
    Vector values;
    for (std::size_t i = 0; i < elements; ++i) values.push_back(static_cast<std::uint64_t>(rank) * 1000 + i + 1);
    return values;
}

// Of very different sizes and both signs, so that nearly every order rounds to another sum; some are NaNs of their own.
Vector doubles(int rank) {
    Dice dice(static_cast<std::uint32_t>(rank) + 1);
    Vector values;
    for (std::size_t i = 0; i < elements; ++i) {
        const double value = std::ldexp(dice.roll(-1000000, 1000000), dice.roll(-30, 30));
        const bool nan = i % 10 == 3 && rank % 3 == 1;
        values.push_back(nan ? 0x7ff8000000000000u + static_cast<std::uint64_t>(rank)
                             : std::bit_cast<std::uint64_t>(value));
    }
    return values;
}

// What every rank holds at the end.
std::vector<Vector> run(const Grid& grid, const Algorithm& algorithm, const Problem& problem, std::size_t segment_bytes,
                        Vector (*contribution)(int rank), void (*operation)(const void*, void*)) {
    MessageBoard board;
    Schedule schedule = build_all(algorithm, grid, problem);
    std::vector<Vector> values;
    for (int rank = 0; rank < grid.ranks(); ++rank) values.push_back(contribution(rank));
    run_ranks(grid.ranks(), [&](int rank) {
        Plan plan(std::move(schedule[rank]), problem.collective, grid.ranks(), rank, segment_bytes);
        InProcessTransport transport(board, rank, sizeof(std::uint64_t), operation, !problem.in_rank_order);
        Workspace workspace;
        EXPECT_EQ(execute(plan, transport, {nullptr, values[rank].data(), elements, {}, nullptr}, workspace), 0);
    });
    return values;
}

Vector fold(const std::vector<Vector>& operands) {
    Vector result = operands[0];
    for (std::size_t number = 1; number < operands.size(); ++number) {
        for (std::size_t i = 0; i < elements; ++i) result[i] = knot(result[i], operands[number][i]);
    }
    return result;
}

Vector of_place(const Grid& grid, int place) {
    std::vector<Vector> operands;
    for (const int host : {place, grid.extra_host_of(place)}) {
        for (const std::int32_t rank : host < 0 ? std::span<const std::int32_t>() : grid.ranks_of_host(host)) {
            operands.push_back(knots(rank));
        }
    }
    return fold(operands);
}

// Place by place, then along axis after axis. The places of a leaf stand on the first axis.
Vector by_coordinates(const Grid& grid) {
    std::vector<Vector> values;
    const int line = grid.axes().empty() ? 1 : grid.axes()[0].size;
    for (int place = 0; place < grid.places(); ++place) {
        const int first = place / line * line;
        values.push_back(of_place(grid, grid.axes().empty() ? place : grid.along(first, 0, place % line)));
    }
    for (const Axis& axis : grid.axes()) {
        std::vector<Vector> next;
        for (auto begin = values.begin(); begin != values.end(); begin += axis.size) {
            next.push_back(fold({begin, begin + axis.size}));
        }
        values = std::move(next);
    }
    return values.at(0);
}

Vector by_rank(const Grid& grid) {
    std::vector<Vector> operands;
    for (int rank = 0; rank < grid.ranks(); ++rank) operands.push_back(knots(rank));
    return fold(operands);
}

std::vector<Grid> grids() {
    std::vector<Grid> all;
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{1}, {2}, {5}, {6}, {4, 3}, {2, 3, 2}}) {
        all.push_back(full_grid(sizes));
        all.push_back(full_grid(sizes, 2, false));
        all.push_back(full_grid(sizes, 3));
    }
    const Shape shape{{4, 4}, 1};
    std::vector<int> rank_counts = {1, 2, 1, 3, 1, 1, 0, 1, 2, 1, 1, 1, 1, 1, 1, 1};
    for (const RankOrder order : {RankOrder::by_host, RankOrder::in_turn, RankOrder::shuffled}) {
        const Machine machine = make_machine(shape, rank_counts, order);
        all.push_back(Grid::from_torus(machine.fabric, machine.placement).value());
    }
    for (const std::uint32_t seed : {5u, 6u, 7u}) {
        const Machine machine = roll_fat_tree(13, seed);
        all.push_back(Grid::from_fabric(machine.fabric, machine.placement).value());
    }
    const Fabric plane = latin_square_fabric(3, 4);
    std::vector<int> hosts;
    for (int host = 16; host < 52; ++host) hosts.push_back(host);
    all.push_back(Grid::from_switches(plane, ranks_on(hosts)).value());
    return all;
}

// Calls body(algorithm, problem, bytes of a message) for all ways to allreduce.
template <typename Body>
void for_each_way(const Grid& grid, bool in_rank_order, Body body) {
    int rows = 0;
    for (const Algorithm& algorithm : catalogue()) {
        if (!algorithm.fixed_order || !algorithm.serves(Collective::allreduce)) continue;
        const Problem whole{Collective::allreduce, 1, 1, 1, 0, in_rank_order};
        if (!algorithm.refusal(grid, whole).empty() || (in_rank_order && !algorithm.in_order(grid, whole))) continue;
        ++rows;
        for (const int segments : algorithm.uses_segments ? std::vector{1, 3, 16} : std::vector{1}) {
            const Problem problem{Collective::allreduce, 1, 1, segments, 0, in_rank_order};
            SCOPED_TRACE(describe(algorithm, problem) + ", " + grid.summary());
            for (const std::size_t bytes : {std::size_t{0}, 2 * sizeof(std::uint64_t)}) body(algorithm, problem, bytes);
        }
    }
    EXPECT_GE(rows, 2);
}

TEST(FixedOrder, IsThatOfCoordinates) {
    int extra_hosts = 0, skewed = 0;
    for (const Grid& grid : grids()) {
        extra_hosts += grid.extra_hosts();
        skewed += grid.skewed() ? 1 : 0;
        const Vector expected = by_coordinates(grid);
        for_each_way(grid, false, [&](const Algorithm& algorithm, const Problem& problem, std::size_t bytes) {
            for (const Vector& result : run(grid, algorithm, problem, bytes, knots, combine_knots)) {
                ASSERT_EQ(result, expected);
            }
        });
    }
    EXPECT_GT(extra_hosts, 0);
    EXPECT_GT(skewed, 0) << "no grid has columns of its own for each host of a leaf";
}

TEST(FixedOrder, IsRankOrderWhereAskedFor) {
    int out_of_order = 0;
    for (const Grid& grid : grids()) {
        const bool follows = CoordinateLines(grid).in_rank_order();
        out_of_order += follows ? 0 : 1;
        const Vector expected = follows ? by_coordinates(grid) : by_rank(grid);
        for_each_way(grid, true, [&](const Algorithm& algorithm, const Problem& problem, std::size_t bytes) {
            EXPECT_TRUE(algorithm.in_order(grid, problem));
            for (const Vector& result : run(grid, algorithm, problem, bytes, knots, combine_knots)) {
                ASSERT_EQ(result, expected);
            }
        });
    }
    EXPECT_GT(out_of_order, 2);
}

TEST(FixedOrder, GivesTheSameBitsOnAllRanksInAllRowsAndSegments) {
    for (const Grid& grid : grids()) {
        Vector expected;
        for_each_way(grid, false, [&](const Algorithm& algorithm, const Problem& problem, std::size_t bytes) {
            for (const Vector& result : run(grid, algorithm, problem, bytes, doubles, add_doubles)) {
                if (expected.empty()) expected = result;
                ASSERT_EQ(result, expected) << "of sums of doubles";
            }
        });
    }
}

// What the tests above compare would be the same in any order if the numbers were tame.
TEST(FixedOrder, IsNotWhatOtherAlgorithmsGive) {
    const Grid grid = full_grid({4, 3});
    const Problem problem{Collective::allreduce};
    const auto fixed = run(grid, *find_algorithm("fixed_order"), problem, 0, doubles, add_doubles);
    EXPECT_NE(run(grid, *find_algorithm("recursive_doubling"), problem, 0, doubles, add_doubles), fixed);
    EXPECT_NE(run(grid, *find_algorithm("ring"), problem, 0, doubles, add_doubles), fixed);
}

TEST(FixedOrder, GivesTheRootOfAReduceTheSameBits) {
    for (const Grid& grid : grids()) {
        const Algorithm& row = *find_algorithm("fixed_order");
        const Vector expected = by_coordinates(grid);
        for (int root = 0; root < grid.ranks(); root += 3) {
            const Problem problem{Collective::reduce, 1, 1, 4, root};
            ASSERT_EQ(run(grid, row, problem, 0, knots, combine_knots)[root], expected)
                << describe(row, problem) << ", " << grid.summary();
        }
    }
}

TEST(FixedOrderGather, TakesHalfTheLengthOfEachRing) {
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{2}, {3}, {8}, {9}, {4, 4}, {5, 2, 3}}) {
        std::size_t rings = 0, lines = 0;
        for (const int size : sizes) {
            rings += static_cast<std::size_t>(size) / 2;
            lines += static_cast<std::size_t>(size) - 1;
        }
        const Algorithm& row = *find_algorithm("fixed_order_gather");
        for (const Program& program : build_all(row, full_grid(sizes), {})) EXPECT_EQ(program.steps.size(), rings);
        std::size_t longest = 0;
        for (const Program& program : build_all(row, full_grid(sizes, 1, false), {})) {
            longest = std::max(longest, program.steps.size());
        }
        EXPECT_EQ(longest, lines) << "from end to end of a mesh";
    }
}

}  // namespace
}  // namespace coll_topo::test
