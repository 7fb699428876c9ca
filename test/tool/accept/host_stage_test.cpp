// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/host_stage.hpp"

#include <gtest/gtest.h>

namespace coll_topo::tool {
namespace {

RankFacts rank(const std::string& host, const std::string& mpi, const std::string& kernel,
               const std::string& processors) {
    return {host, {{"Open MPI", mpi}, {"kernel", kernel}, {"processors", "4"}, {"may run on", processors}}};
}

TEST(HostStage, NamesTheHostsThatAreDifferent) {
    const HostStage stage{"m",
                          {rank("a", "4", "6.1", "0-3"), rank("b", "5", "6.1", "0-3"), rank("c", "4", "6.5", "0-3")}};
    const auto found = differences(stage);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].what, "Open MPI");
    EXPECT_EQ(found[0].usual, "4");
    EXPECT_EQ(found[0].value, "5");
    EXPECT_EQ(found[0].hosts, (std::vector<std::string>{"b"}));
    EXPECT_TRUE(found[0].matters);
    EXPECT_EQ(found[1].what, "kernel");
    EXPECT_FALSE(found[1].matters);
    EXPECT_EQ(common_facts(stage).count("processors"), 1u);
    EXPECT_EQ(common_facts(stage).count("kernel"), 0u);
}

TEST(HostStage, AFactThatIsMissingIsADifference) {
    HostStage stage{"m", {rank("a", "4", "6", "0-3"), rank("b", "4", "6", "0-3"), rank("c", "4", "6", "0-3")}};
    stage.ranks[1].facts.erase("Open MPI");
    const auto found = differences(stage);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].hosts, (std::vector<std::string>{"b"}));
    EXPECT_EQ(found[0].value, "");
}

TEST(HostStage, RanksOnTheSameProcessorsWhileOthersAreFree) {
    HostStage stage{"m",
                    {rank("a", "4", "6", "0-1"), rank("a", "4", "6", "2-3"), rank("b", "4", "6", "0"),
                     rank("b", "4", "6", "0"), rank("c", "4", "6", "0-3"), rank("c", "4", "6", "0-3")}};
    EXPECT_EQ(hosts_with_wrong_binding(stage), (std::vector<std::string>{"b"}));
}

TEST(HostStage, IsNotReadFromOtherText) {
    EXPECT_TRUE(read_host_facts(R"({"version":1,"mpi":"m","ranks":[{"host":"a","facts":{}}]})", "f"));
    for (const char* const text : {"", "{}", "[]", R"({"version":2,"mpi":"m","ranks":[]})",
                                   R"({"version":1,"mpi":"m","ranks":[{"host":1,"facts":{}}]})"}) {
        EXPECT_FALSE(read_host_facts(text, "f")) << text;
    }
}

}  // namespace
}  // namespace coll_topo::tool
