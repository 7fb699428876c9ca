// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/engine.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

std::string source_file(const std::string& path) {
    const char* source = std::getenv("srcdir");
    return (source == nullptr ? "." : std::string(source)) + "/" + path;
}

using Topology = std::unique_ptr<coll_topo_topology, void (*)(coll_topo_topology*)>;
using Communicator = std::unique_ptr<coll_topo_communicator, void (*)(coll_topo_communicator*)>;

Topology sample(const std::string& name) {
    coll_topo_topology* topology = nullptr;
    std::array<char, 512> message{};
    EXPECT_EQ(coll_topo_topology_load(source_file("share/topologies/" + name).c_str(), &topology, message.data(),
                                      message.size()),
              COLL_TOPO_OK)
        << message.data();
    return {topology, coll_topo_topology_free};
}

coll_topo_settings settings() {
    coll_topo_settings all{};
    for (int& algorithm : all.algorithm) algorithm = -1;
    all.max_lanes = 8;
    return all;
}

/// One rank on each host, or all on host 0.
Communicator communicator(const Topology& topology, int ranks, const coll_topo_settings& chosen = settings(),
                          bool within_host = false) {
    std::vector<coll_topo_location> locations;
    for (int rank = 0; rank < ranks; ++rank)
        locations.push_back(
            {within_host ? 0 : rank, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND});
    coll_topo_communicator* made = nullptr;
    std::array<char, 512> message{};
    coll_topo_communicator_create(topology.get(), locations.data(), ranks, 0, &chosen, &made, message.data(),
                                  message.size());
    return {made, coll_topo_communicator_free};
}

/// Settings under which this algorithm serves a collective.
coll_topo_settings settings_with(const std::string& algorithm, int collective) {
    coll_topo_settings all = settings();
    for (int row = 0; row < coll_topo_algorithms(); ++row) {
        if (coll_topo_algorithm_name(row) == algorithm) all.algorithm[collective] = row;
    }
    EXPECT_GE(all.algorithm[collective], 0) << algorithm;
    return all;
}

coll_topo_plan* choose(const Communicator& communicator, int collective, int root, bool commutative = true) {
    coll_topo_plan* plan = nullptr;
    const char* explanation = nullptr;
    EXPECT_EQ(coll_topo_choose(communicator.get(), collective, 4096, root, commutative ? 1 : 0, &explanation, &plan),
              COLL_TOPO_OK);
    return plan;
}

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

TEST(Engine, ServesTreesWhoseBandwidthsAreNotKnownToo) {
    const Topology tree = sample("tree-4x16.conf");
    const Communicator on_tree = communicator(tree, 32);
    ASSERT_NE(on_tree, nullptr);
    EXPECT_STREQ(coll_topo_communicator_summary(on_tree.get()), "16x2 hosts, 1 rank each");
    EXPECT_NE(choose(on_tree, COLL_TOPO_ALLREDUCE, 0), nullptr);
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
        return coll_topo_least_bytes(communicator(topology, 4, chosen, within_host).get(), collective);
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

TEST(Engine, PlacesForTrial) {
    const Topology topology = sample("torus-4x4.conf");
    std::array<char, 256> message{};
    EXPECT_EQ(coll_topo_place_rank(topology.get(), "rank", 2, 32, 31, message.data(), message.size()), 15);
    EXPECT_EQ(coll_topo_place_rank(topology.get(), "rank", 1, 17, 0, message.data(), message.size()), -1);
    EXPECT_NE(std::string(message.data()).find("17 ranks"), std::string::npos) << message.data();
}

/// A file of rules that is removed again.
class RulesInForce {
public:
    explicit RulesInForce(const std::string& text) {
        const std::string path = testing::TempDir() + "engine_test_rules.conf";
        std::ofstream(path) << text;
        std::array<char, 512> message{};
        EXPECT_EQ(coll_topo_rules_load(path.c_str(), &rules_, message.data(), message.size()), COLL_TOPO_OK)
            << message.data();
        std::remove(path.c_str());
    }
    RulesInForce(const RulesInForce&) = delete;
    RulesInForce& operator=(const RulesInForce&) = delete;
    ~RulesInForce() { coll_topo_rules_free(rules_); }

    const coll_topo_rules* get() const { return rules_; }
    coll_topo_settings settings_with() const {
        coll_topo_settings all = settings();
        all.rules = rules_;
        return all;
    }

private:
    coll_topo_rules* rules_ = nullptr;
};

/// What is said about a choice; empty if it was said before.
std::string explanation_of(const Communicator& communicator, int collective, std::size_t bytes,
                           bool* has_plan = nullptr) {
    coll_topo_plan* plan = nullptr;
    const char* explanation = nullptr;
    EXPECT_EQ(coll_topo_choose(communicator.get(), collective, bytes, 0, 1, &explanation, &plan), COLL_TOPO_OK);
    if (has_plan != nullptr) *has_plan = plan != nullptr;
    return explanation == nullptr ? "" : explanation;
}

TEST(Engine, ObeysRulesWithinASizeClass) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules(
        "Rule Collective=allreduce Bytes=-600 Shape=5x5 Algorithm=previous\n"
        "Rule Collective=allreduce Bytes=-600 Shape=4x4 Algorithm=ring\n"
        "Rule Collective=allreduce Bytes=700- Algorithm=rabenseifner\n"
        "Rule Collective=bcast Algorithm=previous\n"
        "Rule Collective=barrier Algorithm=ring\n");
    const Communicator made = communicator(topology, 16, rules.settings_with());
    // 512 to 1023 bytes are a class: three ranges with choices of their own, each told once.
    EXPECT_EQ(explanation_of(made, COLL_TOPO_ALLREDUCE, 600).find("allreduce from 512 B: ring, "), 0u);
    EXPECT_EQ(explanation_of(made, COLL_TOPO_ALLREDUCE, 512), "");
    const std::string between = explanation_of(made, COLL_TOPO_ALLREDUCE, 601);
    EXPECT_EQ(between.find("by rule"), std::string::npos) << between;
    EXPECT_EQ(explanation_of(made, COLL_TOPO_ALLREDUCE, 699), "");
    EXPECT_EQ(explanation_of(made, COLL_TOPO_ALLREDUCE, 700).find("allreduce from 512 B: rabenseifner, "), 0u);
    EXPECT_EQ(explanation_of(made, COLL_TOPO_ALLREDUCE, 1023), "");
    bool has_plan = true;
    EXPECT_NE(explanation_of(made, COLL_TOPO_BCAST, 64, &has_plan).find("left to the previous module, by rule "),
              std::string::npos);
    EXPECT_FALSE(has_plan);
    EXPECT_NE(explanation_of(made, COLL_TOPO_ALLTOALLV, 0), "");
    EXPECT_EQ(explanation_of(made, COLL_TOPO_BARRIER, 0).find("barrier: ring, "), 0u);
}

