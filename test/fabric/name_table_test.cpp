// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/name_table.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coll_topo {
namespace {

TEST(NameTable, NumbersNamesInOrderOfAddition) {
    NameTable table;
    EXPECT_EQ(0, table.size());
    EXPECT_EQ(0, table.add("n01"));
    EXPECT_EQ(1, table.add("n00"));
    EXPECT_EQ(2, table.size());
    EXPECT_EQ("n01", table.name(0));
    EXPECT_EQ("n00", table.name(1));
}

TEST(NameTable, RefusesANameTwiceAndKeepsTheFirst) {
    NameTable table;
    table.add("a");
    table.add("b");
    EXPECT_EQ(NameTable::missing, table.add("a"));
    EXPECT_EQ(2, table.size());
    EXPECT_EQ(0, table.find("a"));
}

TEST(NameTable, FindsNothingWhenEmptyOrAbsent) {
    NameTable table;
    EXPECT_EQ(NameTable::missing, table.find("a"));
    table.add("ab");
    EXPECT_EQ(NameTable::missing, table.find("a"));
    EXPECT_EQ(NameTable::missing, table.find("abc"));
    EXPECT_EQ(NameTable::missing, table.find(""));
}

TEST(NameTable, FindsEveryOneOfManyNames) {
    NameTable table;
    constexpr int count = 20000;
    for (int index = 0; index < count; ++index) ASSERT_EQ(index, table.add("rack" + std::to_string(index * 7)));
    for (int index = 0; index < count; ++index) {
        const std::string name = "rack" + std::to_string(index * 7);
        ASSERT_EQ(index, table.find(name));
        ASSERT_EQ(name, table.name(index));
    }
    EXPECT_EQ(NameTable::missing, table.find("rack1"));
}

}  // namespace
}  // namespace coll_topo
