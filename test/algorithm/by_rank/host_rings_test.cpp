// SPDX-License-Identifier: BSD-3-Clause
//
// What host_rings claims of messages, of what goes through the memory of hosts, and of its time.
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::test {
namespace {

constexpr double slow_links = 0.1e9, fast_links = 1e12;  // bytes/s, where a rank moves 6e9 within its host

/// A 4x3 torus with links of so many bytes/s.
Fabric torus_with(double bandwidth) {
    Fabric fabric{{}, Torus("t", {{4, true, bandwidth, 1e-6}, {3, true, bandwidth, 1e-6}}, Tie::parity), {}};
    for (int host = 0; host < 12; ++host) fabric.hosts.add("n" + std::to_string(host));
    return fabric;
}

Grid hosts_with_links(double bandwidth, int ranks_per_host) {
    const Fabric fabric = torus_with(bandwidth);
    return Grid::from_torus(fabric, ranks_on_all(fabric, ranks_per_host)).value();
}

const Algorithm& host_rings() {
    return *find_algorithm("host_rings");
}

Problem with_lanes(int lanes) {
    return {.collective = Collective::allgather, .lanes = lanes};
}

struct Gathered {
    int messages = 0;
    int blocks = 0;
    int within_host = 0;  // of these
};

Gathered gathered_by(const Grid& grid, int lanes, int rank) {
    Gathered all;
    for (const Action& action : host_rings().build(grid, with_lanes(lanes), rank).actions) {
        if (!is_receive(action)) continue;
        ++all.messages;
        all.blocks += action.count;
        if (grid.host(action.peer) == grid.host(rank)) all.within_host += action.count;
    }
    return all;
}

TEST(HostRings, CarryTheVectorOnceWhereTheNetworkIsSlow) {
    const Grid grid = hosts_with_links(slow_links, 4);
    for (const int lanes : {4, 8}) {
        const int from_hosts = grid.ranks() * lanes - 4 * lanes;
        std::map<int, int> over_network;  // blocks, by host
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            const Gathered all = gathered_by(grid, lanes, rank);
            EXPECT_EQ(all.blocks, (grid.ranks() - 1) * lanes);
            EXPECT_EQ(all.blocks - all.within_host, from_hosts / 4)
                << "each rank is the entry of a fourth of the rings";
            over_network[grid.host(rank)] += all.blocks - all.within_host;
        }
        for (const auto& [host, blocks] : over_network) EXPECT_EQ(blocks, from_hosts) << host;
    }
}

TEST(HostRings, EnterHostsAtAllRanksWhereTheNetworkIsFast) {
    const Grid grid = hosts_with_links(fast_links, 4);
    for (int rank = 0; rank < grid.ranks(); ++rank) EXPECT_EQ(gathered_by(grid, 4, rank).within_host, 3 * 4);
}

TEST(HostRings, ShareOutBetweenMemoryAndNetwork) {
    // Of four ranks a host, which move 6e9 bytes/s each, cables of 12.5e9 bring three of them what they get.
    const Grid grid = hosts_with_links(12.5e9, 4);
    const int from_hosts = grid.ranks() * 4 - 4 * 4;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        EXPECT_EQ(gathered_by(grid, 4, rank).within_host - 3 * 4, from_hosts / 4);
    }
}

TEST(HostRings, SendOneMessageForAllRanksOfAHost) {
    for (const double bandwidth : {slow_links, fast_links}) {
        for (const int ranks_per_host : {2, 4, 6}) {
            const Grid grid = hosts_with_links(bandwidth, ranks_per_host);
            constexpr int lanes = 4;
            for (int rank = 0; rank < grid.ranks(); ++rank) {
                const int messages = gathered_by(grid, lanes, rank).messages, others = ranks_per_host - 1;
                const int within_host = messages - lanes * (grid.hosts() - 1);
                EXPECT_GE(within_host, others);
                // A part may end within the piece of a rank.
                EXPECT_LE(within_host, others + lanes - 1) << ranks_per_host;
            }
        }
    }
}

TEST(HostRings, UseAllLinksOfATorusAlike) {
    const Grid grid = hosts_with_links(slow_links, 3);
    std::map<std::pair<int, int>, int> sent;  // blocks, between hosts
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        for (const Action& action : host_rings().build(grid, with_lanes(4), rank).actions) {
            if (is_send(action)) sent[{grid.host(rank), grid.host(action.peer)}] += action.count;
        }
    }
    std::erase_if(sent, [](const auto& link) { return link.first.first == link.first.second; });
    EXPECT_EQ(sent.size(), 4u * 12);
    for (const auto& [link, blocks] : sent) EXPECT_EQ(blocks, sent.begin()->second);
}

