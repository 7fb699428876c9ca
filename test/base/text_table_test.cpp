// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/text_table.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace coll_topo {
namespace {

std::size_t longest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    return longest;
}

TEST(TextTable, AlignsWordsToTheLeftAndNumbersToTheRight) {
    TextTable table({{"name"}, {"time", true}}, 2);
    table.add({"a", "1.5 us"});
    table.add({"longer", "-"});
    EXPECT_EQ(table.text(),
              "  name      time\n"
              "  a       1.5 us\n"
              "  longer       -\n");
}

TEST(TextTable, BreaksTheLastColumnIfItHasWords) {
    TextTable table({{"name"}, {"remark"}});
    table.add({std::string(40, 'n'), std::string(58, 'a')});
    EXPECT_EQ(longest_line(table.text()), 100u) << "which just fits";
    table.add({"b", std::string(50, 'b') + " " + std::string(20, 'c') + " d"});
    EXPECT_EQ(table.text(), "name" + std::string(38, ' ') + "remark\n" +                     //
                                std::string(40, 'n') + "  " + std::string(58, 'a') + "\n" +  //
                                "b" + std::string(41, ' ') + std::string(50, 'b') + "\n" +   //
                                std::string(42, ' ') + std::string(20, 'c') + " d\n");
}

TEST(TextTable, DividesColumnsOfNumbersIntoTablesBelowEachOther) {
    TextTable table({{"bytes", true},
                     {std::string(60, 'a'), true},
                     {std::string(20, 'b'), true},
                     {"c", true},
                     {std::string(30, 'd'), true}});
    table.add({"8", "1", "2", "3", "4"});
    const std::string text = table.text();
    EXPECT_LE(longest_line(text), line_width);
    EXPECT_NE(text.find("\n\nbytes  ddd"), std::string::npos) << text;
    EXPECT_NE(text.find("\n    8                               4\n"), std::string::npos) << text;
}

TEST(TextTable, DoesNotBreakAColumnThatItsTitleMakesWide) {
    TextTable table({{"bytes", true}, {std::string(70, 'a'), true}, {std::string(30, 'b')}});
    table.add({"8", "1", "-"});
    EXPECT_LE(longest_line(table.text()), line_width) << table.text();
}

TEST(TextTable, LeavesWhatCannotBeDividedAsItIs) {
    TextTable table({{std::string(120, 'a')}});
    table.add({"b"});
    EXPECT_EQ(table.text(), std::string(120, 'a') + "\nb\n");
}

TEST(LinesOfWords, BreakLongWordsAfterCommas) {
    EXPECT_EQ(lines_of_words("", 10), std::vector<std::string>{""});
    const std::vector<std::string> lines = {"hosts", "n[00-01,", "03-04,07,", "09,11] and", "anotherword"};
    EXPECT_EQ(lines_of_words("hosts n[00-01,03-04,07,09,11] and anotherword", 10), lines);
}

TEST(Wrapped, IndentsAllLinesButTheFirst) {
    const std::string word(30, 'w');
    EXPECT_EQ(wrapped("Short.", 4), "Short.\n");
    EXPECT_EQ(wrapped("", 4), "\n");
    EXPECT_EQ(wrapped("  " + std::string(97, 'a') + " b c", 4), "  " + std::string(97, 'a') + "\n    b c\n");
    EXPECT_EQ(wrapped(word + " " + word + " " + word + " " + word, 4),
              word + " " + word + " " + word + "\n    " + word + "\n");
}

}  // namespace
}  // namespace coll_topo
