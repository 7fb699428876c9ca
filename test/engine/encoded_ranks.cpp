// SPDX-License-Identifier: BSD-3-Clause
#include "test/engine/encoded_ranks.hpp"

#include "test/execute/rank_threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace coll_topo::test {

const Algorithm& any_allreduce(const Grid& grid) {
    const auto serves = [&](const Algorithm& row) {
        return row.serves(Collective::allreduce) && row.refusal(grid, Problem{}).empty();
    };
    return *std::ranges::find_if(catalogue(), serves);
}

EncodedRanks::EncodedRanks(const Grid& grid, const Algorithm& algorithm, const Problem& problem,
                           std::size_t segment_bytes)
    : problem_(problem) {
    const bool is_allreduce = problem.collective == Collective::allreduce;
    const Problem allreduce = is_allreduce ? problem : Problem{Collective::allreduce};
    const Algorithm& other = is_allreduce ? algorithm : any_allreduce(grid);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        ranks_.push_back(std::make_unique<Rank>(
            Plan(algorithm.build(grid, problem, rank), problem.collective, grid.ranks(), rank, segment_bytes),
            Plan(other.build(grid, allreduce, rank), Collective::allreduce, grid.ranks(), rank, segment_bytes),
            InProcessTransport(board_, rank, 1, {}, true)));
    }
}

std::vector<Values> EncodedRanks::run(int reproducible, int operation, const std::vector<Values>& operands) {
    std::vector<Values> results(size());
    run_ranks(size(), [&](int rank) { results[rank] = run(rank, reproducible, operation, operands[rank]); });
    return results;
}

Values EncodedRanks::part(const Values& all, int rank) const {
    if (problem_.collective == Collective::reduce && rank != problem_.root) return {};
    if (!scatters()) return all;
    const std::vector<int> sizes = pieces(all.size());
    const auto begin = all.begin() + std::accumulate(sizes.begin(), sizes.begin() + rank, 0);
    return {begin, begin + sizes[rank]};
}

std::size_t EncodedRanks::bytes_sent() const {
    return std::accumulate(ranks_.begin(), ranks_.end(), std::size_t{0},
                           [](std::size_t sum, const auto& rank) { return sum + rank->transport.bytes_sent(); });
}

bool EncodedRanks::scatters() const {
    return problem_.collective == Collective::reduce_scatter || problem_.collective == Collective::reduce_scatter_block;
}

std::vector<int> EncodedRanks::pieces(std::size_t elements) const {
    std::vector<int> sizes(size(), static_cast<int>(elements / size()));
    if (problem_.collective == Collective::reduce_scatter_block) return sizes;
    for (int rank = 0; rank + 1 < size(); rank += 2) {
        sizes[rank] += sizes[rank + 1];
        sizes[rank + 1] = 0;
    }
    return sizes;
}

Values EncodedRanks::run(int rank, int reproducible, int operation, const Values& operands) {
    Rank& own = *ranks_[rank];
    const bool equal = problem_.collective == Collective::reduce_scatter_block;
    const std::vector<int> sizes = scatters() ? pieces(operands.size()) : std::vector<int>();
    Values values = operands;
    const coll_topo_buffers buffers{values.data(),
                                    values.data(),
                                    equal ? static_cast<std::size_t>(sizes[0]) : operands.size(),
                                    {scatters() && !equal ? sizes.data() : nullptr, nullptr},
                                    nullptr};
    const bool has_result = problem_.collective != Collective::reduce || rank == problem_.root;
    const coll_topo_encoded_reduction reduction{reproducible,    operation,       COLL_TOPO_DOUBLE,
                                                operands.data(), operands.size(), has_result};
    const int code =
        EncodedReduction(reduction, own.plan, own.allreduce, own.transport, own.memory, own.workspace).run(buffers);
    // The others may have been done before.
    const bool may_fail = failing_ >= 0, must_fail = failing_ == rank;
    EXPECT_TRUE(code == (must_fail ? own.transport.failure_code() : 0) ||
                (may_fail && code == own.transport.failure_code()))
        << "rank " << rank << ": " << code;
    EXPECT_EQ(own.transport.outstanding(), 0);
    values.resize(!has_result ? 0 : scatters() ? sizes[rank] : values.size());
    return values;
}

}  // namespace coll_topo::test
