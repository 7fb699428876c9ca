// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/engine.h"
#include "coll_topo/engine/communicator.hpp"
#include "test/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

namespace coll_topo::test {
namespace {

TEST(Engine, LeavesToTunedWhatThatIsPredictedToDoFaster) {
    const Topology topology = sample("tree-4x16.conf");
    coll_topo_settings compared = settings();
    EXPECT_NE(choose(communicator(topology, 64, compared), COLL_TOPO_ALLTOALL, 0), nullptr);
    compared.compared_with_tuned = 1U << COLL_TOPO_ALLREDUCE;
    EXPECT_NE(choose(communicator(topology, 64, compared), COLL_TOPO_ALLTOALL, 0), nullptr);
    compared.compared_with_tuned = 1U << COLL_TOPO_ALLTOALL;
    EXPECT_EQ(choose(communicator(topology, 64, compared), COLL_TOPO_ALLTOALL, 0), nullptr);
}

TEST(Engine, SaysWhereAFileIsWrong) {
    coll_topo_topology* topology = nullptr;
    std::array<char, 512> message{};
    EXPECT_EQ(coll_topo_topology_load("no/such/file", &topology, message.data(), message.size()), COLL_TOPO_FAILED);
    EXPECT_EQ(topology, nullptr);
    EXPECT_NE(std::string(message.data()).find("no/such/file"), std::string::npos) << message.data();
    // A message that does not fit is cut, never written beyond its end.
    message.fill('#');
    coll_topo_topology_load("no/such/file", &topology, message.data(), 8);
    EXPECT_EQ(message[7], '\0');
    EXPECT_EQ(message[8], '#');
}

TEST(Engine, FindsHostsByNameWithAndWithoutDomainAndByCoordinates) {
    const Topology topology = sample("torus-4x4.conf");
    EXPECT_EQ(coll_topo_topology_host_at(topology.get(), "3,1"), 7);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n07"), 7);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n07.cluster.example"), 7);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "elsewhere"), -1);
    for (const char* wrong : {"", "3", "3,1,0", "4,0", "-1,0", "a,b", "3,", "3;1"}) {
        EXPECT_EQ(coll_topo_topology_host_at(topology.get(), wrong), -1) << wrong;
    }
}

TEST(Engine, FindsHostsByTheirFullNamesWhereTheFileHasThose) {
    const std::string path = testing::TempDir() + "engine_test_names.conf";
    std::ofstream(path) << "SwitchName=leaf Nodes=n0.east,n0.west\n";
    coll_topo_topology* loaded = nullptr;
    std::array<char, 512> message{};
    ASSERT_EQ(coll_topo_topology_load(path.c_str(), &loaded, message.data(), message.size()), COLL_TOPO_OK)
        << message.data();
    const Topology topology(loaded, coll_topo_topology_free);
    std::remove(path.c_str());
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n0.east"), 0);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n0.west"), 1);
    EXPECT_EQ(coll_topo_topology_find_host(topology.get(), "n0"), -1);
}

TEST(Engine, ServesTreesWhoseBandwidthsAreNotKnownToo) {
    const Topology tree = sample("tree-4x16.conf");
    const Communicator on_tree = communicator(tree, 32);
    ASSERT_NE(on_tree, nullptr);
    EXPECT_STREQ(coll_topo_communicator_summary(on_tree.get()), "16x2 hosts, 1 rank each");
    EXPECT_NE(choose(on_tree, COLL_TOPO_ALLREDUCE, 0), nullptr);
}

/// All that is chosen on a network, and the digest of the file, where the caller rounds in this way.
std::string choices(const std::string& file, int ranks, int rounding) {
    std::fesetround(rounding);
    const Topology topology = sample(file);
    const Communicator made = communicator(topology, ranks);
    std::string all = std::to_string(coll_topo_topology_digest(topology.get())) + '\n';
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        const char* explanation = nullptr;
        all += std::to_string(coll_topo_least_bytes(made.get(), collective, &explanation)) + '\n';
        for (std::size_t bytes = 8; bytes < std::size_t{1} << 26; bytes *= 2) {
            coll_topo_plan* plan = nullptr;
            coll_topo_choose(made.get(), collective, bytes, 0, 1, &explanation, &plan);
            all += explanation != nullptr ? explanation + std::string("\n") : "";
        }
    }
    EXPECT_EQ(std::fegetround(), rounding);
    std::fesetround(FE_TONEAREST);
    return all;
}

TEST(Engine, ChoosesTheSameHoweverTheCallerRounds) {
    for (const auto& [file, ranks] : {std::pair("torus-4x4x4.conf", 64), std::pair("latin-square-3.conf", 9)}) {
        const std::string nearest = choices(file, ranks, FE_TONEAREST);
        for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
            EXPECT_EQ(choices(file, ranks, rounding), nearest) << file;
        }
    }
}

