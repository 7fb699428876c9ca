// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/profile/advice.hpp"

#include "coll_topo/select/decision.hpp"
#include "test/input/topology_test_files.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <string>

namespace coll_topo::tool {
namespace {

/// Of ranks on consecutive hosts of a sample torus of 4x4 hosts n00 ... n15.
ProfileReport profile(int ranks, const std::string& first_letter = "n") {
    ProfileReport report;
    report.job.ranks = report.job.profiled_ranks = ranks;
    report.job.seconds = 10;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string digits = std::to_string(rank);
        report.job.hosts.push_back(first_letter + std::string(2 - digits.size(), '0') + digits);
        report.job.host_of_rank.push_back(rank);
    }
    report.communicators.push_back({{ranks, "4x4", ranks, 1, 1}, 1, {}});
    for (int rank = 0; rank < ranks; ++rank) report.communicators[0].members.push_back(rank);
    return report;
}

void add(ProfileReport& report, Call call, double bytes, std::uint64_t calls) {
    ProfileLine line;
    line.key.call = call;
    line.key.size_class = bytes > 0 ? size_class(static_cast<std::size_t>(bytes)) : 0;
    line.key.communicator = report.communicators[0].shape;
    line.key.run_by = "swing";
    line.calls = calls;
    line.rank_calls = calls * report.communicators[0].shape.ranks;
    line.mean_bytes = bytes;
    line.total = 1;
    report.lines.push_back(line);
}

const std::string torus = source_path("test/mpi/topology/torus-4x4.conf");

TEST(Advice, LeavesOutCallsWithRequests) {
    ProfileReport report = profile(16);
    add(report, Call::allreduce, 1 << 20, 50);
    add(report, Call::allreduce, 1 << 20, 7);
    report.lines[1].key.form = CallForm::nonblocking;
    const auto advice = advise(report, {torus});
    ASSERT_TRUE(advice) << advice.error().text();
    EXPECT_EQ(advice->lines.size(), 1u);
    ASSERT_EQ(advice->notes.size(), 1u);
    EXPECT_NE(advice->notes[0].find("7 nonblocking and persistent calls are left out"), std::string::npos);
}

TEST(Advice, GivesTheTimesOfTheChoiceAndOfTuned) {
    ProfileReport report = profile(16);
    add(report, Call::allreduce, 1 << 20, 50);
    add(report, Call::alltoallv, 1 << 20, 10);
    const auto advice = advise(report, {torus});
    ASSERT_TRUE(advice) << advice.error().text();
    ASSERT_EQ(advice->lines.size(), 2u);
    const AdvisedLine& allreduce = advice->lines[0];
    EXPECT_EQ(allreduce.line.key.call, Call::allreduce);
    EXPECT_DOUBLE_EQ(allreduce.calls_of_rank, 50);
    ASSERT_TRUE(allreduce.gain());
    EXPECT_GT(*allreduce.gain(), 1.0);
    EXPECT_DOUBLE_EQ(advice->without(), 50 * *allreduce.without);
    EXPECT_DOUBLE_EQ(advice->with(), 50 * *allreduce.with);
    EXPECT_EQ(advice->lines[1].without, std::nullopt) << "tuned's alltoallv has no prediction";
    EXPECT_DOUBLE_EQ(advice->unknown(), 1.0 / 16);
}

TEST(Advice, WhatGainsMostComesFirst) {
    ProfileReport report = profile(16);
    add(report, Call::allreduce, 1 << 20, 1);
    add(report, Call::allreduce, 1 << 24, 100);
    const auto advice = advise(report, {torus});
    ASSERT_TRUE(advice) << advice.error().text();
    EXPECT_EQ(advice->lines[0].line.mean_bytes, 1 << 24);
}

TEST(Advice, RanksStandWhereTheyRan) {
    ProfileReport report = profile(4);
    report.job.host_of_rank = {3, 2, 1, 0};
    add(report, Call::allreduce, 1 << 20, 1);
    const auto recorded = advise(report, {torus});
    ASSERT_TRUE(recorded) << recorded.error().text();
    EXPECT_EQ(recorded->placement, "ranks on the hosts where they ran");
    const auto packed = advise(report, {torus, "n[00-01]", 2});
    ASSERT_TRUE(packed) << packed.error().text();
    EXPECT_EQ(packed->placement, "consecutive ranks on the hosts of " + torus);
    EXPECT_NE(recorded->lines[0].with, packed->lines[0].with);
}

TEST(Advice, OtherNetworksTakeRanksInOrder) {
    ProfileReport report = profile(16, "other");
    add(report, Call::barrier, 0, 5);
    const auto advice = advise(report, {torus});
    ASSERT_TRUE(advice) << advice.error().text();
    EXPECT_TRUE(std::ranges::any_of(advice->notes, [](const std::string& note) {
        return note.find("does not have all hosts of the profile") != std::string::npos;
    }));
    EXPECT_TRUE(advice->lines[0].without);
    const auto too_small = advise(profile(17, "other"), {torus});
    ASSERT_FALSE(too_small);
    EXPECT_NE(too_small.error().message.find("raise --ranks-per-host"), std::string::npos);
    EXPECT_FALSE(advise(report, {torus, "nowhere"}));
    EXPECT_FALSE(advise(report, {"/nonexistent.conf"}));
}

}  // namespace
}  // namespace coll_topo::tool
