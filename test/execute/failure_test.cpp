// SPDX-License-Identifier: BSD-3-Clause
//
// Every call of the transport fails once, in every algorithm and every way in which the executor runs it.

#include "coll_topo/execute/execution.hpp"
#include "coll_topo/execute/executor.hpp"
#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/failing_transport.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

constexpr std::size_t element_size = 8;

/// One rank's part of a schedule, with memory for it.
class Rank {
public:
    Rank(Program program, Collective collective, int ranks, int rank, std::size_t elements, std::size_t segment_bytes)
        : plan_(std::move(program), collective, ranks, rank, segment_bytes), piece_elements_(ranks) {
        for (int other = 0; other < ranks; ++other) piece_elements_[other] = (other + rank) % 3;
        const bool pieces_differ = collective == Collective::reduce_scatter;
        // Enough for any: a piece for each rank.
        const std::size_t most = std::max<std::size_t>(elements, 2) * static_cast<std::size_t>(ranks) * element_size;
        input_.resize(most);
        output_.resize(most);
        buffers_ = {input_.data(),
                    output_.data(),
                    pieces_differ ? 0 : elements,
                    {pieces_differ ? piece_elements_.data() : nullptr, nullptr},
                    nullptr};
    }

    /// To its end at once, or driven step by step: every few objects take the other way.
    int run(FailingTransport& transport) {
        if (!driven_) return execute(plan_, transport, buffers_, workspace_);
        if (const int error = execution_.begin(plan_, transport, buffers_); error != 0) return error;
        while (!execution_.advance()) transport.progress(&transport);
        return execution_.error();
    }

private:
    static inline int made_ = 0;

    Plan plan_;
    std::vector<int> piece_elements_;
    std::vector<std::byte> input_, output_;
    coll_topo_buffers buffers_{};
    Workspace workspace_;
    Execution execution_;
    const bool driven_ = made_++ / 6 % 2 != 0;
};

std::vector<Grid> grids() {
    std::vector<Grid> all = {full_grid({2}), full_grid({2, 2}), full_grid({3, 2}), full_grid({3}, 2)};
    const Machine machine = roll_fat_tree(11, 5);
    all.push_back(Grid::from_fabric(machine.fabric, machine.placement).value());
    return all;
}

/// body(algorithm, program, collective, ranks, rank, turn) for the first or the last rank of all schedules: `least` or
/// more.
template <typename Body>
void for_schedules(const std::vector<Collective>& collectives, int least, Body body) {
    int turn = 0;
    for (const Algorithm& algorithm : rows_to_try()) {
        for (const Collective collective : collectives) {
            if (!algorithm.serves(collective)) continue;
            for (const Grid& grid : grids()) {
                for (const Problem& problem : problems(algorithm, collective, grid, 2)) {
                    SCOPED_TRACE(describe(algorithm, problem) + ", " + grid.summary());
                    const int rank = turn % 2 == 0 ? 0 : grid.ranks() - 1;
                    body(algorithm, algorithm.build(grid, problem, rank), collective, grid.ranks(), rank, turn++);
                    if (testing::Test::HasFailure()) return;
                }
            }
        }
    }
    if (tries_all_rows()) {
        EXPECT_GE(turn, least);
    }
}

/// Whole messages, then segments of one element, of two.
constexpr std::size_t segment_bytes[] = {0, element_size, 2 * element_size};
constexpr std::size_t counts[] = {1, 5};

const std::vector<Collective> reductions = {Collective::allreduce, Collective::reduce, Collective::reduce_scatter,
                                            Collective::reduce_scatter_block};

TEST(Failure, OfAnyCallEndsAReduction) {
    for_schedules(reductions, 700,
                  [](const Algorithm&, const Program& program, Collective collective, int ranks, int rank, int turn) {
                      FailingTransport transport(element_size);
                      // Operands change places by a copy then.
                      transport.commutative = turn / 2 % 2;
                      Rank own(program, collective, ranks, rank, counts[turn % 2], segment_bytes[turn % 3]);
                      fail_each_call(transport, [&] { return own.run(transport); });
                  });
}

TEST(Failure, OfAnyCallEndsAReductionOfPartialSums) {
    for_schedules(reductions, 700,
                  [](const Algorithm&, const Program& program, Collective collective, int ranks, int rank, int turn) {
                      FailingTransport transport(element_size);
                      transport.use_partial_sums();
                      Rank own(program, collective, ranks, rank, counts[turn % 2], segment_bytes[turn % 3]);
                      fail_each_call(transport, [&] { return own.run(transport); });
                  });
}

TEST(Failure, OfAnyCallEndsAMoveOfData) {
    for_schedules({Collective::bcast, Collective::allgather, Collective::alltoall}, 400,
                  [](const Algorithm&, const Program& program, Collective collective, int ranks, int rank, int turn) {
                      FailingTransport transport(element_size);
                      if (collective == Collective::allgather && turn % 2 == 0) transport.use_packing();
                      Rank own(program, collective, ranks, rank, counts[turn / 2 % 2], segment_bytes[turn % 3]);
                      fail_each_call(transport, [&] { return own.run(transport); });
                  });
}

TEST(Failure, OfAnyCallEndsAnExchangeOfPieces) {
    for_schedules(
        {Collective::alltoall}, 40,
        [](const Algorithm& algorithm, const Program& program, Collective collective, int ranks, int rank, int turn) {
            if (!algorithm.direct) return;
            std::vector<std::size_t> sizes;
            for (int peer = 0; peer < ranks; ++peer) sizes.push_back((peer + turn) % 4 * 5);
            FailingTransport transport(1);
            transport.use_pieces(sizes);
            Rank own(program, collective, ranks, rank, 0, turn % 2 == 0 ? 0 : 4);
            fail_each_call(transport, [&] { return own.run(transport); });
        });
}

// What is at hand goes step by step, longer than what is bound by latency too.
TEST(Failure, OfAnyCallEndsARunOfWhatIsAtHand) {
    for_schedules({Collective::allreduce, Collective::allgather, Collective::alltoall, Collective::bcast}, 400,
                  [](const Algorithm&, const Program& program, Collective collective, int ranks, int rank, int) {
                      FailingTransport transport(element_size);
                      transport.at_hand_bytes = std::size_t{1} << 20;
                      Rank own(program, collective, ranks, rank, 1000, 0);
                      fail_each_call(transport, [&] { return own.run(transport); });
                  });
}

// Steps that have receives posted ahead, and others whose sends are still under way, when a call fails.
TEST(Failure, OfAnyCallEndsAPipeline) {
    for (const int rank : {0, 1, 2}) {
        FailingTransport transport(element_size);
        Rank own(chain_bcast(3, 0, 6)[rank], Collective::bcast, 3, rank, 12, element_size);
        fail_each_call(transport, [&] { return own.run(transport); });
    }
}

}  // namespace
}  // namespace coll_topo::test
