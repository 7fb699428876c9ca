// SPDX-License-Identifier: BSD-3-Clause
//
// Files of rules in the choices of a communicator.
#include "coll_topo/engine/communicator.hpp"
#include "test/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

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

/// The algorithm for so many bytes; empty: the previous module's.
std::string chosen_for(const Communicator& communicator, int collective, std::size_t bytes) {
    coll_topo_plan* plan = nullptr;
    const char* explanation = nullptr;
    EXPECT_EQ(coll_topo_choose(communicator.get(), collective, bytes, 0, 1, &explanation, &plan), COLL_TOPO_OK);
    return plan == nullptr ? "" : std::string(plan->algorithm->name);
}

/// What is said about the choices for a collective.
std::string explanation_of(const Communicator& communicator, int collective) {
    coll_topo_plan* plan = nullptr;
    const char* explanation = nullptr;
    coll_topo_communicator_explain(communicator.get(), 2);
    EXPECT_EQ(coll_topo_choose(communicator.get(), collective, 1, 0, 1, &explanation, &plan), COLL_TOPO_OK);
    return explanation == nullptr ? "" : explanation;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(EngineRules, AreObeyedWithinASizeClass) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules(
        "Rule Collective=allreduce Bytes=-600 Shape=5x5 Algorithm=previous\n"
        "Rule Collective=allreduce Bytes=-600 Shape=4x4 Algorithm=ring\n"
        "Rule Collective=allreduce Bytes=700- Algorithm=rabenseifner\n"
        "Rule Collective=bcast Algorithm=previous\n"
        "Rule Collective=barrier Algorithm=ring\n");
    const Communicator made = communicator(topology, 16, rules.settings_with());
    // 512 to 1023 bytes are a class: three ranges with choices of their own.
    for (const int bytes : {1, 512, 600}) EXPECT_EQ(chosen_for(made, COLL_TOPO_ALLREDUCE, bytes), "ring") << bytes;
    for (const int bytes : {601, 699}) EXPECT_NE(chosen_for(made, COLL_TOPO_ALLREDUCE, bytes), "ring") << bytes;
    for (const int bytes : {700, 1023}) EXPECT_EQ(chosen_for(made, COLL_TOPO_ALLREDUCE, bytes), "rabenseifner");
    EXPECT_EQ(chosen_for(made, COLL_TOPO_BCAST, 64), "");
    EXPECT_EQ(chosen_for(made, COLL_TOPO_BARRIER, 0), "ring");

    const std::string allreduce = explanation_of(made, COLL_TOPO_ALLREDUCE);
    EXPECT_TRUE(has(allreduce, "\n  1 B    ring ")) << allreduce;
    EXPECT_TRUE(has(allreduce, "\n  601 B  ")) << allreduce;
    EXPECT_TRUE(has(allreduce, "\n  700 B  rabenseifner ")) << allreduce;
    EXPECT_TRUE(has(allreduce, "by the rule at ")) << allreduce;
    EXPECT_TRUE(has(explanation_of(made, COLL_TOPO_BCAST), "1 B   previous module ")) << "by a rule";
    EXPECT_TRUE(has(explanation_of(made, COLL_TOPO_BARRIER), "\n  ring "));
    EXPECT_TRUE(has(explanation_of(made, COLL_TOPO_ALLTOALLV), "alltoallv of any sizes, compared for 64 KiB to each"));
}

TEST(EngineRules, DoNotLeaveToThePreviousModuleWhatMustBeReproducible) {
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

TEST(EngineRules, MayNameAnAlgorithmWithinAHost) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules("Rule Collective=allreduce Bytes=1MiB- Hosts=1 Algorithm=ring\n");
    const std::vector<coll_topo_location> locations(4);
    coll_topo_communicator* made = nullptr;
    const coll_topo_settings all = rules.settings_with();
    ASSERT_EQ(coll_topo_communicator_create(topology.get(), locations.data(), 4, 0, &all, &made, nullptr, 0),
              COLL_TOPO_OK);
    const Communicator within(made, coll_topo_communicator_free);
    EXPECT_EQ(coll_topo_least_bytes(within.get(), COLL_TOPO_ALLREDUCE), 1u << 20);
    EXPECT_EQ(coll_topo_least_bytes(within.get(), COLL_TOPO_BCAST), SIZE_MAX);
    EXPECT_EQ(chosen_for(within, COLL_TOPO_ALLREDUCE, 1 << 20), "ring");
    EXPECT_EQ(chosen_for(within, COLL_TOPO_ALLREDUCE, 8), "");
    const std::string text = explanation_of(within, COLL_TOPO_ALLREDUCE);
    EXPECT_TRUE(has(text, "\n  1 B    previous module ")) << text;
    EXPECT_TRUE(has(text, "\n  1 MiB  ring ")) << text;
}

TEST(EngineRules, GoAfterAnAlgorithmThatTheUserNamed) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules("Rule Collective=allreduce Algorithm=previous\n");
    coll_topo_settings all = settings_with("ring", COLL_TOPO_ALLREDUCE);
    all.rules = rules.get();
    const Communicator made = communicator(topology, 16, all);
    EXPECT_EQ(coll_topo_least_bytes(made.get(), COLL_TOPO_ALLREDUCE), 0u);
    EXPECT_NE(choose(made, COLL_TOPO_ALLREDUCE, 0), nullptr);
}

TEST(EngineRules, SayWhatTheyLeaveToThePreviousModule) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules(
        "Rule Collective=allreduce Algorithm=previous\n"
        "Rule Collective=barrier Algorithm=previous\n");
    const Communicator made = communicator(topology, 16, rules.settings_with());
    EXPECT_EQ(coll_topo_least_bytes(made.get(), COLL_TOPO_BARRIER), SIZE_MAX);
    EXPECT_EQ(coll_topo_least_bytes(made.get(), COLL_TOPO_BCAST), 0u);
    coll_topo_communicator_explain(made.get(), 1);
    const std::string left = coll_topo_communicator_left(made.get());
    EXPECT_EQ(left.find("left to the previous module:\n  allreduce (by the rule at "), 0u) << left;
    EXPECT_TRUE(has(left, "engine_test_rules.conf:1)\n  barrier (by the rule at ")) << left;
    coll_topo_settings all = rules.settings_with();
    all.reproducible = COLL_TOPO_FIXED_ORDER;
    const Communicator reproducible = communicator(topology, 16, all);
    EXPECT_EQ(coll_topo_least_bytes(reproducible.get(), COLL_TOPO_ALLREDUCE), 0u);
    EXPECT_EQ(coll_topo_least_bytes(reproducible.get(), COLL_TOPO_BARRIER), SIZE_MAX);
}

TEST(EngineRules, SayWhereTheyAreWrongAndCompareByMeaning) {
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
}  // namespace coll_topo::test