TEST(Engine, RulesDoNotLeaveToThePreviousModuleWhatMustBeReproducible) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules(
        "Rule Collective=allreduce Algorithm=previous\n"
        "Rule Collective=bcast Algorithm=previous\n");
    coll_topo_settings all = rules.settings_with();
    EXPECT_EQ(choose(communicator(topology, 16, all), COLL_TOPO_ALLREDUCE, 0), nullptr);
    all.reproducible = COLL_TOPO_EXACT;
    EXPECT_NE(choose(communicator(topology, 16, all), COLL_TOPO_ALLREDUCE, 0), nullptr);
    EXPECT_EQ(choose(communicator(topology, 16, all), COLL_TOPO_BCAST, 0), nullptr) << "it only moves data";
}

TEST(Engine, RulesMayNameAnAlgorithmWithinAHost) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules("Rule Collective=allreduce Bytes=1MiB- Hosts=1 Algorithm=ring\n");
    const std::vector<coll_topo_location> locations(4);
    coll_topo_communicator* made = nullptr;
    const coll_topo_settings all = rules.settings_with();
    ASSERT_EQ(coll_topo_communicator_create(topology.get(), locations.data(), 4, 0, &all, &made, nullptr, 0),
              COLL_TOPO_OK);
    const Communicator within(made, coll_topo_communicator_free);
    EXPECT_EQ(coll_topo_least_bytes(within.get(), COLL_TOPO_ALLREDUCE), 0u);
    EXPECT_EQ(coll_topo_least_bytes(within.get(), COLL_TOPO_BCAST), SIZE_MAX);
    bool has_plan = false;
    EXPECT_NE(explanation_of(within, COLL_TOPO_ALLREDUCE, 1 << 20, &has_plan).find("ring"), std::string::npos);
    EXPECT_TRUE(has_plan);
    EXPECT_NE(explanation_of(within, COLL_TOPO_ALLREDUCE, 8, &has_plan), "");
    EXPECT_FALSE(has_plan);
}

TEST(Engine, AnAlgorithmThatTheUserNamedGoesBeforeRules) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules("Rule Collective=allreduce Algorithm=previous\n");
    coll_topo_settings all = settings_with("ring", COLL_TOPO_ALLREDUCE);
    all.rules = rules.get();
    EXPECT_NE(choose(communicator(topology, 16, all), COLL_TOPO_ALLREDUCE, 0), nullptr);
}

TEST(Engine, SaysWhereRulesAreWrongAndComparesTheirMeaning) {
    const RulesInForce first("Rule Collective=bcast Algorithm=auto\n");
    const RulesInForce same("# the same\nRule Algorithm=AUTO Collective=bcast\n");
    const RulesInForce other("Rule Collective=bcast Algorithm=previous\n");
    EXPECT_EQ(coll_topo_rules_digest(first.get()), coll_topo_rules_digest(same.get()));
    EXPECT_NE(coll_topo_rules_digest(first.get()), coll_topo_rules_digest(other.get()));
    EXPECT_EQ(coll_topo_rules_digest(RulesInForce("# none\n").get()), coll_topo_rules_digest(nullptr));
    coll_topo_rules* none = nullptr;
    std::array<char, 512> message{};
    EXPECT_EQ(coll_topo_rules_load("no/such/rules", &none, message.data(), message.size()), COLL_TOPO_FAILED);
    EXPECT_EQ(none, nullptr);
    EXPECT_NE(std::string(message.data()).find("no/such/rules: cannot read the file of rules"), std::string::npos);
}

}  // namespace