TEST(Engine, DigestsDifferForDifferentTopologies) {
    EXPECT_EQ(coll_topo_topology_digest(sample("torus-4x4.conf").get()),
              coll_topo_topology_digest(sample("torus-4x4.conf").get()));
    EXPECT_NE(coll_topo_topology_digest(sample("torus-4x4.conf").get()),
              coll_topo_topology_digest(sample("torus-3x3x3.conf").get()));
}

TEST(Engine, RefusesRanksOnUnknownHosts) {
    EXPECT_EQ(communicator(sample("torus-4x4.conf"), 17), nullptr);
}

TEST(Engine, ExplainsAChoiceOnceAndKeepsThePlan) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16);
    EXPECT_STREQ(coll_topo_communicator_summary(on_torus.get()), "4x4 hosts, 1 rank each");
    coll_topo_plan *first = nullptr, *second = nullptr;
    const char* explanation = nullptr;
    ASSERT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_ALLREDUCE, 1000, 0, 1, &explanation, &first), COLL_TOPO_OK);
    ASSERT_NE(explanation, nullptr);
    EXPECT_EQ(std::string(explanation).find("allreduce from 512 B: "), 0u) << explanation;
    ASSERT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_ALLREDUCE, 600, 0, 1, &explanation, &second), COLL_TOPO_OK);
    EXPECT_EQ(explanation, nullptr);
    EXPECT_EQ(first, second);
    EXPECT_NE(first, nullptr);
}

TEST(Engine, ExplainsAClassOnceWhateverTheRoot) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16, settings_with("binomial", COLL_TOPO_BCAST));
    int explained = 0;
    for (const int root : {3, 3, 0, 15}) {
        coll_topo_plan* plan = nullptr;
        const char* explanation = nullptr;
        ASSERT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_BCAST, 100, root, 1, &explanation, &plan), COLL_TOPO_OK);
        EXPECT_NE(plan, nullptr);
        explained += explanation == nullptr ? 0 : 1;
    }
    EXPECT_EQ(explained, 1);
}

TEST(Engine, KeepsThePlansOfTheRootsUsedLast) {
    const Topology topology = sample("torus-4x4x4.conf");
    const Communicator on_torus = communicator(topology, 64, settings_with("linear", COLL_TOPO_REDUCE));
    coll_topo_plan* const often = choose(on_torus, COLL_TOPO_REDUCE, 5);
    ASSERT_NE(often, nullptr);
    for (int root = 0; root < 64; ++root) {
        coll_topo_plan* const other = choose(on_torus, COLL_TOPO_REDUCE, root);
        ASSERT_NE(other, nullptr);
        EXPECT_EQ(other == often, root == 5);
        EXPECT_EQ(choose(on_torus, COLL_TOPO_REDUCE, root), other);
        EXPECT_EQ(choose(on_torus, COLL_TOPO_REDUCE, 5), often) << "after root " << root;
    }
}

TEST(Engine, APlanThatIsForgottenIsMadeAnewForTheSameCall) {
    const Topology topology = sample("torus-4x4x4.conf");
    const Communicator on_torus = communicator(topology, 64);
    choose(on_torus, COLL_TOPO_REDUCE, 5);
    for (int root = 0; root < 64; ++root) choose(on_torus, COLL_TOPO_BCAST, root);
    const coll_topo_plan* const again = choose(on_torus, COLL_TOPO_REDUCE, 5);
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->problem.collective, Collective::reduce);
    EXPECT_EQ(again->problem.root, 5);
}

TEST(Engine, ARepeatedCallIsDistinguishedFromOthers) {
    const Topology topology = sample("torus-4x4x4.conf");
    const Communicator on_torus = communicator(topology, 64);
    const auto plan_for = [&](std::size_t bytes, int commutative) {
        coll_topo_plan* plan = nullptr;
        const char* explanation = nullptr;
        EXPECT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_ALLREDUCE, bytes, 0, commutative, &explanation, &plan),
                  COLL_TOPO_OK);
        return plan;
    };
    coll_topo_plan *const few = plan_for(8, 1), *const many = plan_for(1 << 26, 1);
    EXPECT_NE(few, many);
    EXPECT_EQ(plan_for(8, 1), few);
    EXPECT_EQ(plan_for(8, 1), few);
    EXPECT_EQ(plan_for(1 << 26, 1), many);
    EXPECT_NE(plan_for(1 << 26, 0), many) << "the order of operands counts";
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

