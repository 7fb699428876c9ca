// SPDX-License-Identifier: BSD-3-Clause
//
// Which rows of the catalogue decide() looks at.
#include "coll_topo/select/barrier.hpp"
#include "coll_topo/select/close_look.hpp"
#include "coll_topo/select/decision.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/select/decisions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace coll_topo {
namespace {

using test::chosen;
using test::full_grid;
using test::uses_all_ports;

bool lists(const Decision& decision, const Algorithm* algorithm) {
    return std::ranges::any_of(decision.candidates, [&](const Candidate& c) { return c.algorithm == algorithm; });
}

TEST(ConsideredRows, AreReferencesOnManyRanksOnlyByName) {
    const Grid grid = full_grid({46, 45});
    ASSERT_GT(grid.ranks(), most_ranks_of_references);
    const Request request{Call::allreduce, 4096, true};
    const Algorithm* const ring = find_algorithm("ring");
    ASSERT_TRUE(ring != nullptr && ring->reference);
    EXPECT_FALSE(lists(decide(grid, request, {}), ring));

    Preferences preferences;
    preferences.list_references = true;
    const Decision listed = decide(grid, request, preferences);
    EXPECT_TRUE(lists(listed, ring));
    EXPECT_FALSE(chosen(listed).algorithm->reference);
    for (const Candidate& candidate : listed.candidates) {
        if (!candidate.algorithm->reference) continue;
        EXPECT_EQ(candidate.refusal, "a reference, run only when asked for or clearly faster");
        EXPECT_EQ(candidate.standing, Standing::on_request);
        EXPECT_GT(candidate.seconds, 0) << candidate.text();
    }

    preferences.algorithm = ring;
    EXPECT_EQ(chosen(decide(grid, request, preferences)).algorithm, ring);
}

TEST(ConsideredRows, AreReferencesOnFewRanksAndChosenWhereClearlyFaster) {
    int chosen_references = 0;
    for (const auto& grid : {full_grid({4, 4}), full_grid({4, 3}, 4, false), full_grid({5, 3}, 2)}) {
        for (const Call call : {Call::bcast, Call::reduce, Call::allreduce, Call::alltoall}) {
            for (double bytes = 8; bytes < 1e8; bytes *= 8) {
                const Decision decision = decide(grid, {call, bytes, true}, {});
                const Candidate& taken = chosen(decision);
                if (taken.algorithm->reference) ++chosen_references;
                for (const Candidate& other : decision.candidates) {
                    if (other.standing == Standing::does_not_apply || other.standing == Standing::not_worth_it)
                        continue;
                    const bool may_be_faster = other.algorithm->reference && !taken.algorithm->reference;
                    EXPECT_LE(taken.seconds * (may_be_faster ? 0.97 : 1), other.seconds * 1.000001) << other.text();
                }
            }
        }
    }
    EXPECT_GT(chosen_references, 0);
}

TEST(ConsideredRows, AreNoReferencesForBarriers) {
    const Decision decision = decide(full_grid({4, 4}), request_for(Call::barrier, 16), {});
    for (const Candidate& candidate : decision.candidates) EXPECT_FALSE(candidate.algorithm->reference);
}

TEST(ConsideredRows, AreReferencesTooWhereThereIsNoNetwork) {
    Preferences through_memory;
    through_memory.host_memory = true;
    const Request request{Call::alltoall, 8, true};
    EXPECT_TRUE(chosen(decide(full_grid({1}, 8), request, through_memory)).algorithm->reference);
    EXPECT_FALSE(chosen(decide(full_grid({2}, 4), request, through_memory)).algorithm->reference);
}

TEST(ConsideredRows, AreOfFixedOrderOnlyWhenAskedFor) {
    const Grid grid = full_grid({4, 4});
    const Request request{Call::allreduce, 4096, true};
    const Algorithm* const fixed = find_algorithm("fixed_order");
    ASSERT_TRUE(fixed != nullptr && fixed->fixed_order);
    EXPECT_FALSE(lists(decide(grid, request, {}), fixed));

    Preferences preferences;
    preferences.list_references = true;
    const Decision listed = decide(grid, request, preferences);
    EXPECT_FALSE(chosen(listed).algorithm->fixed_order);
    const auto at = std::ranges::find(listed.candidates, fixed, &Candidate::algorithm);
    EXPECT_EQ(at->refusal, "of fixed order, run only when asked for");
    EXPECT_EQ(at->standing, Standing::on_request);

    preferences.algorithm = fixed;
    EXPECT_EQ(chosen(decide(grid, request, preferences)).algorithm, fixed);
}

TEST(ConsideredRows, AreOnlyOfFixedOrderWhereThatIsPreferred) {
    Preferences preferences;
    preferences.fixed_order = true;
    preferences.list_references = true;
    const Fabric fabric = test::equal_torus({4});
    const Grid turned = Grid::from_torus(fabric, test::ranks_on({0, 1, 2, 3, 0, 1, 2, 3})).value();
    for (const Grid& grid : {full_grid({4, 4}), full_grid({7}, 3, false), turned}) {
        for (const Collective collective : {Collective::allreduce, Collective::reduce}) {
            for (const bool commutative : {true, false}) {
                for (const double bytes : {8.0, 4096.0, 64e6}) {
                    const Decision decision = decide(grid, {call_of(collective), bytes, commutative, 1}, preferences);
                    ASSERT_GE(decision.chosen, 0);
                    for (const Candidate& candidate : decision.candidates) {
                        EXPECT_TRUE(candidate.algorithm->fixed_order) << candidate.text();
                    }
                }
            }
        }
    }
    const Grid grid = full_grid({4, 4});
    EXPECT_EQ(chosen(decide(grid, {Call::allreduce, 8, true}, preferences)).algorithm->name, "fixed_order_gather");
    EXPECT_EQ(chosen(decide(full_grid({4, 4}, 1, false), {Call::allreduce, 8, true}, preferences)).algorithm->name,
              "fixed_order_gather");
    EXPECT_EQ(chosen(decide(grid, {Call::allreduce, 64e6, true}, preferences)).algorithm->name, "fixed_order");
    EXPECT_TRUE(uses_all_ports(chosen(decide(grid, {Call::allgather, 64e6}, preferences)))) << "nothing is combined";

    preferences.algorithm = find_algorithm("recursive_doubling");
    EXPECT_EQ(decide(grid, {Call::allreduce, 8, true}, preferences).chosen, -1);
}

TEST(ConsideredRows, AreDirectForPiecesOfUnknownSizes) {
    Request request{Call::alltoall, 1 << 20};
    request.call = Call::alltoallv;
    Preferences preferences;
    preferences.list_references = true;
    const Decision decision = decide(full_grid({4, 4}), request, preferences);
    EXPECT_FALSE(decision.candidates.empty());
    for (const Candidate& candidate : decision.candidates) EXPECT_TRUE(candidate.algorithm->direct) << candidate.text();

    preferences.algorithm = find_algorithm("bruck");
    EXPECT_EQ(decide(full_grid({4, 4}), request, preferences).chosen, -1);
    preferences.algorithm = find_algorithm("pairwise");
    EXPECT_EQ(chosen(decide(full_grid({4, 4}), request, preferences)).algorithm, preferences.algorithm);
}

TEST(ConsideredRows, ServeABarrierOnlyWhereTheyAreFasterThanInRankOrder) {
    const Grid grid = full_grid({16, 16});
    const Request request = request_for(Call::barrier, grid.ranks());
    const Decision decision = decide(grid, request, {});
    ASSERT_GE(decision.chosen, 0);
    EXPECT_LT(chosen(decision).seconds, rank_order_barrier_seconds(grid));

    // Ranks in the order of places do as well.
    const Decision left = decide(full_grid({4, 4}), request, {});
    EXPECT_EQ(left.chosen, -1);
    EXPECT_NE(left.candidates.front().refusal.find("no faster than in rank order"), std::string::npos);
    EXPECT_EQ(left.candidates.front().standing, Standing::not_worth_it);
    Preferences preferences;
    preferences.algorithm = find_algorithm("recursive_doubling");
    EXPECT_EQ(chosen(decide(full_grid({4, 4}), request, preferences)).algorithm, preferences.algorithm);
}

}  // namespace
}  // namespace coll_topo
