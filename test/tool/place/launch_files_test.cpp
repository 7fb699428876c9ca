// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/place/launch_files.hpp"

#include <gtest/gtest.h>

namespace coll_topo::tool {
namespace {

TEST(LaunchFiles, NumberRanksHostByHost) {
    const std::vector<std::string> hosts = {"n3", "n1"};
    const auto ranks = assign_ranks(hosts, 3, 2);
    EXPECT_EQ(hostfile_text(ranks), "n3 slots=2\nn1 slots=1\n");
    EXPECT_EQ(rankfile_text(ranks), "rank 0=n3 slot=0\nrank 1=n3 slot=1\nrank 2=n1 slot=0\n");
}

}  // namespace
}  // namespace coll_topo::tool
