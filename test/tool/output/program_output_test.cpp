// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/program_output.hpp"

#include <gtest/gtest.h>

namespace coll_topo::tool {
namespace {

TEST(ProgramOutput, IsWhatTheProgramWrites) {
    const auto text = output_of({"printf", "%s|", "a b", "$c"});
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(*text, "a b|$c|");
}

TEST(ProgramOutput, MoreThanAPipeHolds) {
    const auto text = output_of({"head", "-c", "1000000", "/dev/zero"});
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(text->size(), 1000000u);
}

TEST(ProgramOutput, FailuresHaveTheirReason) {
    EXPECT_EQ(output_of({"sh", "-c", "exit 3"}).error().message, "sh ended with exit code 3");
    EXPECT_EQ(output_of({"no-such-program"}).error().message,
              "cannot start no-such-program: No such file or directory");
    EXPECT_EQ(output_of({"sh", "-c", "kill -9 $$"}).error().message, "sh ended with the signal \"Killed\"");
}

}  // namespace
}  // namespace coll_topo::tool
