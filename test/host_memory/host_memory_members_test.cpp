// SPDX-License-Identifier: BSD-3-Clause
//
// Who is a member of a host's memory, and what is left of it.
#include "coll_topo/host_memory/host_memory.h"
#include "test/host_memory/members.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

TEST(HostMemory, ServesItsOtherMembers) {
    const auto members = connected(3);
    ASSERT_EQ(members.size(), 3u);
    EXPECT_FALSE(coll_topo_host_memory_has_all(members[0].get())) << "three of six";
    for (const int rank : {3, 5}) EXPECT_TRUE(coll_topo_host_memory_serves(members[0].get(), rank)) << rank;
    for (const int rank : {0, 1, 2, 4}) EXPECT_FALSE(coll_topo_host_memory_serves(members[0].get(), rank)) << rank;
}

TEST(HostMemory, LeavesNothingOpenOrMapped) {
    const auto in_use = [] {
        std::ifstream maps("/proc/self/maps");
        int segments = 0;
        for (std::string line; std::getline(maps, line);) segments += line.find("coll_topo") != line.npos ? 1 : 0;
        const std::filesystem::directory_iterator descriptors("/proc/self/fd");
        return std::pair(std::distance(begin(descriptors), end(descriptors)), segments);
    };
    const auto before = in_use();
    {
        const auto members = connected(3);
        ASSERT_EQ(members.size(), 3u);
        EXPECT_EQ(in_use().first, before.first) << "nobody needs the descriptor any more";
        EXPECT_EQ(in_use().second, before.second + 3);
    }
    coll_topo_memory_offer offer{};
    create(2, offer).reset();
    EXPECT_EQ(join(offer, 2, 1), nullptr);
    EXPECT_EQ(in_use(), before);
}

TEST(HostMemory, NobodyJoinsWhatIsNotMeant) {
    coll_topo_memory_offer offer{};
    const Memory first = create(2, offer);
    ASSERT_NE(first, nullptr);
    coll_topo_memory_offer other = offer;
    other.token[1] ^= 1;
    EXPECT_EQ(join(other, 2, 1), nullptr) << "another segment";
    EXPECT_EQ(join(offer, 3, 1), nullptr) << "of another size";
    other = offer;
    other.descriptor = 0;
    EXPECT_EQ(join(other, 2, 1), nullptr) << "no segment";
    const int ranks[] = {0, 1};
    ASSERT_TRUE(coll_topo_host_memory_begin(first.get(), ranks, 2, false));
    EXPECT_EQ(join(offer, 2, 1), nullptr) << "after the begin";
}

TEST(HostMemory, FindsOutThatAProcessCannotBeRead) {
    coll_topo_memory_offer offer{};
    const Memory first = create(2, offer);
    ASSERT_NE(first, nullptr);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        _exit(join(offer, 2, 1) != nullptr ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0) << "another process joins";
    EXPECT_FALSE(coll_topo_host_memory_can_access(first.get())) << "and has ended";
    const int ranks[] = {0, 1};
    ASSERT_TRUE(coll_topo_host_memory_begin(first.get(), ranks, 2, false));
}

TEST(HostMemory, SaysWhenOthersAreToHaveATurn) {
    for (const int apart : {1, 2}) {
        const std::vector<Memory> members = connected(2, apart);
        int turns = 0;
        for (int i = 0; i < 64; ++i) turns += coll_topo_host_memory_progress(members.at(0).get()) ? 1 : 0;
        EXPECT_EQ(turns, apart == 1 ? 8 : 64) << "fewer where all ranks are members";
    }
}

}  // namespace
}  // namespace coll_topo