TEST(Engine, KnowsWhichRanksKeepTheirOutput) {
    const Topology topology = sample("torus-4x4.conf");
    // Seen by rank 0.
    const Communicator reduce = communicator(topology, 16, settings_with("linear", COLL_TOPO_REDUCE));
    EXPECT_FALSE(coll_topo_plan_keeps_output(choose(reduce, COLL_TOPO_REDUCE, 0)));
    EXPECT_TRUE(coll_topo_plan_keeps_output(choose(reduce, COLL_TOPO_REDUCE, 1)));
    const Communicator bcast = communicator(topology, 16, settings_with("linear", COLL_TOPO_BCAST));
    EXPECT_TRUE(coll_topo_plan_keeps_output(choose(bcast, COLL_TOPO_BCAST, 0)));
    EXPECT_FALSE(coll_topo_plan_keeps_output(choose(bcast, COLL_TOPO_BCAST, 1)));
    EXPECT_FALSE(coll_topo_plan_keeps_output(choose(bcast, COLL_TOPO_ALLREDUCE, 0)));
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

TEST(Engine, SaysWhatItLeavesToThePreviousModuleWithinAHost) {
    const Topology topology = sample("torus-4x4.conf");
    const auto least = [&](const coll_topo_settings& chosen, int collective, bool within_host = true) {
        const char* explanation = nullptr;
        const Communicator made = communicator(topology, 4, chosen, within_host);
        const std::size_t bytes = coll_topo_least_bytes(made.get(), collective, &explanation);
        EXPECT_EQ(explanation != nullptr, bytes > 0);
        return bytes;
    };
    EXPECT_EQ(least(settings(), COLL_TOPO_ALLREDUCE), SIZE_MAX);
    EXPECT_EQ(least(settings(), COLL_TOPO_ALLTOALLW), SIZE_MAX);
    EXPECT_EQ(least(settings(), COLL_TOPO_REDUCE_SCATTER), 128U * 1024);
    EXPECT_EQ(least(settings(), COLL_TOPO_ALLREDUCE, false), 0U);
    EXPECT_EQ(least(settings_with("ring", COLL_TOPO_ALLREDUCE), COLL_TOPO_ALLREDUCE), 0U);
    EXPECT_EQ(least(settings_with("ring", COLL_TOPO_ALLREDUCE), COLL_TOPO_REDUCE), SIZE_MAX);
    coll_topo_settings exact = settings();
    exact.reproducible = COLL_TOPO_EXACT;
    EXPECT_EQ(least(exact, COLL_TOPO_REDUCE), 0U);
    EXPECT_EQ(least(exact, COLL_TOPO_BCAST), SIZE_MAX);

    EXPECT_EQ(choose(communicator(topology, 4, settings(), true), COLL_TOPO_ALLREDUCE, 0), nullptr);
    EXPECT_NE(choose(communicator(topology, 4, exact, true), COLL_TOPO_ALLREDUCE, 0), nullptr);
}

TEST(Engine, ServesBarriersByPlansOfAllreduce) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator forced = communicator(topology, 16, settings_with("swing_whole", COLL_TOPO_BARRIER));
    coll_topo_plan* const plan = choose(forced, COLL_TOPO_BARRIER, 0);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(choose(forced, COLL_TOPO_BARRIER, 0), plan);
    EXPECT_EQ(choose(communicator(topology, 16), COLL_TOPO_BARRIER, 0), nullptr) << "which others do as well";
}

TEST(Engine, KeepsTemporaryMemory) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16);
    void* const memory = coll_topo_temporary(on_torus.get(), 5000);
    ASSERT_NE(memory, nullptr);
    std::memset(memory, 1, 5000);
    EXPECT_EQ(coll_topo_temporary(on_torus.get(), 100), memory) << "what is there is used again";
    for (const std::size_t too_much : {std::size_t{1} << 62, ~std::size_t{0}}) {
        EXPECT_EQ(coll_topo_temporary(on_torus.get(), too_much), nullptr);
    }
    EXPECT_NE(coll_topo_temporary(on_torus.get(), 0), nullptr);
}

TEST(Engine, ListsTheCatalogue) {
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        int serving = 0;
        for (int row = 0; row < coll_topo_algorithms(); ++row) serving += coll_topo_algorithm_serves(row, collective);
        EXPECT_GT(serving, 0) << coll_topo_collective_name(collective);
    }
    EXPECT_STREQ(coll_topo_collective_name(COLL_TOPO_REDUCE_SCATTER_BLOCK), "reduce_scatter_block");
    EXPECT_STREQ(coll_topo_collective_name(COLL_TOPO_ALLTOALLW), "alltoallw");
}

TEST(Engine, DigestsTellSequencesApart) {
    const auto texts = [](const char* first, const char* second) {
        return coll_topo_digest_text(coll_topo_digest_text(1, first), second);
    };
    EXPECT_NE(texts("ab", "c"), texts("a", "bc"));
    EXPECT_EQ(texts("", "c"), texts(nullptr, "c"));
    EXPECT_NE(coll_topo_digest_number(1, 2), coll_topo_digest_number(1, 3));
    EXPECT_NE(coll_topo_digest_number(1, 2), coll_topo_digest_number(2, 2));
}

TEST(Engine, PlacesForTrial) {
    const Topology topology = sample("torus-4x4.conf");
    std::array<char, 256> message{};
    EXPECT_EQ(coll_topo_place_rank(topology.get(), "rank", 2, 32, 31, message.data(), message.size()), 15);
    EXPECT_EQ(coll_topo_place_rank(topology.get(), "rank", 1, 17, 0, message.data(), message.size()), -1);
    EXPECT_NE(std::string(message.data()).find("17 ranks"), std::string::npos) << message.data();
}

}  // namespace
}  // namespace coll_topo::test