TEST(HostRings, TakeAsLongAsTheBusiestLinkOrRank) {
    constexpr double bytes = 1e9;
    const auto seconds = [](const Grid& grid, int lanes) {
        return host_rings().seconds(grid, with_lanes(lanes), bytes);
    };
    const double from_hosts = bytes * 11 / 12;
    // A fourth of it comes over each of four links, and more with each entry.
    EXPECT_NEAR(seconds(hosts_with_links(slow_links, 4), 4), from_hosts / 4 / slow_links,
                0.05 * from_hosts / 4 / slow_links);
    // One ring in a single direction has one link of each host.
    EXPECT_NEAR(seconds(hosts_with_links(slow_links, 4), 1), from_hosts / slow_links, 0.05 * from_hosts / slow_links);
    // Where the network takes no time: what ranks give each other of their own pieces, and messages.
    const double within_host = bytes / 48 * (3 / 6e9 + 1 / 10e9);
    EXPECT_NEAR(seconds(hosts_with_links(fast_links, 4), 4), within_host + 11 * 4e-6, 0.1 * within_host);
}

TEST(HostRings, CombineWhatTheyGather) {
    for (const double bandwidth : {slow_links, 4e9, fast_links}) {
        const Grid grid = hosts_with_links(bandwidth, 4);
        for (const Collective collective : {Collective::reduce_scatter, Collective::allreduce}) {
            constexpr int lanes = 4;
            int combined = 0, most = 0;
            for (int rank = 0; rank < grid.ranks(); ++rank) {
                int own = 0;
                for (const Action& action :
                     host_rings().build(grid, {.collective = collective, .lanes = lanes}, rank).actions) {
                    if (action.kind == ActionKind::receive_reduce) own += action.count;
                }
                combined += own;
                most = std::max(most, own);
            }
            // All operands but one of each block, and all ranks alike.
            EXPECT_EQ(combined, grid.ranks() * lanes * (grid.ranks() - 1));
            EXPECT_EQ(most, lanes * (grid.ranks() - 1)) << bandwidth;
        }
    }
}

TEST(HostRings, EnterHostsMoreOftenWhereTheyCombine) {
    // What comes from another rank of the host has to be copied and combined.
    const Grid grid = hosts_with_links(12.5e9, 4);
    int combined = 0, gathered = 0;  // blocks from other hosts
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        const Problem problem{.collective = Collective::allreduce, .lanes = 4};
        for (const Action& action : host_rings().build(grid, problem, rank).actions) {
            if (!is_receive(action) || grid.host(action.peer) == grid.host(rank)) continue;
            (action.kind == ActionKind::receive_reduce ? combined : gathered) += action.count;
        }
    }
    EXPECT_GT(combined, gathered);
}

TEST(HostRings, TakeAsLongAsRanksCombine) {
    // Links take no time: every rank combines its share of all operands.
    const Grid grid = hosts_with_links(fast_links, 4);
    constexpr double bytes = 1e9;
    const double combining = bytes * 47 / 48 / 8e9, copying = bytes / 48 / 10e9;
    const auto seconds = [&](Collective collective) {
        return host_rings().seconds(grid, {.collective = collective, .lanes = 4}, bytes);
    };
    // And moves what the others of its host have for it.
    const double moving = bytes / 48 * 3 / 6e9;
    EXPECT_NEAR(seconds(Collective::reduce_scatter), combining + moving + copying, 0.01 * combining);
    EXPECT_NEAR(seconds(Collective::allreduce),
                seconds(Collective::reduce_scatter) + seconds(Collective::allgather) - 2 * copying, 1e-9);
}

TEST(HostRings, NeedHostsWithSeveralRanksInOrder) {
    const Fabric fabric = torus_with(fast_links);
    const auto refusal = [&](const std::vector<int>& hosts) {
        const Grid grid = Grid::from_fabric(fabric, ranks_on(hosts)).value();
        return host_rings().refusal(grid, with_lanes(1));
    };
    EXPECT_EQ(refusal({0, 1, 2, 3}), "one rank on each host");
    EXPECT_EQ(refusal({0, 1, 0, 1}), "ranks of a host are not numbered one after the other");
    EXPECT_EQ(refusal({1, 1, 0, 0, 0}), "");
}

}  // namespace
}  // namespace coll_topo::test
