// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/measured_costs.hpp"

#include <gtest/gtest.h>
#include <cmath>

namespace coll_topo::tool {
namespace {

TEST(MeasuredCosts, MedianAndQuartilesOfTrials) {
    const MeasuredValue value = summarise({5, 1, 100, 3, 2});
    EXPECT_EQ(value.median, 3);
    EXPECT_EQ(value.lower_quartile, 2);
    EXPECT_EQ(value.upper_quartile, 5);
    EXPECT_EQ(value.trials, 5);
    EXPECT_EQ(value.spread(), 2.5);
    EXPECT_EQ(summarise({4, 1}).median, 2.5);
    EXPECT_EQ(summarise({}).trials, 0);
    EXPECT_TRUE(std::isinf(summarise({-1, -1, 3}).spread()));
}

TEST(MeasuredCosts, AreReadBackAsTheyWereWritten) {
    MeasuredCosts costs;
    costs.network = "torus t, 4x4";
    costs.mpi = "Open MPI v4.1.4";
    costs.hosts = 16;
    costs.message_time = summarise({1e-6, 1.25e-6, 1.1e-6});
    costs.hop_latency = {summarise({1e-7}), {}};
    costs.bandwidth = {summarise({1.1e10, 1.2e10}), summarise({6e9})};
    const auto read = read_measured_json(measured_json(costs), "test.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(measured_json(*read), measured_json(costs));
    EXPECT_EQ(read->network, costs.network);
    EXPECT_EQ(read->message_time.median, 1.1e-6);
    EXPECT_EQ(read->copy_bandwidth.trials, 0);
    ASSERT_EQ(read->hop_latency.size(), 2u);
    EXPECT_EQ(read->hop_latency[1].trials, 0);
    EXPECT_EQ(read->bandwidth[0].upper_quartile, costs.bandwidth[0].upper_quartile);
}

TEST(MeasuredCosts, OfEarlierVersionsOfTheProgramAreRead) {
    MeasuredCosts costs;
    costs.memory_bandwidth = summarise({9e10});
    std::string text = measured_json(costs);
    EXPECT_EQ(read_measured_json(text, "test.json").value().memory_bandwidth.median, 9e10);
    const auto begin = text.find("  \"memory_bandwidth\""), end = text.find("  \"start_latency\"");
    ASSERT_LT(begin, end);
    const auto read = read_measured_json(text.erase(begin, end - begin), "test.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->memory_bandwidth.trials, 0);
}

TEST(MeasuredCosts, OtherTextIsRefused) {
    for (const char* text : {"", "{", "[]", "{\"version\": 1}", "{\"version\": 2}", "{\"version\": \"1\"}"}) {
        const auto read = read_measured_json(text, "test.json");
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().where.file, "test.json");
    }
    EXPECT_EQ(read_measured_json("{\"version\": 2}", "x").error().message, "version 2 of measurements; expected 1");
}

}  // namespace
}  // namespace coll_topo::tool
