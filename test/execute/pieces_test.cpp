// SPDX-License-Identifier: BSD-3-Clause
//
// Direct schedules of alltoall on pieces with places and sizes of their own.

#include "coll_topo/execute/executor.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/in_process_transport.hpp"
#include "test/execute/rank_threads.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

namespace coll_topo::test {
namespace {

using Bytes = std::vector<std::byte>;

/// Bytes from one rank to another: none for some pairs, many for one.
std::size_t piece_size(int from, int to) {
    if (from == 1 && to == 0) return 1000;
    return static_cast<std::size_t>((from * 5 + to * 3) % 4 * (from + 1));
}

Bytes piece(int from, int to) {
    Bytes bytes(piece_size(from, to));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(from * 31 + to * 7 + i);
    return bytes;
}

/// One rank with each of its pieces in memory of its own.
class PieceRank : public InProcessTransport {
public:
    PieceRank(MessageBoard& board, int rank, int ranks) : InProcessTransport(board, rank, 1, nullptr, true) {
        for (int peer = 0; peer < ranks; ++peer) {
            input_.push_back(piece(rank, peer));
            output.emplace_back(piece_size(peer, rank));
            input_begin_.push_back(input_begin_.back() + input_.back().size());
            output_begin_.push_back(output_begin_.back() + output.back().size());
        }
        access_.input_begin = input_begin_.data();
        access_.output_begin = output_begin_.data();
        access_.send = [](coll_topo_transport* t, size_t at, size_t bytes, int piece, int peer, int lane,
                          void** request) {
            EXPECT_EQ(piece, peer);
            const Bytes& from = self(t).input_[piece];
            EXPECT_LE(at + bytes, from.size());
            return t->send(t, from.data() + at, bytes, peer, lane, request);
        };
        access_.receive = [](coll_topo_transport* t, size_t at, size_t bytes, int piece, int peer, int lane,
                             void** request) {
            EXPECT_EQ(piece, peer);
            Bytes& into = self(t).output[piece];
            EXPECT_LE(at + bytes, into.size());
            return t->receive(t, into.data() + at, bytes, peer, lane, request);
        };
        access_.copy = [](coll_topo_transport* t, int from, int to) {
            EXPECT_EQ(from, self(t).own_);
            self(t).output[to] = self(t).input_[from];
            return 0;
        };
        pieces = &access_;
        extent = 0;
        own_ = rank;
    }

    std::vector<Bytes> output;

private:
    static PieceRank& self(coll_topo_transport* transport) { return *static_cast<PieceRank*>(transport); }

    coll_topo_pieces access_{};
    std::vector<Bytes> input_;
    std::vector<std::size_t> input_begin_ = {0};
    std::vector<std::size_t> output_begin_ = {0};
    int own_ = 0;
};

struct PieceRanks {
    PieceRanks(const Schedule& schedule, std::size_t segment_bytes) {
        const int ranks = static_cast<int>(schedule.size());
        for (int rank = 0; rank < ranks; ++rank) {
            plans.push_back(std::make_unique<Plan>(schedule[rank], Collective::alltoall, ranks, rank, segment_bytes));
            transports.push_back(std::make_unique<PieceRank>(board, rank, ranks));
        }
    }

    std::vector<int> run() {
        std::vector<int> results(plans.size());
        run_ranks(static_cast<int>(plans.size()), [&](int rank) {
            Workspace workspace;
            results[rank] = execute(*plans[rank], *transports[rank], {}, workspace);
        });
        return results;
    }

    MessageBoard board;
    std::vector<std::unique_ptr<Plan>> plans;
    std::vector<std::unique_ptr<PieceRank>> transports;
};

void for_every_direct_schedule(const Grid& grid, const std::function<void(const Schedule&)>& body) {
    for (const Algorithm& algorithm : catalogue()) {
        if (!algorithm.direct || !algorithm.serves(Collective::alltoall)) continue;
        for (const Problem& problem : problems(algorithm, Collective::alltoall, grid)) {
            SCOPED_TRACE(describe(algorithm, problem));
            body(build_all(algorithm, grid, problem));
        }
    }
}

TEST(Pieces, ArriveWholeOrCut) {
    for_every_direct_schedule(full_grid({3, 2}), [](const Schedule& schedule) {
        for (const std::size_t segment : {std::size_t{0}, std::size_t{1}, std::size_t{7}}) {
            PieceRanks ranks(schedule, segment);
            EXPECT_EQ(ranks.run(), std::vector<int>(schedule.size(), 0));
            std::size_t longest = 0;
            for (std::size_t to = 0; to < schedule.size(); ++to) {
                for (std::size_t from = 0; from < schedule.size(); ++from) {
                    EXPECT_EQ(ranks.transports[to]->output[from], piece(static_cast<int>(from), static_cast<int>(to)))
                        << "from rank " << from << " to rank " << to << ", cut after " << segment;
                }
                longest = std::max(longest, ranks.transports[to]->longest_message());
            }
            EXPECT_EQ(longest, segment == 0 ? 1000 : segment);
        }
    });
}

TEST(Pieces, EndWithTheCodeOfAFailedRequestAndLeaveNonePosted) {
    for_every_direct_schedule(full_grid({2, 2}), [](const Schedule& schedule) {
        for (int nth = 0; nth < 6; ++nth) {
            PieceRanks ranks(schedule, 3);
            PieceRank& failing = *ranks.transports[nth % 4];
            failing.fail_at(nth);
            EXPECT_EQ(ranks.run()[nth % 4], failing.failure_code()) << "failure " << nth;
            for (const auto& transport : ranks.transports) EXPECT_EQ(transport->outstanding(), 0);
        }
    });
}

}  // namespace
}  // namespace coll_topo::test
