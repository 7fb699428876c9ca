// SPDX-License-Identifier: BSD-3-Clause
//
// What a communicator chooses, and what it leaves to others.
#include "coll_topo/engine/communicator.hpp"
#include "test/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

TEST(Engine, RefusesRanksOnUnknownHosts) {
    EXPECT_EQ(communicator(sample("torus-4x4.conf"), 17), nullptr);
}

TEST(Engine, ServesTreesWhoseBandwidthsAreNotKnownToo) {
    const Topology tree = sample("tree-4x16.conf");
    const Communicator on_tree = communicator(tree, 32);
    ASSERT_NE(on_tree, nullptr);
    EXPECT_STREQ(coll_topo_communicator_summary(on_tree.get()), "16x2 hosts, 1 rank each");
    EXPECT_NE(choose(on_tree, COLL_TOPO_ALLREDUCE, 0), nullptr);
}

TEST(Engine, LeavesToTunedWhatThatIsPredictedToDoFaster) {
    const Topology topology = sample("tree-4x16.conf");
    std::vector<int> hosts(64, 0);  // most ranks on one host, which gets all pieces of an alltoall first
    std::iota(hosts.begin() + 32, hosts.end(), 1);
    coll_topo_settings compared = settings();
    EXPECT_NE(choose(communicator_on(topology, hosts, compared), COLL_TOPO_ALLTOALL, 0), nullptr);
    compared.compared_with_tuned = 1U << COLL_TOPO_ALLREDUCE;
    EXPECT_NE(choose(communicator_on(topology, hosts, compared), COLL_TOPO_ALLTOALL, 0), nullptr);
    compared.compared_with_tuned = 1U << COLL_TOPO_ALLTOALL;
    EXPECT_EQ(choose(communicator_on(topology, hosts, compared), COLL_TOPO_ALLTOALL, 0), nullptr);
}

TEST(Engine, SaysWhatItLeavesToThePreviousModuleWithinAHost) {
    const Topology topology = sample("torus-4x4.conf");
    const auto least = [&](const coll_topo_settings& chosen, int collective, bool within_host = true) {
        const Communicator made = communicator(topology, 4, chosen, within_host);
        EXPECT_EQ(coll_topo_communicator_left(made.get()), nullptr) << "nothing is to be explained";
        return coll_topo_least_bytes(made.get(), collective);
    };
    EXPECT_EQ(least(settings(), COLL_TOPO_ALLREDUCE), SIZE_MAX);
    EXPECT_EQ(least(settings(), COLL_TOPO_ALLTOALLW), SIZE_MAX);
    EXPECT_EQ(least(settings(), COLL_TOPO_REDUCE_SCATTER), 128U * 1024);
    EXPECT_EQ(least(settings(), COLL_TOPO_ALLREDUCE, false), 0U);
    coll_topo_settings through_memory = settings();
    through_memory.host_memory = 1;
    EXPECT_EQ(least(through_memory, COLL_TOPO_ALLREDUCE), 0U);
    EXPECT_EQ(least(through_memory, COLL_TOPO_BCAST), 512U);
    EXPECT_EQ(least(through_memory, COLL_TOPO_BARRIER), 0U);
    EXPECT_EQ(least(settings_with("ring", COLL_TOPO_ALLREDUCE), COLL_TOPO_ALLREDUCE), 0U);
    EXPECT_EQ(least(settings_with("ring", COLL_TOPO_ALLREDUCE), COLL_TOPO_REDUCE), SIZE_MAX);
    coll_topo_settings exact = settings();
    exact.reproducible = COLL_TOPO_EXACT;
    EXPECT_EQ(least(exact, COLL_TOPO_REDUCE), 0U);
    EXPECT_EQ(least(exact, COLL_TOPO_BCAST), SIZE_MAX);

    const Communicator explained = communicator(topology, 4, settings(), true);
    coll_topo_communicator_explain(explained.get(), 1);
    EXPECT_STREQ(
        coll_topo_communicator_left(explained.get()),
        "left to the previous module:\n"
        "  allreduce, allgather, bcast, reduce, alltoall, gather, scatter, scan, exscan, allgatherv, gatherv,\n"
        "    scatterv, alltoallv, alltoallw, barrier (all ranks are on one host, where other modules are as\n"
        "    fast)\n");

    EXPECT_EQ(choose(communicator(topology, 4, settings(), true), COLL_TOPO_ALLREDUCE, 0), nullptr);
    EXPECT_NE(choose(communicator(topology, 4, exact, true), COLL_TOPO_ALLREDUCE, 0), nullptr);
}

TEST(Engine, ServesNeighboursOfCartesianCommunicatorsAlongTheAxes) {
    const Topology topology = sample("torus-4x4.conf");
    constexpr int square[] = {4, 4}, line[] = {16}, periodic[] = {1, 1};
    const Communicator plain = communicator(topology, 16), along = communicator(topology, 16),
                       across = communicator(topology, 16);
    EXPECT_EQ(coll_topo_communicator_set_cartesian(along.get(), 2, square, periodic), COLL_TOPO_OK);
    EXPECT_EQ(coll_topo_communicator_set_cartesian(across.get(), 1, line, periodic), COLL_TOPO_OK);
    for (const int call : {COLL_TOPO_NEIGHBOR_ALLGATHER, COLL_TOPO_NEIGHBOR_ALLTOALL, COLL_TOPO_NEIGHBOR_ALLGATHERV,
                           COLL_TOPO_NEIGHBOR_ALLTOALLV, COLL_TOPO_NEIGHBOR_ALLTOALLW}) {
        EXPECT_EQ(coll_topo_least_bytes(along.get(), call), 0U);
        coll_topo_plan* const plan = choose(along, call, 0);
        ASSERT_NE(plan, nullptr);
        EXPECT_TRUE(coll_topo_plan_is_direct(plan));
        for (const Communicator* const other : {&plain, &across}) {
            EXPECT_EQ(coll_topo_least_bytes(other->get(), call), SIZE_MAX);
            EXPECT_EQ(choose(*other, call, 0), nullptr);
        }
    }
    coll_topo_communicator_explain(across.get(), 1);
    EXPECT_STREQ(
        coll_topo_communicator_left(across.get()),
        "left to the previous module:\n"
        "  neighbor_allgather, neighbor_alltoall, neighbor_allgatherv, neighbor_alltoallv, neighbor_alltoallw\n"
        "    (neighbours 0 and 15 are 2 cables apart)\n");
    coll_topo_communicator_explain(plain.get(), 1);
    EXPECT_EQ(coll_topo_communicator_left(plain.get()), nullptr) << "there are no such calls";
}

