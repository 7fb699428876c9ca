// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/decision.hpp"

#include "coll_topo/select/compared_seconds.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/select/decisions.hpp"
#include "test/select/virtual_cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace coll_topo {
namespace {

using test::chosen;
using test::full_grid;
using test::grid_of;
using test::uses_all_ports;
using test::virtual_latin_square;
using test::virtual_torus;
using test::virtual_tree;

TEST(Decision, TakesRecursiveDoublingForSmallAndAllPortsForLargeVectors) {
    const Grid grid = full_grid({4, 4});
    const Decision small = decide(grid, {Call::allreduce, 8, true}, {});
    EXPECT_EQ(chosen(small).algorithm->name, "recursive_doubling");
    const Decision large = decide(grid, {Call::allreduce, 64e6, true}, {});
    EXPECT_TRUE(uses_all_ports(chosen(large))) << chosen(large).text();
}

TEST(Decision, NeverTakesASlowerCandidate) {
    const Grid grid = full_grid({3, 5}, 2);
    for (int c = 0; c < 31; c += 3) {  // to 1 GiB
        const Decision decision = decide(grid, {Call::allreduce, representative_bytes(c), true}, {});
        for (const Candidate& other : decision.candidates) {
            const double seconds = counted_seconds(chosen(decision)), least = counted_seconds(other);
            EXPECT_TRUE(!other.refusal.empty() || seconds <= least || equally_fast(seconds, least)) << other.text();
        }
    }
}

/// Whether a candidate that sends more messages at once is predicted to take within 1 % of the time of the chosen one.
bool has_other_as_fast(const Decision& decision, std::string_view algorithm, int lanes) {
    return std::ranges::any_of(decision.candidates, [&](const Candidate& other) {
        return other.algorithm->name == algorithm && other.problem.lanes == lanes &&
               std::abs(other.seconds / chosen(decision).seconds - 1) < 0.01;
    });
}

TEST(Decision, TakesOneLaneWhereMessagesOfMoreTakeTheProcessorsOfAll) {
    for (const int microseconds : {8, 15, 18}) {
        const Grid grid = virtual_tree(1, microseconds);
        const Decision gathered = decide(grid, {Call::allgather, 1 << 16}, {});
        EXPECT_EQ(chosen(gathered).text(), "grouped_ring, 1 lane");
        const Decision reduced = decide(grid, {Call::allreduce, 1 << 16}, {});
        EXPECT_EQ(chosen(reduced).text(), "grouped_ring, 1 lane");
        EXPECT_TRUE(has_other_as_fast(reduced, "halving_doubling", 4));
    }
}

/// What replays do not say in full of what takes longer must not be taken for its time.
TEST(Decision, LosesNoMoreThanWhatFewerMessagesAtOnceAreWorth) {
    Preferences in_full;
    in_full.predict_all = true;
    for (const int ranks_per_host : {1, 2}) {
        const Grid grid = virtual_torus(ranks_per_host);
        for (const Call call : {Call::allreduce, Call::bcast, Call::reduce, Call::allgather}) {
            for (const int bytes : {1 << 14, 1 << 16}) {
                const Decision decision = decide(grid, {call, static_cast<double>(bytes)}, in_full);
                for (const Candidate& other : decision.candidates) {
                    EXPECT_TRUE(!other.refusal.empty() || 0.97 * chosen(decision).seconds <= other.seconds * 1.000001)
                        << call_name(call) << " of " << bytes << " by " << chosen(decision).text() << ", not "
                        << other.text();
                }
            }
        }
    }
}

TEST(Decision, PassesShortMessagesOnAsLittleAsCanBeWhereRanksWaitForTurns) {
    for (const Grid& grid : {virtual_torus(), virtual_tree(1, 15), virtual_tree(2, 15)}) {
        EXPECT_EQ(chosen(decide(grid, {Call::bcast, 8}, {})).text(), "linear") << grid.summary();
    }
}

TEST(Decision, SendsOneMessageAtATimeWhereSeveralGainNothing) {
    for (const int microseconds : {6, 10, 12, 14}) {
        const Decision decision = decide(virtual_tree(2, microseconds), {Call::reduce_scatter, 1 << 16}, {});
        EXPECT_EQ(chosen(decision).receivers_at_once, ReceiversAtOnce::one);
        EXPECT_TRUE(has_other_as_fast(decision, "two_way_ring", 1));
    }
}

TEST(Decision, SendsToAllAtOnceOnlyWhereThatGainsMuch) {
    const Grid grid = virtual_tree(1, 14, 4);
    const Decision decision = decide(grid, {Call::alltoall, 1 << 20}, {.list_references = true});
    EXPECT_EQ(chosen(decision).algorithm->name, "a2at");
    const auto linear = std::ranges::find(decision.candidates, "linear",
                                          [](const Candidate& candidate) { return candidate.algorithm->name; });
    EXPECT_LT(linear->seconds, reference_is_faster * chosen(decision).seconds);
}

TEST(Decision, SendsLongMessagesToOneHostAtATimeThroughSwitches) {
    const Grid grid = virtual_latin_square();
    EXPECT_EQ(chosen(decide(grid, {Call::allreduce, 1 << 16}, {})).text(),
              "halving_doubling, 1 lane, 1 aggregator per host");
    EXPECT_EQ(chosen(decide(grid, {Call::allreduce, 1 << 18}, {})).text(), "grouped_ring, 1 lane");
}

TEST(Decision, PredictsMoreTimeForMoreData) {
    const Grid grid = full_grid({4, 3}, 2);
    for (const Algorithm& algorithm : catalogue()) {
        for (int collective = 0; collective < collective_count; ++collective) {
            const Problem problem{static_cast<Collective>(collective), algorithm.uses_aggregators ? 2 : 1};
            if (!algorithm.serves(problem.collective) || !algorithm.refusal(grid, problem).empty()) continue;
            for (int c = 1; c < 40; ++c) {
                EXPECT_LT(algorithm.seconds(grid, problem, representative_bytes(c)),
                          algorithm.seconds(grid, problem, representative_bytes(c + 1)))
                    << algorithm.name << " " << collective_name(problem.collective) << ", size class " << c;
            }
        }
    }
}

TEST(Decision, KeepsToWhatTheUserFixed) {
    const Grid grid = full_grid({4, 4}, 4);
    Preferences preferences;
    preferences.algorithm = find_algorithm("halving_doubling");
    preferences.aggregators = 2;
    preferences.lanes = 3;
    const Decision decision = decide(grid, {Call::allreduce, 8, true}, preferences);
    ASSERT_EQ(decision.candidates.size(), 1u);
    EXPECT_EQ(chosen(decision).text(), "halving_doubling, 3 lanes, 2 aggregators per host");
}

TEST(Decision, NeverUsesMoreLanesThanThereMayBe) {
    Preferences preferences;
    preferences.algorithm = find_algorithm("halving_doubling");
    preferences.lanes = most_lanes + 1;
    EXPECT_EQ(chosen(decide(full_grid({4, 4, 4}), {Call::allgather, 64e6, true}, preferences)).problem.lanes,
              most_lanes);
}

TEST(Decision, TakesMoreLanesThanUsualWhereTheyAreClearlyFaster) {
    const Grid grid = grid_of("TorusName=t Dims=4x4x4 Wrap=yyy Nodes=n[00-63] Bandwidth=12.5GB/s Latency=0.5us\n", 4);
    EXPECT_EQ(chosen(decide(grid, {Call::bcast, 1 << 26, true}, {})).problem.lanes, 12);
    for (const Candidate& candidate : decide(grid, {Call::bcast, 1 << 25, true}, {}).candidates) {
        EXPECT_LE(candidate.problem.lanes, 8) << "for a shorter vector";
    }
    Candidate usual, more;
    usual.problem.lanes = usual_lanes;
    more.problem.lanes = usual_lanes + 1;
    usual.seconds = 1;
    more.seconds = more_lanes_worth_it;
    EXPECT_EQ(counted_seconds(usual), counted_seconds(more));
}

TEST(Decision, SendsLatencyBoundVectorsInAsFewMessagesAsCanBe) {
    const Fabric slow{test::equal_torus({4, 4}).hosts,
                      Torus("slow", {{4, true, 3e6, 50e-6}, {4, true, 3e6, 50e-6}}, Tie::parity),
                      {}};
    const Grid grid = Grid::from_torus(slow, test::ranks_on_all(slow)).value();
    for (int collective = 0; collective < collective_count; ++collective) {
        for (const Candidate& candidate : decide(grid, {static_cast<Call>(collective), 4096, true}, {}).candidates) {
            EXPECT_EQ(candidate.problem.lanes * candidate.problem.segments, 1) << candidate.text();
            EXPECT_TRUE(candidate.algorithm->name != "bfb" || !candidate.refusal.empty());
        }
    }
    EXPECT_GT(chosen(decide(grid, {Call::bcast, 8192, true}, {})).problem.lanes, 1);
    Preferences preferences;
    preferences.segments = 8;
    preferences.algorithm = find_algorithm("pipelined_chain");
    EXPECT_EQ(chosen(decide(grid, {Call::bcast, 4096, true}, preferences)).problem.segments, 8);
}

TEST(Decision, LeavesCallsWithinAHostToThePreviousModule) {
    Grid grid = Grid::from_torus(test::equal_torus({4}), test::ranks_on({2}, 4)).value();
    grid.set_cartesian(cartesian_along_axes(grid));
    for (int collective = 0; collective < collective_count; ++collective) {
        const Request request{static_cast<Call>(collective), 4096, true};
        const Decision decision = decide(grid, request, {});
        EXPECT_EQ(decision.chosen, -1) << collective_name(request.collective());
        EXPECT_NE(decision.candidates.front().refusal.find("all ranks are on one host"), std::string::npos);
        Preferences preferences;
        preferences.never_defer = true;
        EXPECT_GE(decide(grid, request, preferences).chosen, 0) << collective_name(request.collective());
    }
    Preferences through_memory;
    through_memory.host_memory = true;
    for (const Call call : {Call::allreduce, Call::reduce_scatter, Call::allgather, Call::alltoall}) {
        EXPECT_GE(decide(grid, {call, 8, true}, through_memory).chosen, 0);
    }
    EXPECT_GE(decide(grid, request_for(Call::barrier, 4), through_memory).chosen, 0);
    for (const Call call : {Call::bcast, Call::reduce}) {
        EXPECT_EQ(decide(grid, {call, 511, true}, through_memory).chosen, -1);
        EXPECT_GE(decide(grid, {call, 512, true}, through_memory).chosen, 0);
    }
    EXPECT_EQ(decide(grid, request_for(Call::barrier, 4), {}).chosen, -1);
    EXPECT_EQ(decide(grid, {Call::allreduce, 64e6, true}, {}).chosen, -1);
    EXPECT_GE(decide(grid, {Call::reduce_scatter, 64e6, true}, {}).chosen, 0);
    EXPECT_GE(decide(full_grid({2}, 4), {Call::allreduce, 8, true}, {}).chosen, 0);

    Preferences preferences;
    preferences.fixed_order = true;
    EXPECT_GE(decide(grid, {Call::allreduce, 8, true}, preferences).chosen, 0);
    preferences = {};
    preferences.algorithm = find_algorithm("recursive_doubling");
    EXPECT_GE(decide(grid, {Call::allreduce, 8, true}, preferences).chosen, 0);
}

TEST(Decision, LeavesOperationsItCannotOrderToThePreviousModule) {
    const Fabric fabric = test::equal_torus({4});
    const Grid turned = Grid::from_torus(fabric, test::ranks_on({0, 1, 2, 3, 0, 1, 2, 3})).value();
    const Request request{Call::allreduce, 1024, false};
    const Decision decision = decide(turned, request, {});
    EXPECT_EQ(decision.chosen, -1);
    EXPECT_EQ(decision.candidates.front().standing, Standing::does_not_apply);
    EXPECT_GE(decide(full_grid({4}, 2), request, {}).chosen, 0) << "ranks in grid order can be combined in order";
}

TEST(Decision, TakesMoreSegmentsOnlyWhereTheyAreClearlyFaster) {
    const Grid grid = full_grid({4, 4});
    Preferences preferences;
    preferences.algorithm = find_algorithm("pipelined_chain");
    int many = 0;
    for (const double bytes : {1.0, 3.0, 8192.0, 1e6, 2e6, 3e6, 5e6, 8e6, 12e6, 16e6, 24e6, 32e6, 48e6, 64e6, 4e9}) {
        const Request request{Call::bcast, bytes, true, 5};
        const Decision decision = decide(grid, request, preferences);
        ASSERT_EQ(decision.candidates.size(), 1u);
        const Problem best = chosen(decision).problem;
        EXPECT_EQ(best.root, 5);
        EXPECT_LE(best.segments, std::min(bytes, 1024.0));
        // Numbers of segments are compared by formulas.
        const double seconds = preferences.algorithm->seconds(grid, best, bytes);
        for (Problem other = best; other.segments <= std::min(bytes, 1024.0); other.segments *= 2) {
            EXPECT_LE(0.99 * seconds, preferences.algorithm->seconds(grid, other, bytes)) << bytes;
        }
        for (Problem other = best; other.segments >= 1; other.segments /= 2) {
            EXPECT_LE(seconds, preferences.algorithm->seconds(grid, other, bytes));
        }
        many += best.segments > 1 ? 1 : 0;
    }
    EXPECT_GE(many, 2) << "long vectors are cut";
    preferences.segments = 48;
    const Decision fixed = decide(grid, {Call::bcast, 1e6, true, 5}, preferences);
    EXPECT_EQ(chosen(fixed).text(), "pipelined_chain, 48 segments");
    preferences.segments = 2'000'000'000;
    EXPECT_LE(chosen(decide(grid, {Call::bcast, 1e6, true, 5}, preferences)).problem.segments, 65536);
}

TEST(Decision, HasNoCandidatesWhereNoAlgorithmServesTheRequest) {
    const Request request{Call::alltoall, 1 << 20, true};
    Preferences preferences;
    preferences.algorithm = find_algorithm("recursive_doubling");
    const Decision decision = decide(full_grid({4}), request, preferences);
    EXPECT_EQ(decision.chosen, -1);
    EXPECT_TRUE(decision.candidates.empty());
}

TEST(Decision, CombinesShortPiecesOfAnAlltoallTheMoreTheShorterTheyAre) {
    const auto chosen_for = [](const Grid& grid, int piece) {
        return chosen(decide(grid, {Call::alltoall, static_cast<double>(piece) * grid.ranks(), true}, {}));
    };
    const Grid grid = full_grid({8, 8});
    EXPECT_EQ(chosen_for(grid, 1).algorithm->name, "dimension_bruck");
    EXPECT_EQ(chosen_for(grid, 64).algorithm->name, "dimension_exchange");
    EXPECT_EQ(chosen_for(grid, 64).problem.lanes, 1) << "further lanes are further messages";
    EXPECT_EQ(chosen_for(grid, 512).algorithm->name, "dimension_exchange");
    EXPECT_EQ(chosen_for(grid, 512).problem.lanes, 2) << "which longer pieces are worth";
    const Grid four_per_host = full_grid({8, 8}, 4);
    EXPECT_EQ(chosen_for(four_per_host, 64).problem.aggregators, 4) << "all ranks of a host send";
}

TEST(Decision, TakesTheFirstListedOfEquallyFastAlgorithmsAtEverySize) {
    // halving_doubling and swing predict the same but for rounding, which differs from size to size.
    // Ranks run backwards, so that pieces have to be copied anyway.
    const Fabric torus = test::equal_torus({4, 4});
    Placement backwards = test::ranks_on_all(torus);
    std::ranges::reverse(backwards);
    const Grid grid = Grid::from_torus(torus, backwards).value();
    for (double bytes = 1; bytes <= 1024; bytes *= 2) {  // then a reference is faster
        const Decision decision = decide(grid, {Call::reduce_scatter, bytes, true}, {});
        EXPECT_EQ(chosen(decision).algorithm->name, "halving_doubling") << bytes;
    }
    EXPECT_TRUE(equally_fast(1, 1 + 1e-15));
    EXPECT_FALSE(equally_fast(1, 1 + 1e-6));
}

}  // namespace
}  // namespace coll_topo
