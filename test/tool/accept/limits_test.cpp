// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/limits.hpp"

#include <gtest/gtest.h>

namespace coll_topo::tool {
namespace {

std::string complaint(const std::string& text) {
    AcceptanceLimits limits;
    const auto read = read_limits(text, "limits", limits);
    return read ? "" : read.error().text();
}

TEST(AcceptanceLimits, AreReadFromAFile) {
    AcceptanceLimits limits;
    ASSERT_TRUE(
        read_limits("# ours\nleast-share = 70%\n\nmost-slower=0.1 # a tenth\r\nprediction-factor=any\n"
                    "absent-hosts=2\nhosts=any\nresults=right\nworse-than-before=20%\n",
                    "limits", limits));
    EXPECT_DOUBLE_EQ(*limits.least_share, 0.7);
    EXPECT_DOUBLE_EQ(*limits.most_slower, 0.1);
    EXPECT_FALSE(limits.prediction_factor);
    EXPECT_EQ(limits.absent_hosts, 2);
    EXPECT_FALSE(limits.same_hosts);
    EXPECT_TRUE(limits.right_results);
    EXPECT_DOUBLE_EQ(*limits.worse_than_before, 0.2);
}

TEST(AcceptanceLimits, SayWhatIsWrongAndWhere) {
    EXPECT_EQ(complaint("hosts=same\n  least-share=7\n"),
              "limits:2:3: least-share: expected a share from 5% to 99%, or any; found '7'");
    EXPECT_EQ(complaint("results=wrong"), "limits:1:1: results: expected right, or any; found 'wrong'");
    EXPECT_EQ(complaint("absent-hosts=1.5"),
              "limits:1:1: absent-hosts: expected a number of hosts, or any; found '1.5'");
    EXPECT_EQ(complaint("most-slower"), "limits:1:1: most-slower: expected a share from 0% to 1000%, or any; found ''");
    EXPECT_EQ(complaint("speed=1"),
              "limits:1:1: no condition 'speed'; there are hosts, results, absent-hosts, least-share, most-slower, "
              "prediction-factor or worse-than-before");
}

}  // namespace
}  // namespace coll_topo::tool
