// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/wording.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

TEST(Wording, QuotesTextAsItCanBeShown) {
    EXPECT_EQ("'n01'", in_quotes("n01"));
    EXPECT_EQ("'a\\x01\\xff'", in_quotes("a\x01\xff"));
    EXPECT_EQ("'" + std::string(60, 'a') + "'", in_quotes(std::string(60, 'a')));
    EXPECT_EQ("'" + std::string(60, 'a') + "...'", in_quotes(std::string(61, 'a')));
}

TEST(Wording, ComparesWordsWithoutCase) {
    EXPECT_TRUE(same_word("SwitchName", "switchNAME"));
    EXPECT_FALSE(same_word("Switch", "SwitchName"));
    EXPECT_TRUE(same_word("", ""));
}

TEST(Wording, SuggestsTheNearestWordOrAll) {
    constexpr std::string_view words[] = {"Nodes", "Switches", "LinkSpeed"};
    EXPECT_EQ("did you mean Nodes?", suggestion("nods", words));
    EXPECT_EQ("did you mean Switches?", suggestion("Swithces", words));
    EXPECT_EQ("expected Nodes, Switches or LinkSpeed", suggestion("Wrap", words));
    EXPECT_EQ("expected Nodes, Switches or LinkSpeed", suggestion(std::string(100000, 'N'), words));
}

}  // namespace
}  // namespace coll_topo
