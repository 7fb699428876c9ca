// SPDX-License-Identifier: BSD-3-Clause
//
// Gather and scatter of pieces whose sizes only the root knows: the plan runs with the sizes, then with the pieces.

#include "coll_topo/execute/piece_sizes.hpp"

#include "coll_topo/execute/execution.hpp"
#include "coll_topo/execute/executor.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/in_process_transport.hpp"
#include "test/execute/rank_threads.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

namespace coll_topo::test {
namespace {

using Bytes = std::vector<unsigned char>;

/// Rank 3 has nothing.
std::size_t size_of(int rank) {
    return static_cast<std::size_t>(rank * 5 % 15);
}

Bytes piece_of(int rank) {
    Bytes piece(size_of(rank));
    std::iota(piece.begin(), piece.end(), static_cast<unsigned char>(16 * rank));
    return piece;
}

Bytes all_pieces(int ranks) {
    Bytes all;
    for (int rank = 0; rank < ranks; ++rank) {
        const Bytes piece = piece_of(rank);
        all.insert(all.end(), piece.begin(), piece.end());
    }
    return all;
}

/// As by a call that waits, or as by a request.
int learn(Plan& plan, coll_topo_transport& transport, int root, std::size_t* sizes, bool waits) {
    Workspace workspace;
    if (waits) return exchange_piece_sizes(plan, transport, root, sizes, workspace);
    Execution execution;
    if (const int error = execution.begin_sizes(plan, transport, root, sizes); error != 0) return error;
    while (!execution.advance()) transport.progress(&transport);
    return execution.error();
}

/// One rank, which knows its own size, and if it is the root of a scatter all.
void run_and_check(Plan& plan, coll_topo_transport& transport, int root, bool waits) {
    const bool gathers = plan.collective == Collective::gather, is_root = plan.rank == root;
    Workspace workspace;
    std::vector<std::size_t> sizes(plan.ranks, 0);
    for (int rank = 0; rank < plan.ranks; ++rank) {
        if (rank == plan.rank || (is_root && !gathers)) sizes[rank] = size_of(rank);
    }
    ASSERT_EQ(learn(plan, transport, root, sizes.data(), waits), 0);
    for (const std::int32_t rank : plan.program.scratch_order) EXPECT_EQ(sizes[rank], size_of(rank)) << "rank " << rank;

    const Bytes expected = all_pieces(plan.ranks);
    Bytes own = gathers ? piece_of(plan.rank) : Bytes(size_of(plan.rank));
    Bytes all = !is_root ? Bytes() : gathers ? Bytes(expected.size()) : expected;
    const void* const input = gathers ? own.data() : all.data();
    void* const output = gathers ? all.data() : own.data();
    const std::size_t known = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    const coll_topo_buffers buffers{input, output, known, {nullptr, sizes.data()}, nullptr};
    ASSERT_EQ(execute(plan, transport, buffers, workspace), 0);
    if (!gathers) {
        EXPECT_EQ(own, piece_of(plan.rank));
    } else if (is_root) {
        EXPECT_EQ(all, expected);
    }
}

void run_all(const char* algorithm, Collective collective, int root) {
    const Grid grid = full_grid({4, 3});
    const Problem problem{.collective = collective, .root = root};
    const Schedule schedule = build_all(*find_algorithm(algorithm), grid, problem);
    MessageBoard board;
    const int ranks = grid.ranks();
    run_ranks(ranks, [&](int rank) {
        const auto nothing = [](const void*, void*) {};
        InProcessTransport transport(board, rank, 1, nothing, true);
        Plan plan(schedule[rank], collective, ranks, rank, 4);
        for (const bool waits : {true, false}) run_and_check(plan, transport, root, waits);
    });
}

TEST(PieceSizes, ReachEveryRankThatPassesThePiecesOn) {
    for (const char* const algorithm : {"balanced_tree", "dimension_binomial", "binomial", "linear"}) {
        for (const Collective collective : {Collective::gather, Collective::scatter}) {
            for (const int root : {0, 5, 11}) run_all(algorithm, collective, root);
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
