// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/name_register.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

TEST(NameRegister, RemembersThePieceThatGaveEachName) {
    SourceText source;
    ASSERT_TRUE(source.read_text("n[0-2],x\ny\n", "t.conf"));
    const Located range = source.line(0).part(0, 6);
    const Located single = source.line(0).part(7);
    NameRegister names("host");
    EXPECT_EQ(0, names.add("n0", range).value_or(-1));
    EXPECT_EQ(1, names.add("n1", range).value_or(-1));
    EXPECT_EQ(2, names.add("n2", range).value_or(-1));
    EXPECT_EQ(3, names.add("x", single).value_or(-1));
    EXPECT_EQ("t.conf:1:1", names.origin(0).where().text());
    EXPECT_EQ("t.conf:1:1", names.origin(2).where().text());
    EXPECT_EQ("t.conf:1:8", names.origin(3).where().text());

    const auto again = names.add("n1", source.line(1));
    ASSERT_FALSE(again);
    EXPECT_EQ("t.conf:2:1: host 'n1' is given twice; first at t.conf:1:1", again.error().text());
    EXPECT_EQ(4, names.take_names().size());
}

}  // namespace
}  // namespace coll_topo
