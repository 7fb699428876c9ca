// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/one_memory.hpp"

#include "coll_topo/select/choice_text.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/select/decisions.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

using test::chosen;
using test::full_grid;

/// A trial of 16 hosts.
Grid pretended(int processors) {
    Grid grid = full_grid({4, 4});
    grid.set_processors(processors);
    return grid;
}

Preferences in_memory(bool compares = true) {
    Preferences preferences;
    preferences.host_memory = true;
    preferences.compare_with_tuned = compares;
    return preferences;
}

const Request short_bcast{.call = Call::bcast, .bytes = 8};

TEST(OneMemory, RunsAReferenceThatIsClearlyFasterInTurns) {
    const Decision for_network = decide(pretended(0), short_bcast, in_memory(false));
    EXPECT_FALSE(chosen(for_network).algorithm->reference);
    const Decision decision = decide(pretended(2), short_bcast, in_memory());
    EXPECT_TRUE(chosen(decision).algorithm->reference) << chosen(decision).algorithm->name;
    EXPECT_EQ(chosen(decision).standing, Standing::eligible);
    EXPECT_EQ(remark_on(decision, chosen(decision)), "chosen");
    for (const Candidate& candidate : decision.candidates) {
        if (candidate.algorithm != chosen(for_network).algorithm) continue;
        EXPECT_EQ(candidate.refusal, "for the network; here 16 ranks take turns on 2 processors");
        EXPECT_EQ(candidate.standing, Standing::not_worth_it);
    }
}

TEST(OneMemory, StaysWithTheNetworkOtherwise) {
    const auto stays = [](int processors, const Preferences& preferences, const Request& request) {
        const Decision decision = decide(pretended(processors), request, preferences);
        return !chosen(decision).algorithm->reference && chosen(decision).standing == Standing::eligible;
    };
    EXPECT_TRUE(stays(2, in_memory(false), short_bcast)) << "not compared";
    EXPECT_TRUE(stays(0, in_memory(false), short_bcast)) << "processors are not known";
    EXPECT_TRUE(stays(16, in_memory(false), short_bcast)) << "each rank has its own";
    EXPECT_TRUE(stays(2, in_memory(), {.call = Call::alltoall, .bytes = 1024})) << "hardly faster";
    Preferences forced = in_memory();
    forced.algorithm = find_algorithm("logp_tree");
    EXPECT_EQ(chosen(decide(pretended(2), short_bcast, forced)).algorithm->name, "logp_tree");
}

TEST(OneMemory, ServesABarrierThatGoesThroughIt) {
    const Request barrier = request_for(Call::barrier, 16);
    EXPECT_GE(decide(pretended(16), barrier, in_memory()).chosen, 0);
    EXPECT_EQ(decide(pretended(16), barrier, Preferences()).chosen, -1) << "no faster than in rank order";
    EXPECT_EQ(decide(pretended(0), barrier, in_memory()).chosen, -1) << "hosts of their own, for all that is known";
}

}  // namespace
}  // namespace coll_topo
