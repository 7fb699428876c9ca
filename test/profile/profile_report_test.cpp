// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/profile_report.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace coll_topo {
namespace {

ProfileLine line(Call call, int size_class, const std::string& run_by, std::optional<double> total) {
    ProfileLine line;
    line.key.call = call;
    line.key.size_class = size_class;
    line.key.communicator = {16, "4x4", 16, 1, 1};
    line.key.run_by = run_by;
    line.calls = 1000;
    line.rank_calls = 16000;
    line.total = total;
    line.median = line.total ? std::optional(*total / 16000) : std::nullopt;
    return line;
}

ProfileReport report() {
    ProfileReport report;
    report.job.ranks = report.job.profiled_ranks = 16;
    report.job.seconds = 2;
    report.communicators.push_back({{16, "4x4", 16, 1, 1}, 1, {}});
    report.lines.push_back(line(Call::allreduce, 4, "recursive_doubling", 16));
    report.lines.push_back(line(Call::alltoallv, 0, "a2at", {}));
    return report;
}

TEST(ProfileReport, LinesWithTheLongestTotalComeFirst) {
    Profile profile;
    for (const int size_class : {1, 2, 3}) {
        ProfileKey key;
        key.size_class = size_class;
        ProfileRow& row = profile.rows[profile.row_for(key)];
        row.rank_calls = row.weight = 1;
        row.seconds = size_class == 2 ? 9 : 1;
    }
    const ProfileReport made = report_of(profile);
    ASSERT_EQ(made.lines.size(), 3u);
    EXPECT_EQ(made.lines[0].key.size_class, 2);
    EXPECT_EQ(made.lines[1].key.size_class, 1);
}

TEST(ProfileReport, SizeClassesAreBetweenPowersOfTwo) {
    EXPECT_EQ(least_bytes_of(0), 0u);
    EXPECT_EQ(most_bytes_of(0), 0u);
    EXPECT_EQ(least_bytes_of(4), 8u);
    EXPECT_EQ(most_bytes_of(4), 15u);
    EXPECT_EQ(most_bytes_of(64), UINT64_MAX);
}

TEST(ProfileReport, TheTableSaysWhatIsKnown) {
    const std::string text = profile_text(report());
    EXPECT_NE(text.find("profile of 16 ranks, 2 s; of that in collectives 1 s, 50 %"), std::string::npos) << text;
    EXPECT_NE(text.find("allreduce "), std::string::npos) << text;
    EXPECT_NE(text.find(" 8 B "), std::string::npos) << text;
    EXPECT_NE(text.find(" 1 ms "), std::string::npos) << text;
    EXPECT_NE(text.find(" any "), std::string::npos) << text;
}

TEST(ProfileReport, TheTableFitsIntoAHundredColumns) {
    ProfileReport wide = report();
    ProfileLine more = line(Call::reduce_scatter_block, 31, "grouped_recursive_doubling", 16.5e-3);
    more.key.lanes = 8;
    more.key.aggregators = 128;
    more.key.segments = 1024;
    more.calls = 1234567;
    wide.lines.push_back(more);
    more.key.passed_on = true;
    more.passing = 45e-9;
    wide.lines.push_back(more);
    wide.job.profiled_ranks = 15;
    wide.job.clock_error = 1.25e-6;
    std::istringstream lines("coll_topo: " + profile_text(wide));
    for (std::string one; std::getline(lines, one);) EXPECT_LE(one.size(), 100u) << one;
    EXPECT_NE(profile_text(wide).find("passed on in 45 ns"), std::string::npos);
}

TEST(ProfileReport, CallsWithRequestsAreNamedAndInNoSum) {
    ProfileReport more = report();
    EXPECT_EQ(profile_text(more).find("i... and ..._init"), std::string::npos);
    ProfileLine requests = line(Call::allreduce, 4, "swing", 160);
    for (const CallForm form : {CallForm::nonblocking, CallForm::persistent}) {
        requests.key.form = form;
        more.lines.push_back(requests);
    }
    const std::string text = profile_text(more), json = profile_json(more);
    EXPECT_NE(text.find("in collectives 1 s, 50 %"), std::string::npos) << text;
    EXPECT_NE(text.find("\niallreduce "), std::string::npos) << text;
    EXPECT_NE(text.find("\nallreduce_init "), std::string::npos) << text;
    EXPECT_NE(text.find("i... and ..._init"), std::string::npos) << text;
    for (const char* form : {"blocking", "nonblocking", "persistent"}) {
        EXPECT_NE(json.find("\"form\":\"" + std::string(form) + "\""), std::string::npos) << json;
    }
}

TEST(ProfileReport, WordsInJsonAreQuoted) {
    ProfileReport odd = report();
    odd.job.topology_file = "a \"file\"\\\n";
    EXPECT_NE(profile_json(odd).find(R"("topology_file": "a \"file\"\\\u000a")"), std::string::npos);
}

}  // namespace
}  // namespace coll_topo
