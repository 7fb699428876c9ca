// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/known_decisions.hpp"

#include "coll_topo/engine/communicator.hpp"
#include "coll_topo/engine/topology.hpp"
#include "test/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

DecisionBasis basis(const std::vector<int>& hosts, const coll_topo_settings& chosen = settings()) {
    Placement placement;
    for (const int host : hosts) placement.push_back({host});
    return {placement, chosen};
}

TEST(KnownDecisions, AreThoseOfTheSameQuestion) {
    KnownDecisions known;
    const KnownDecisions::Question question{Call::allreduce, 0, 10, true, false};
    known.add(question, {find_algorithm("swing"), {Collective::allreduce, 1, 4}});
    ASSERT_TRUE(known.find(question));
    EXPECT_EQ(known.find(question)->algorithm, find_algorithm("swing"));
    EXPECT_EQ(known.find(question)->problem.lanes, 4);
    EXPECT_FALSE(known.find({Call::reduce, 0, 10, true, false}));
    EXPECT_FALSE(known.find({Call::allreduce, 1, 10, true, false}));
    EXPECT_FALSE(known.find({Call::allreduce, 0, 11, true, false}));
    EXPECT_FALSE(known.find({Call::allreduce, 0, 10, false, false}));
    EXPECT_FALSE(known.find({Call::allreduce, 0, 10, true, true}));
}

TEST(DecisionCache, IsSharedByThoseThatAreAlike) {
    DecisionCache cache;
    const auto first = cache.of(basis({0, 1, 2}));
    EXPECT_EQ(cache.of(basis({0, 1, 2})), first);
    EXPECT_NE(cache.of(basis({0, 2, 1})), first) << "another order";
    EXPECT_NE(cache.of(basis({0, 1})), first) << "fewer ranks";
    DecisionBasis cartesian = basis({0, 1, 2});
    cartesian.cartesian = {{3, true}};
    EXPECT_NE(cache.of(cartesian), first) << "a Cartesian topology";
    for (int* const setting : {&cartesian.settings.lanes, &cartesian.settings.segments, &cartesian.settings.aggregators,
                               &cartesian.settings.reproducible, &cartesian.settings.host_memory,
                               &cartesian.settings.algorithm[COLL_TOPO_BCAST]}) {
        const DecisionBasis before = cartesian;
        ++*setting;
        EXPECT_FALSE(cartesian == before);
    }
    const coll_topo_settings same = settings();
    const Placement bound = {{0, 1, 2, 3, 4}, {1}};
    for (const Placement& other : {Placement{{0, 0, 2, 3, 4}, {1}}, Placement{{0, 1, 0, 3, 4}, {1}},
                                   Placement{{0, 1, 2, 0, 4}, {1}}, Placement{{0, 1, 2, 3, 0}, {1}}}) {
        EXPECT_NE(cache.of({other, same}), cache.of({bound, same})) << "another part of a host";
    }
    DecisionBasis with_rules = basis({0, 1, 2});
    with_rules.rules_digest = 1;
    EXPECT_NE(cache.of(with_rules), first) << "rules";
}

TEST(DecisionCache, ForgetsThoseNotUsedForLongest) {
    DecisionCache cache;
    const auto kept = cache.of(basis({0})), forgotten = cache.of(basis({1}));
    for (int host = 2; host <= static_cast<int>(DecisionCache::most); ++host) {
        EXPECT_EQ(cache.of(basis({0})), kept);
        cache.of(basis({host}));
    }
    EXPECT_EQ(cache.of(basis({0})), kept);
    EXPECT_NE(cache.of(basis({1})), forgotten);
}

TEST(DecisionCache, SparesACopyOfACommunicatorTheChoice) {
    const Topology topology = sample("torus-4x4.conf");
    const auto decided = [&] { return topology->decisions->of(basis({0, 1, 2, 3}))->size(); };
    const auto chosen_by = [&](const coll_topo_settings& wanted) {
        const Communicator made = communicator(topology, 4, wanted);
        const coll_topo_plan* const plan = choose(made, COLL_TOPO_ALLREDUCE, 0);
        return plan == nullptr ? std::string() : std::string(plan->algorithm->name);
    };
    const std::string name = chosen_by(settings());
    EXPECT_NE(name, "");
    EXPECT_EQ(decided(), 1u);
    EXPECT_EQ(chosen_by(settings()), name);
    EXPECT_EQ(decided(), 1u);
    EXPECT_EQ(chosen_by(settings_with("ring", COLL_TOPO_ALLREDUCE)), "ring") << "other settings";
    EXPECT_EQ(decided(), 1u);
    // What is known is taken: an answer that nobody would give.
    const KnownDecisions::Question question{Call::bcast, 0, size_class(4096), true, false};
    topology->decisions->of(basis({0, 1, 2, 3}))
        ->add(question, {find_algorithm("pipelined_chain"), {Collective::bcast}});
    const Communicator made = communicator(topology, 4);
    EXPECT_EQ(choose(made, COLL_TOPO_BCAST, 2)->algorithm->name, "pipelined_chain");
}

}  // namespace
}  // namespace coll_topo::test
