// SPDX-License-Identifier: BSD-3-Clause
//
// Gather and scatter of pieces whose sizes only the root knows: the plan runs with the sizes and with short pieces,
// then with the others.

#include "coll_topo/execute/piece_sizes.hpp"

#include "coll_topo/execute/execution.hpp"
#include "coll_topo/execute/executor.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/in_process_transport.hpp"
#include "test/execute/rank_threads.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <cstring>
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

/// Those of more than so many bytes, one after the other.
Bytes long_pieces(int ranks, std::size_t short_bytes) {
    Bytes all;
    for (int rank = 0; rank < ranks; ++rank) {
        const Bytes piece = piece_of(rank);
        if (piece.size() > short_bytes) all.insert(all.end(), piece.begin(), piece.end());
    }
    return all;
}

void fill(char* cell, int rank, std::size_t short_bytes) {
    const Bytes piece = piece_of(rank);
    const std::size_t size = piece.size();
    std::memcpy(cell, &size, sizeof size);
    if (0 < size && size <= short_bytes) std::memcpy(cell + sizeof size, piece.data(), size);
}

/// Whether the cell has the piece, if it is short.
bool holds(const char* cell, int rank, std::size_t short_bytes) {
    const Bytes piece = piece_of(rank);
    std::size_t size = 0;
    std::memcpy(&size, cell, sizeof size);
    if (size != piece.size()) return false;
    return size == 0 || size > short_bytes || std::memcmp(cell + sizeof size, piece.data(), size) == 0;
}

/// One rank, which knows its own piece, and if it is the root of a scatter all.
class Rank {
public:
    Rank(Plan& plan, coll_topo_transport& transport, int root, std::size_t short_bytes)
        : plan_(plan),
          transport_(transport),
          root_(root),
          gathers_(plan.collective == Collective::gather),
          is_root_(plan.rank == root),
          cell_bytes_(sizeof(std::size_t) + short_bytes),
          own_(cell_bytes_),
          all_(is_root_ ? plan.ranks * cell_bytes_ : 0),
          cells_{short_bytes, own_.data(), is_root_ ? all_.data() : nullptr},
          sizes_(plan.ranks, 0) {}

    /// As by a call that waits, or as by a request.
    void learn(bool waits) {
        if (gathers_) fill(own_.data(), plan_.rank, cells_.short_bytes);
        for (int rank = 0; !gathers_ && is_root_ && rank < plan_.ranks; ++rank) {
            fill(cell(rank), rank, cells_.short_bytes);
        }
        ASSERT_EQ(exchange(waits), 0);
        for (const std::int32_t rank : plan_.program.scratch_order) {
            EXPECT_EQ(sizes_[rank], size_of(rank)) << "rank " << rank;
        }
        if (!gathers_) {
            EXPECT_TRUE(holds(own_.data(), plan_.rank, cells_.short_bytes));
        }
        for (int rank = 0; gathers_ && is_root_ && rank < plan_.ranks; ++rank) {
            EXPECT_TRUE(holds(cell(rank), rank, cells_.short_bytes)) << "rank " << rank;
        }
    }

    /// With what was too long for its cell.
    void move_long_pieces() {
        for (std::size_t& size : sizes_) size = size > cells_.short_bytes ? size : 0;
        const Bytes expected = long_pieces(plan_.ranks, cells_.short_bytes);
        Bytes own = gathers_ ? piece_of(plan_.rank) : Bytes(size_of(plan_.rank));
        Bytes all = !is_root_ ? Bytes() : gathers_ ? Bytes(expected.size()) : expected;
        const void* const input = gathers_ ? own.data() : all.data();
        void* const output = gathers_ ? all.data() : own.data();
        const std::size_t known = std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{0});
        const coll_topo_buffers buffers{input, output, known, {nullptr, sizes_.data()}, nullptr};
        Workspace workspace;
        ASSERT_EQ(execute(plan_, transport_, buffers, workspace), 0);
        if (!gathers_ && own.size() > cells_.short_bytes) {
            EXPECT_EQ(own, piece_of(plan_.rank));
        } else if (gathers_ && is_root_) {
            EXPECT_EQ(all, expected);
        }
    }

private:
    char* cell(int rank) { return all_.data() + rank * cell_bytes_; }

    int exchange(bool waits) {
        Workspace workspace;
        if (waits) return exchange_piece_sizes(plan_, transport_, root_, cells_, sizes_.data(), workspace);
        Execution execution;
        if (const int error = execution.begin_sizes(plan_, transport_, root_, cells_, sizes_.data()); error != 0) {
            return error;
        }
        while (!execution.advance()) transport_.progress(&transport_);
        return execution.error();
    }

    Plan& plan_;
    coll_topo_transport& transport_;
    int root_;
    bool gathers_, is_root_;
    std::size_t cell_bytes_;
    std::vector<char> own_, all_;
    coll_topo_cells cells_;
    std::vector<std::size_t> sizes_;
};

void run_all(const char* algorithm, Collective collective, int root, std::size_t short_bytes) {
    const Grid grid = full_grid({4, 3});
    const Problem problem{.collective = collective, .root = root};
    const Schedule schedule = build_all(*find_algorithm(algorithm), grid, problem);
    MessageBoard board;
    const int ranks = grid.ranks();
    run_ranks(ranks, [&](int rank) {
        const auto nothing = [](const void*, void*) {};
        InProcessTransport transport(board, rank, 1, nothing, true);
        Plan plan(schedule[rank], collective, ranks, rank, 4);
        for (const bool waits : {true, false}) {
            Rank one(plan, transport, root, short_bytes);
            one.learn(waits);
            one.move_long_pieces();
        }
    });
}

TEST(PieceSizes, ReachEveryRankThatPassesThePiecesOn) {
    for (const char* const algorithm : {"balanced_tree", "dimension_binomial", "binomial", "linear"}) {
        for (const Collective collective : {Collective::gather, Collective::scatter}) {
            for (const int root : {0, 5, 11}) {
                for (const std::size_t short_bytes : {0, 5, 16}) run_all(algorithm, collective, root, short_bytes);
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
