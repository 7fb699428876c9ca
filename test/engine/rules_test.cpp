// SPDX-License-Identifier: BSD-3-Clause
//
// Files of rules in the choices of a communicator.
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

/// What is said about a choice; empty if it was said before.
std::string explanation_of(const Communicator& communicator, int collective, std::size_t bytes,
                           bool* has_plan = nullptr) {
    coll_topo_plan* plan = nullptr;
    const char* explanation = nullptr;
    EXPECT_EQ(coll_topo_choose(communicator.get(), collective, bytes, 0, 1, &explanation, &plan), COLL_TOPO_OK);
    if (has_plan != nullptr) *has_plan = plan != nullptr;
    return explanation == nullptr ? "" : explanation;
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
    // 512 to 1023 bytes are a class: three ranges with choices of their own, each explained once.
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
    const char* explanation = nullptr;
    EXPECT_EQ(coll_topo_least_bytes(within.get(), COLL_TOPO_ALLREDUCE, &explanation), 1u << 20);
    EXPECT_EQ(std::string(explanation).find("allreduce below 1 MiB: left to the previous module, as all ranks"), 0u)
        << explanation;
    EXPECT_EQ(coll_topo_least_bytes(within.get(), COLL_TOPO_BCAST, &explanation), SIZE_MAX);
    bool has_plan = false;
    EXPECT_NE(explanation_of(within, COLL_TOPO_ALLREDUCE, 1 << 20, &has_plan).find("ring"), std::string::npos);
    EXPECT_TRUE(has_plan);
    EXPECT_NE(explanation_of(within, COLL_TOPO_ALLREDUCE, 8, &has_plan), "");
    EXPECT_FALSE(has_plan);
}

TEST(EngineRules, GoAfterAnAlgorithmThatTheUserNamed) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules("Rule Collective=allreduce Algorithm=previous\n");
    coll_topo_settings all = settings_with("ring", COLL_TOPO_ALLREDUCE);
    all.rules = rules.get();
    const Communicator made = communicator(topology, 16, all);
    const char* explanation = nullptr;
    EXPECT_EQ(coll_topo_least_bytes(made.get(), COLL_TOPO_ALLREDUCE, &explanation), 0u);
    EXPECT_NE(choose(made, COLL_TOPO_ALLREDUCE, 0), nullptr);
}

TEST(EngineRules, SayWhatTheyLeaveToThePreviousModule) {
    const Topology topology = sample("torus-4x4.conf");
    const RulesInForce rules(
        "Rule Collective=allreduce Algorithm=previous\n"
        "Rule Collective=barrier Algorithm=previous\n");
    const Communicator made = communicator(topology, 16, rules.settings_with());
    const char* explanation = nullptr;
    EXPECT_EQ(coll_topo_least_bytes(made.get(), COLL_TOPO_BARRIER, &explanation), SIZE_MAX);
    EXPECT_EQ(std::string(explanation).find("barrier: left to the previous module, by rule "), 0u) << explanation;
    EXPECT_EQ(coll_topo_least_bytes(made.get(), COLL_TOPO_BCAST, &explanation), 0u);
    EXPECT_EQ(explanation, nullptr);
    coll_topo_settings all = rules.settings_with();
    all.reproducible = COLL_TOPO_FIXED_ORDER;
    const Communicator reproducible = communicator(topology, 16, all);
    EXPECT_EQ(coll_topo_least_bytes(reproducible.get(), COLL_TOPO_ALLREDUCE, &explanation), 0u);
    EXPECT_EQ(coll_topo_least_bytes(reproducible.get(), COLL_TOPO_BARRIER, &explanation), SIZE_MAX);
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