TEST(Engine, LeavesARootThatTurnsTheOrderToThePreviousModule) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16, settings_with("binomial", COLL_TOPO_REDUCE));
    for (const bool commutative : {false, true}) {
        EXPECT_NE(choose(on_torus, COLL_TOPO_REDUCE, 0, commutative), nullptr);
        EXPECT_EQ(choose(on_torus, COLL_TOPO_REDUCE, 7, commutative) != nullptr, commutative);
    }
}

TEST(Engine, ServesPiecesOfAnySizesByOneDirectPlan) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16, settings_with("pairwise", COLL_TOPO_ALLTOALLV));
    coll_topo_plan* const plan = choose(on_torus, COLL_TOPO_ALLTOALLV, 0);
    ASSERT_NE(plan, nullptr);
    EXPECT_TRUE(coll_topo_plan_is_direct(plan));
    EXPECT_EQ(choose(on_torus, COLL_TOPO_ALLTOALLV, 0), plan);
    // Each call has a parameter of its own, and bruck serves no such call.
    EXPECT_NE(choose(on_torus, COLL_TOPO_ALLTOALLW, 0), plan);
    const Communicator by_bruck = communicator(topology, 16, settings_with("bruck", COLL_TOPO_ALLTOALL));
    ASSERT_NE(choose(by_bruck, COLL_TOPO_ALLTOALL, 0), nullptr);
    EXPECT_FALSE(coll_topo_plan_is_direct(choose(by_bruck, COLL_TOPO_ALLTOALL, 0)));
}

TEST(Engine, ServesBarriersByPlansOfAllreduce) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator forced = communicator(topology, 16, settings_with("swing_whole", COLL_TOPO_BARRIER));
    coll_topo_plan* const plan = choose(forced, COLL_TOPO_BARRIER, 0);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(choose(forced, COLL_TOPO_BARRIER, 0), plan);
    EXPECT_EQ(choose(communicator(topology, 16), COLL_TOPO_BARRIER, 0), nullptr) << "which others do as well";
}

TEST(Engine, AFixedOrderIsChosenForItself) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16);
    const auto plan_by = [&](auto* choose_by) {
        coll_topo_plan* plan = nullptr;
        const char* explanation = nullptr;
        EXPECT_EQ(choose_by(on_torus.get(), COLL_TOPO_ALLREDUCE, 1 << 20, 0, 1, &explanation, &plan), COLL_TOPO_OK);
        return plan;
    };
    coll_topo_plan* const in_any_order = plan_by(coll_topo_choose);
    ASSERT_NE(in_any_order, nullptr);
    EXPECT_FALSE(in_any_order->algorithm->fixed_order);
    for (int times = 0; times < 2; ++times) {
        coll_topo_plan* const in_fixed_order = plan_by(coll_topo_choose_fixed_order);
        ASSERT_NE(in_fixed_order, nullptr);
        EXPECT_TRUE(in_fixed_order->algorithm->fixed_order);
        EXPECT_EQ(plan_by(coll_topo_choose), in_any_order);
    }
}

/// All that is chosen on a network, explained in so much detail, and the digest of the file, where the caller rounds in
/// this way.
std::string choices(const std::string& file, int ranks, int detail, int rounding) {
    std::fesetround(rounding);
    const Topology topology = sample(file);
    const Communicator made = communicator(topology, ranks);
    coll_topo_communicator_explain(made.get(), detail);
    std::string all = std::to_string(coll_topo_topology_digest(topology.get())) + '\n';
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        const char* explanation = nullptr;
        all += std::to_string(coll_topo_least_bytes(made.get(), collective)) + '\n';
        for (std::size_t bytes = 8; bytes < std::size_t{1} << 26; bytes *= 16) {
            coll_topo_plan* plan = nullptr;
            coll_topo_choose(made.get(), collective, bytes, 0, 1, &explanation, &plan);
            all += explanation != nullptr ? explanation + std::string("\n") : "";
            all += plan != nullptr ? Candidate{plan->algorithm, plan->problem, 0, ""}.text() + '\n' : "";
        }
    }
    EXPECT_EQ(std::fegetround(), rounding);
    std::fesetround(FE_TONEAREST);
    return all;
}

TEST(Engine, ChoosesTheSameHoweverTheCallerRounds) {
    constexpr int nothing = 0, every_candidate = 3;  // of all sizes, which takes long on many ranks
    for (const auto& [file, ranks, detail] :
         {std::tuple("torus-3x3x3.conf", 27, nothing), std::tuple("latin-square-3.conf", 9, every_candidate)}) {
        const std::string nearest = choices(file, ranks, detail, FE_TONEAREST);
        for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
            EXPECT_EQ(choices(file, ranks, detail, rounding), nearest) << file;
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
