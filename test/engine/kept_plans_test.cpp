// SPDX-License-Identifier: BSD-3-Clause
//
// Plans and memory that a communicator keeps.
#include "coll_topo/engine/communicator.hpp"
#include "test/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace coll_topo::test {
namespace {

TEST(Engine, ExplainsACollectiveOnceAndKeepsThePlan) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16);
    coll_topo_communicator_explain(on_torus.get(), 1);
    EXPECT_STREQ(coll_topo_communicator_summary(on_torus.get()), "4x4 hosts, 1 rank each");
    coll_topo_plan *first = nullptr, *second = nullptr;
    const char* explanation = nullptr;
    ASSERT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_ALLREDUCE, 1000, 0, 1, &explanation, &first), COLL_TOPO_OK);
    ASSERT_NE(explanation, nullptr);
    EXPECT_EQ(std::string(explanation).find("allreduce, below 2 MiB\n  from "), 0u) << explanation;
    EXPECT_NE(std::string(explanation).find("\n  1 B "), std::string::npos) << explanation;
    EXPECT_EQ(std::string(explanation).find("slower"), std::string::npos) << explanation;
    ASSERT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_ALLREDUCE, 600, 0, 1, &explanation, &second), COLL_TOPO_OK);
    EXPECT_EQ(explanation, nullptr);
    EXPECT_EQ(first, second);
    EXPECT_NE(first, nullptr);
    ASSERT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_ALLREDUCE, 1 << 20, 0, 1, &explanation, &second),
              COLL_TOPO_OK);
    EXPECT_EQ(explanation, nullptr) << "the table had all sizes below 2 MiB";
    ASSERT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_ALLREDUCE, 600, 0, 0, &explanation, &second), COLL_TOPO_OK);
    ASSERT_NE(explanation, nullptr);
    EXPECT_EQ(std::string(explanation).find("allreduce, operation does not commute, below 2 MiB\n"), 0u) << explanation;
}

TEST(Engine, ExplainsEachClassOfLongVectorsWhenItIsCalled) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16);
    coll_topo_communicator_explain(on_torus.get(), 1);
    const auto said_of = [&](std::size_t bytes) {
        const char* explanation = nullptr;
        coll_topo_plan* plan = nullptr;
        coll_topo_choose(on_torus.get(), COLL_TOPO_ALLREDUCE, bytes, 0, 1, &explanation, &plan);
        const std::string text = explanation == nullptr ? "" : explanation;
        return text.substr(0, text.find('\n'));
    };
    constexpr std::size_t mebibyte = std::size_t{1} << 20;
    EXPECT_EQ(said_of(7 * mebibyte), "allreduce, from 4 MiB to 8 MiB");
    EXPECT_EQ(said_of(4 * mebibyte), "");
    EXPECT_EQ(said_of(2 * mebibyte - 1), "allreduce, below 2 MiB");
    EXPECT_EQ(said_of(0), "");
    EXPECT_EQ(said_of(2 * mebibyte), "allreduce, from 2 MiB to 4 MiB");
    EXPECT_EQ(said_of(7 * mebibyte), "");
    EXPECT_EQ(said_of(3 * 1024 * mebibyte), "allreduce, from 2 GiB to 4 GiB");
}

TEST(Engine, ExplainsAsMuchAsItIsAskedTo) {
    const Topology topology = sample("torus-4x4.conf");
    std::string last;
    for (int detail = 0; detail <= 4; ++detail) {
        const Communicator on_torus = communicator(topology, 16);
        coll_topo_communicator_explain(on_torus.get(), detail);
        coll_topo_plan* plan = nullptr;
        const char* explanation = nullptr;
        ASSERT_EQ(coll_topo_choose(on_torus.get(), COLL_TOPO_BCAST, 8, 0, 1, &explanation, &plan), COLL_TOPO_OK);
        const std::string text = explanation == nullptr ? "" : explanation;
        EXPECT_EQ(text.empty(), detail == 0);
        EXPECT_EQ(text.find("Do not apply: ") != std::string::npos, detail >= 3) << text;
        EXPECT_EQ(text.size() > last.size(), detail >= 1 && detail <= 3) << text;
        last = text;
    }
}

TEST(Engine, ExplainsACollectiveOnceWhateverTheRoot) {
    const Topology topology = sample("torus-4x4.conf");
    const Communicator on_torus = communicator(topology, 16, settings_with("binomial", COLL_TOPO_BCAST));
    coll_topo_communicator_explain(on_torus.get(), 1);
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

}  // namespace
}  // namespace coll_topo::test
