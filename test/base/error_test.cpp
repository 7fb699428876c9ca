// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/error.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

TEST(Error, TextLeavesOutWhatIsNotKnown) {
    EXPECT_EQ("no hosts", (Error{"no hosts", {}}.text()));
    EXPECT_EQ("t.conf: no hosts", (Error{"no hosts", {"t.conf", 0, 0}}.text()));
    EXPECT_EQ("t.conf:3: no hosts", (Error{"no hosts", {"t.conf", 3, 0}}.text()));
    EXPECT_EQ("t.conf:3:17: no hosts", (Error{"no hosts", {"t.conf", 3, 17}}.text()));
    EXPECT_EQ("3:17: no hosts", (Error{"no hosts", {"", 3, 17}}.text()));
}

TEST(Error, ColumnWithoutLineMeansNothing) {
    EXPECT_EQ("t.conf", (SourceLocation{"t.conf", 0, 5}.text()));
}

TEST(Error, FailureBecomesTheErrorOfAnExpected) {
    const Expected<int> result = failure("bad", {"t.conf", 1, 2});
    ASSERT_FALSE(result);
    EXPECT_EQ("t.conf:1:2: bad", result.error().text());
}

}  // namespace
}  // namespace coll_topo
