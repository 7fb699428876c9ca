// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/profile/profile_reader.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo::tool {
namespace {

ProfileReport example() {
    ProfileReport report;
    report.job = {"torus t0", "t.conf", "Open MPI", 2, 2, 1.5, 1e-6, {"n0", "n\"1"}, {0, 1}, 0, 2, 0};
    report.communicators.push_back({{2, "2", 2, 1, 1}, 3, {1, 0}});
    report.communicators.push_back({{2, "1", 1, 2, 2}, 1, {}});
    ProfileLine line;
    line.key = {Call::bcast, 11, report.communicators[1].shape, false, "linear", 1, 2, 3, true};
    line.calls = 7;
    line.rank_calls = 14;
    line.first_calls = 2;
    line.first_seconds = 0.125;
    line.timed = 12;
    line.mean_bytes = 1100.5;
    line.total = 1.0 / 3;
    line.waiting = 0.1;
    line.median = 0.02;
    line.transfer = 0.01;
    line.predicted = 0.005;
    report.lines.push_back(line);
    line.key.passed_on = true;
    line.transfer = {};
    line.passing = 4e-8;
    report.lines.push_back(line);
    line.key.form = CallForm::persistent;
    report.lines.push_back(line);
    return report;
}

TEST(ProfileReader, ReadsWhatIsWritten) {
    const std::string text = profile_json(example());
    const auto read = parse_profile(text, "p.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, example());
    EXPECT_TRUE(is_profile(text));
    EXPECT_FALSE(is_profile(R"({"cases": []})"));
}

std::string replaced(const std::string& before, const std::string& after) {
    std::string text = profile_json(example());
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return text.replace(at, before.size(), after);
}

// Written before calls with requests were counted.
TEST(ProfileReader, RowsWithoutAFormAreOfBlockingCalls) {
    const auto read = parse_profile(replaced(",\"form\":\"persistent\"", ""), "p.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->lines[2].key.form, CallForm::blocking);
}

/// The line that a message names.
void expect_wrong(const std::string& text, const std::string& place, const std::string& why) {
    const auto read = parse_profile(text, "p.json");
    ASSERT_FALSE(read) << why;
    EXPECT_EQ(read.error().text().find("p.json:" + place), 0u) << read.error().text();
    EXPECT_NE(read.error().text().find(why), std::string::npos) << read.error().text();
}

TEST(ProfileReader, SaysInWhichLineSomethingIsWrong) {
    expect_wrong("{\n\"coll_topo_profile\": 1,\n]", "3:", "this is not what coll_topo_profile writes");
    expect_wrong("[]", "1:", "this is not what coll_topo_profile writes");
    expect_wrong(replaced("\"coll_topo_profile\": 1", "\"coll_topo_profile\": 2"), "1:", "another version");
    // Communicators begin in line 14, rows in line 17.
    expect_wrong(replaced("\"collective\":\"bcast\"", "\"collective\":\"reduce_local\""),
                 "17:3: ", "does not serve reduce_local");
    expect_wrong(replaced("\"members\":[1,0]", "\"members\":[1,2]"), "14:3: ", "\"members\" must be");
    expect_wrong(replaced("\"members\":[]", "\"members\":[0]"), "15:3: ", "a number for each rank");
    expect_wrong(replaced("\"passing_on_seconds\":4e-08", "\"passing_on_seconds\":-1"), "18:3: ", "not negative");
}

TEST(ProfileReader, RefusesWhatCannotBe) {
    expect_wrong(replaced("\"ranks\": 2", "\"ranks\": 0"), "1:", "\"ranks\" must be");
    expect_wrong(replaced("\"host_of_rank\": [0,1]", "\"host_of_rank\": [0,2]"), "1:", "\"host_of_rank\" must be");
    expect_wrong(replaced("\"host_of_rank\": [0,1]", "\"host_of_rank\": [0]"), "1:", "a number for each rank");
    expect_wrong(replaced("\"least_bytes\":1024", "\"least_bytes\":1000"), "17:", "a power of two");
    expect_wrong(replaced("\"communicator\":1", "\"communicator\":2"), "17:", "\"communicator\" must be");
    expect_wrong(replaced("\"lanes\":1,\"seg", "\"lanes\":99,\"seg"), "17:", "\"lanes\" must be");
    expect_wrong(replaced("\"form\":\"persistent\"", "\"form\":\"late\""), "19:", "\"form\" must be");
    expect_wrong(replaced("\"chosen\":\"user\"", "\"chosen\":\"chance\""), "17:", "\"chosen\" must be");
    expect_wrong(replaced("\"seconds\": 1.5", "\"seconds\": null"), "1:", "\"seconds\" must be a number");
}

TEST(ProfileReader, FileThatIsNotThere) {
    const auto read = read_profile("/nonexistent/p.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().text(), "/nonexistent/p.json: cannot read the file: No such file or directory");
}

}  // namespace
}  // namespace coll_topo::tool
