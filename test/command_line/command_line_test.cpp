// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/command_line/command_line.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace coll_topo::command_line {
namespace {

/// Variables for options of each kind.
struct Values {
    std::string file;
    bool flag = false;
    int number = 7;
    double factor = 2;
    std::vector<std::string> words;
    std::vector<double> three;
    std::string said;
};

Usage usage(Values& values) {
    return {"prog",
            "Does something.",
            "prog 1",
            "The end.",
            {{"FILE", "", "a file", &values.file, {.required = true}},
             {"--flag", "", "a flag", &values.flag},
             {"--number", "N", "a number", &values.number, {.limit = Between{1, 9}}},
             {"--factor", "", "a factor", &values.factor, {.limit = Sign::positive, .default_in_help = true}},
             {"--word", "WORD", "words", &values.words},
             {"--three", "A,B,C", "three numbers", &values.three, {.count = 3}},
             {"--say",
              "WORD",
              "one of two",
              [&](const std::string& word) { values.said = word; },
              {.limit = OneOf{{"yes", "no"}}}}}};
}

Usage with_commands(Values& values) {
    return {
        "prog",   "Does something.",
        "prog 1", "The end.",
        {},       {{"first", "The first.", {}}, {"second", "The second.", {{"--flag", "", "a flag", &values.flag}}}}};
}

Expected<Parsed> read(const Usage& usage, std::vector<const char*> words) {
    words.insert(words.begin(), "prog");
    return read(usage, static_cast<int>(words.size()), words.data());
}

std::string failure_of(std::vector<const char*> words) {
    Values values;
    const auto parsed = read(usage(values), std::move(words));
    return parsed ? "none" : parsed.error().message;
}

TEST(CommandLine, ValuesReachTheirVariables) {
    Values values;
    const auto parsed = read(usage(values), {"a.conf", "--flag", "--number", "3", "--factor", "0.5", "--word", "a",
                                             "--word", "b", "--three", "1,2,3", "--say", "no"});
    ASSERT_TRUE(parsed) << parsed.error().text();
    EXPECT_EQ("", parsed->text);
    EXPECT_EQ("a.conf", values.file);
    EXPECT_TRUE(values.flag);
    EXPECT_EQ(3, values.number);
    EXPECT_EQ(0.5, values.factor);
    EXPECT_EQ((std::vector<std::string>{"a", "b"}), values.words);
    EXPECT_EQ((std::vector<double>{1, 2, 3}), values.three);
    EXPECT_EQ("no", values.said);
}

TEST(CommandLine, WhatIsNotGivenKeepsItsValue) {
    Values values;
    ASSERT_TRUE(read(usage(values), {"a.conf"}));
    EXPECT_EQ(7, values.number);
    EXPECT_EQ("", values.said);
}

TEST(CommandLine, FailuresNameTheOption) {
    EXPECT_EQ("FILE is required", failure_of({}));
    EXPECT_EQ("--number: must be from 1 to 9, not 10", failure_of({"a", "--number", "10"}));
    EXPECT_EQ("--say: must be yes or no, not may", failure_of({"a", "--say", "may"}));
    EXPECT_EQ("--factor: must be more than 0, not 0", failure_of({"a", "--factor", "0"}));
    EXPECT_EQ("--factor: must be a number, not x", failure_of({"a", "--factor", "x"}));
    EXPECT_NE("none", failure_of({"a", "--colour"}));
}

TEST(CommandLine, HelpShowsLimitsAndDefaultsAsAskedFor) {
    Values values;
    const auto parsed = read(usage(values), {"--help"});
    ASSERT_TRUE(parsed);
    for (const char* const line : {"FILE REQUIRED ", "--number N  ", "--factor FLOAT=2 ", "--flag  ",
                                   "--word WORD ... ", "--three A,B,C x 3 ", "--say WORD  ", "The end."}) {
        EXPECT_NE(std::string::npos, parsed->text.find(line)) << line << " in\n" << parsed->text;
    }
}

TEST(CommandLine, HelpFitsALine) {
    bool flag = false;
    Usage long_words{"prog", "Does something.", "prog 1", "", {{"--flag", "", std::string(30, 'a'), &flag}}};
    for (int word = 0; word < 9; ++word) long_words.options[0].help += " " + std::string(30, 'b');
    long_words.commands = {
        {"first", long_words.options[0].help, {long_words.options[0]}, {"prog first", "prog first 2"}}};
    const std::string program = read(long_words, {"--help"})->text, first = read(long_words, {"first", "--help"})->text;
    std::istringstream lines(program + first);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_NE(std::string::npos, program.find("Examples:\n  prog first\n")) << program;
    EXPECT_NE(std::string::npos, first.find("Examples:\n  prog first\n  prog first 2\n")) << first;
}

TEST(CommandLine, OneOfTheCommandsMustBeGiven) {
    Values values;
    const auto second = read(with_commands(values), {"second", "--flag"});
    ASSERT_TRUE(second);
    EXPECT_EQ(1, second->command);
    EXPECT_TRUE(values.flag);
    EXPECT_FALSE(read(with_commands(values), {}));
    EXPECT_EQ("prog 1\n", read(with_commands(values), {"--version"})->text);
    EXPECT_EQ(0u, read(with_commands(values), {"first", "--help"})->text.find("The first.\n"));
}

}  // namespace
}  // namespace coll_topo::command_line
