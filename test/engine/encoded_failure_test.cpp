// SPDX-License-Identifier: BSD-3-Clause
//
// Every call of the transport fails once, in reductions whose operands are encoded: messages in memory of their own,
// and several plans one after the other.
#include "coll_topo/engine/encoded_reduction.hpp"

#include "test/algorithm/trial.hpp"
#include "test/engine/encoded_ranks.hpp"
#include "test/execute/failing_transport.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace coll_topo::test {
namespace {

constexpr std::size_t piece = 5;  // elements

/// Some that are exact, some with a rest, and some whose sums must be repaired.
Values operands(int ranks) {
    Values values(piece * ranks);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::ldexp(1.0 + static_cast<double>(i) / 3, i % 60);
    values[1] = std::numeric_limits<double>::infinity();
    values.back() = std::nan("3");
    return values;
}

void fail_each_call_of(const Algorithm& algorithm, const Grid& grid, const Problem& problem, int reproducible, int rank,
                       std::size_t segment_bytes) {
    const int ranks = grid.ranks();
    const bool scatters = problem.collective == Collective::reduce_scatter_block;
    const Problem allreduce{Collective::allreduce};
    Plan plan(algorithm.build(grid, problem, rank), problem.collective, ranks, rank, segment_bytes);
    Plan other(any_allreduce(grid).build(grid, allreduce, rank), Collective::allreduce, ranks, rank, segment_bytes);
    EncodedMemory memory;
    Workspace workspace;
    FailingTransport transport(1);
    fail_each_call(transport, [&] {
        const Values contributed = operands(ranks);
        Values values = contributed;
        const coll_topo_buffers buffers{
            contributed.data(), values.data(), scatters ? piece : values.size(), {}, nullptr};
        const coll_topo_encoded_reduction reduction{reproducible,       COLL_TOPO_SUM,      COLL_TOPO_DOUBLE,
                                                    contributed.data(), contributed.size(), true};
        return EncodedReduction(reduction, plan, other, transport, memory, workspace).run(buffers);
    });
}

TEST(EncodedReduction, EndsWithTheCodeOfAnyCallThatFails) {
    int turn = 0;
    for (const Algorithm& algorithm : catalogue()) {
        for (const Collective collective :
             {Collective::allreduce, Collective::reduce, Collective::reduce_scatter_block}) {
            if (!algorithm.serves(collective)) continue;
            for (const Grid& grid : {full_grid({2}), full_grid({3, 2}), full_grid({2}, 2)}) {
                for (const Problem& problem : problems(algorithm, collective, grid, 1)) {
                    const int reproducible = turn % 4 == 3 ? COLL_TOPO_FIXED_POINT : COLL_TOPO_EXACT;
                    SCOPED_TRACE(describe(algorithm, problem) + ", " + grid.summary());
                    fail_each_call_of(algorithm, grid, problem, reproducible, turn % grid.ranks(), turn % 3 * 27);
                    if (HasFailure()) return;
                    ++turn;
                }
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
