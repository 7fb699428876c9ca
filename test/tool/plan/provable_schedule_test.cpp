// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/provable_schedule.hpp"

#include "coll_topo/tool/network/network_family.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace coll_topo::tool {
namespace {

TEST(ProvableSchedule, IsBuiltIfItsProofFitsInMemory) {
    ScenarioOptions options;
    options.algorithm = "halving_doubling";
    options.lanes = 1;
    auto scenario = make_scenario(std::move(make_family("torus 4x4")->at(0).file), options);
    ASSERT_TRUE(scenario) << scenario.error().text();
    const Candidate candidate = choose(*scenario).value();
    const auto built = [&](std::optional<std::int64_t> available) {
        return build_provable_schedule(*scenario, candidate, available);
    };
    EXPECT_EQ(built({})->size(), 16u);
    EXPECT_EQ(built(1 << 20)->size(), 16u);
    const auto refused = built(4096);
    ASSERT_FALSE(refused);
    const std::string text = refused.error().text();
    EXPECT_TRUE(text.starts_with("not proved, as it takes more memory than there is (about ")) << text;
    EXPECT_NE(text.find(" KiB of 4 KiB): 16 ranks; use a machine with more, or prove it on fewer hosts (--hosts)"),
              std::string::npos)
        << text;
}

TEST(ProvableSchedule, TheSystemSaysWhatMemoryThereIs) {
    const auto available = available_memory();
    ASSERT_TRUE(available) << "/proc/meminfo is there on any Linux";
    EXPECT_GT(*available, 1 << 20);
    EXPECT_LT(*available, std::int64_t{1} << 50);
}

}  // namespace
}  // namespace coll_topo::tool
