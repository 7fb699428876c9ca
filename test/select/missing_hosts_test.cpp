// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/close_look.hpp"

#include "coll_topo/select/compared_seconds.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/select/decisions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace coll_topo::test {
namespace {

/// The formula of network_first says more than 1.25 times what that of a2at does, and takes the line for the ways.
TEST(CloseLook, LooksAtMoreWhereHostsOfATorusAreScattered) {
    const auto file = read_topology_text(
        "TorusName=t Dims=8x8x8 Wrap=yyy Nodes=n[000-511] Bandwidth=12.5GB/s Latency=0.5us\n", "test.conf");
    ASSERT_TRUE(file);
    const Placement placement = ranks_on({29, 53, 115, 160, 255, 261, 367, 476}, 2);
    const Grid grid = Grid::from_fabric(file->fabric, placement).value();
    EXPECT_EQ(chosen(decide(grid, {Call::reduce, 128 << 10}, {})).text(), "network_first, 2 lanes");
}

/// Formulas that say far too little: of the many messages of a2at only a longer replay tells, and until then others are
/// only known to take longer.
TEST(CloseLook, LooksAgainAtWhatALimitEnded) {
    std::vector<int> hosts;
    for (int host = 0; host < 64; ++host) hosts.push_back(71 * host % 512);
    const Grid grid = Grid::from_torus(equal_torus({8, 8, 8}), ranks_on(hosts)).value();
    const Request request{Call::allreduce, 4 << 20};
    std::vector<Candidate> candidates = decide(grid, request, {}).candidates;
    const auto a2at = std::ranges::find(candidates, "a2at", [](const Candidate& c) { return c.algorithm->name; });
    ASSERT_NE(a2at, candidates.end());
    for (Candidate& candidate : candidates) {
        if (!candidate.algorithm->uses_segments) candidate.seconds = 1e-4;
    }
    a2at->seconds = 0.9e-4;
    CloseLook(grid, request).predict_choice(candidates, {});
    const Candidate& fastest = *std::ranges::min_element(
        candidates, {}, [](const Candidate& candidate) { return compared_seconds(&candidate); });
    Candidate replayed = fastest;
    CloseLook(grid, request).predict(replayed);
    EXPECT_NEAR(fastest.seconds, replayed.seconds, 0.05 * replayed.seconds) << fastest.text();
}

/// What a limit ended is too long for a replay of more: that it takes longer than the limit is not what it takes.
TEST(CloseLook, TakesTheFormulaWhereALongerReplayCannotTell) {
    const auto file = read_topology_text(
        "SwitchName=a Nodes=n[00-30]\nSwitchName=b Nodes=n[31-62]\n"
        "Link From=a,b To=s[1-8] Count=2 Bandwidth=25GB/s Latency=0.2us\nHostLink Bandwidth=25GB/s Latency=0.3us\n",
        "test.conf");
    const Grid grid = Grid::from_fabric(file->fabric, ranks_on_all(file->fabric)).value();
    EXPECT_EQ(chosen(decide(grid, {Call::allreduce, 8 << 20}, {})).text(), "a2at");
}

}  // namespace
}  // namespace coll_topo::test
