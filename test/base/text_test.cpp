// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/text.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

using Pieces = std::vector<std::string_view>;

TEST(Text, CountsThings) {
    EXPECT_EQ("1 host", counted(1, "host", "hosts"));
    EXPECT_EQ("0 hosts", counted(0, "host", "hosts"));
}

TEST(Text, JoinsAlternatives) {
    EXPECT_EQ("A", alternatives(Pieces{"A"}));
    EXPECT_EQ("A, B or C", alternatives(Pieces{"A", "B", "C"}));
}

TEST(Text, SplitsIntoPiecesThatMayBeEmpty) {
    EXPECT_EQ((Pieces{""}), split("", ','));
    EXPECT_EQ((Pieces{"a", "", "b", ""}), split("a,,b,", ','));
}

}  // namespace
}  // namespace coll_topo
