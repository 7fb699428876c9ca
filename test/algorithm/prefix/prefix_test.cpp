// SPDX-License-Identifier: BSD-3-Clause
//
// Scans: known numbers of rounds and messages, and what they are predicted to take. The proof grid shows that they are
// right.

#include "test/algorithm/rounds.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace coll_topo {
namespace {

using test::build_all;
using test::full_grid;
using test::rounds;

constexpr Collective both[] = {Collective::scan, Collective::exscan};

int ceil_log2(int number) {
    return std::bit_width(static_cast<unsigned>(number - 1));
}

int messages_between_hosts(const Grid& grid, const Schedule& schedule) {
    int count = 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        count += static_cast<int>(std::ranges::count_if(schedule[rank].actions, [&](const Action& action) {
            return is_send(action) && grid.host(action.peer) != grid.host(rank);
        }));
    }
    return count;
}

bool writes_output(const Program& program) {
    return std::ranges::any_of(program.actions,
                               [](const Action& action) { return written_buffer(action) == Buffer::output; });
}

TEST(PrefixDoubling, TakesLog2RoundsOfAllRanksThatHaveOneBehind) {
    for (const int ranks : {1, 2, 3, 5, 8, 16, 17}) {
        for (const Collective collective : both) {
            const Grid grid = full_grid({ranks});
            const Schedule schedule = build_all(*find_algorithm("prefix_doubling"), grid, {collective});
            EXPECT_EQ(rounds(schedule), ceil_log2(ranks)) << ranks << " ranks";
            int expected = 0;
            for (int distance = 1; distance < ranks; distance *= 2) expected += ranks - distance;
            EXPECT_EQ(messages_between_hosts(grid, schedule), expected);
        }
    }
}

TEST(PrefixChain, StreamsItsSegments) {
    for (const int ranks : {2, 3, 8, 17}) {
        for (const int segments : {1, 2, 5}) {
            for (const Collective collective : both) {
                const Problem problem{.collective = collective, .segments = segments};
                const Grid grid = full_grid({ranks});
                const Schedule schedule = build_all(*find_algorithm("prefix_chain"), grid, problem);
                EXPECT_EQ(rounds(schedule), segments + ranks - 2) << ranks << " ranks, " << segments << " segments";
                EXPECT_EQ(messages_between_hosts(grid, schedule), segments * (ranks - 1));
            }
        }
    }
}

TEST(PrefixByHosts, SendsFromOneRankOfEachHost) {
    const Algorithm& row = *find_algorithm("prefix_by_hosts");
    for (const Collective collective : both) {
        const Grid grid = full_grid({4}, 4);
        const Schedule schedule = build_all(row, grid, {collective});
        EXPECT_EQ(messages_between_hosts(grid, schedule), 3 + 2);
        EXPECT_EQ(rounds(schedule), 2 + 2 + 2);
    }
}

TEST(PrefixByHosts, NeedsRanksThatFollowEachOtherOnAHost) {
    const Algorithm& row = *find_algorithm("prefix_by_hosts");
    EXPECT_EQ(row.refusal(full_grid({4}), {Collective::scan}), "no ranks that follow each other are on one host");
    EXPECT_EQ(row.refusal(full_grid({1}, 4), {Collective::scan}), "all ranks are on one host");
    EXPECT_EQ(row.refusal(full_grid({2}, 2), {Collective::scan}), "");
}

TEST(Prefix, ExscanNeverTouchesTheOutputOfTheFirstRank) {
    for (const char* name : {"prefix_doubling", "prefix_chain", "prefix_by_hosts"}) {
        const Schedule schedule = build_all(*find_algorithm(name), full_grid({3}, 2), {Collective::exscan});
        EXPECT_FALSE(writes_output(schedule[0])) << name;
        EXPECT_TRUE(writes_output(schedule[1])) << name;
    }
}

TEST(Prefix, ShortVectorsDoubleLongOnesStreamAndHostsGoFirst) {
    const auto seconds = [](const char* name, const Grid& grid, int segments, double bytes) {
        return find_algorithm(name)->seconds(grid, {.collective = Collective::scan, .segments = segments}, bytes);
    };
    const Grid alone = full_grid({4, 4}), shared = full_grid({4, 4}, 8);
    EXPECT_LT(seconds("prefix_doubling", alone, 1, 8), seconds("prefix_chain", alone, 1, 8));
    EXPECT_GT(seconds("prefix_doubling", alone, 1, 1 << 24), seconds("prefix_chain", alone, 64, 1 << 24));
    EXPECT_LT(seconds("prefix_by_hosts", shared, 1, 1 << 16), seconds("prefix_doubling", shared, 1, 1 << 16));
}

}  // namespace
}  // namespace coll_topo
