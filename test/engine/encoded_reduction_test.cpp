// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions whose operands are encoded, by every algorithm that reduces, run by threads.
#include "coll_topo/engine/encoded_reduction.hpp"

#include "test/algorithm/fat_tree.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/in_process_transport.hpp"
#include "test/placement/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace coll_topo::test {
namespace {

using Values = std::vector<double>;
using Bits = std::vector<std::uint64_t>;

Bits bits_of(const Values& values) {
    Bits bits;
    for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
}

/// What the ranks contribute: sums that cancel, that overflow on the way, and what is no number, among others.
std::vector<Values> contributions(int ranks, std::size_t elements, std::uint32_t seed) {
    constexpr double infinity = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
    std::mt19937_64 engine(seed);
    std::vector<Values> all(ranks, Values(elements));
    for (std::size_t i = 0; i < elements; ++i) {
        for (int rank = 0; rank < ranks; ++rank) {
            const double random = std::ldexp(static_cast<double>(engine()) - 0x1p63, static_cast<int>(engine() % 90) - 90);
            double& value = all[rank][i] = random;
            if (i % 11 == 3) value = rank % 2 == 0 ? largest : -largest / 2;
            if (i % 11 == 5 && rank > 0 && rank % 2 == 1) value = -all[rank - 1][i];
            if (i % 11 == 7) value = rank % 3 == 0 ? 1.0 : std::ldexp(1.0, -53 - 60 * (rank % 3));
            if (i % 44 == 9 && rank == ranks / 2) value = i % 88 == 9 ? infinity : std::nan("17");
            if (i % 33 == 10) value = -0.0;
        }
    }
    return all;
}

/// The exact sums, one operand after the other.
Values exact_sums(const std::vector<Values>& operands) {
    const ExactEncoding& encoding = superaccumulator(FloatingType::double_precision);
    const std::size_t elements = operands[0].size();
    std::vector<std::byte> sum(elements * encoding.encoded_bytes), term(sum.size());
    encoding.encode(operands[0].data(), sum.data(), elements);
    for (std::size_t rank = 1; rank < operands.size(); ++rank) {
        encoding.encode(operands[rank].data(), term.data(), elements);
        encoding.combine(term.data(), sum.data(), elements);
    }
    Values result(elements);
    encoding.decode(sum.data(), result.data(), elements);
    return result;
}

const Algorithm& any_allreduce(const Grid& grid) {
    const auto serves = [&](const Algorithm& row) {
        return row.serves(Collective::allreduce) && row.refusal(grid, Problem{}).empty();
    };
    return *std::ranges::find_if(catalogue(), serves);
}

/// All ranks of a communicator as threads, running reductions of doubles.
class EncodedRanks {
public:
    EncodedRanks(const Grid& grid, const Algorithm& algorithm, const Problem& problem, std::size_t segment_bytes)
        : problem_(problem) {
        const Problem allreduce{Collective::allreduce};
        const Algorithm& other = any_allreduce(grid);
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            ranks_.push_back(std::make_unique<Rank>(
                Plan(algorithm.build(grid, problem, rank), problem.collective, grid.ranks(), rank, segment_bytes),
                Plan(other.build(grid, allreduce, rank), Collective::allreduce, grid.ranks(), rank, segment_bytes),
                InProcessTransport(board_, rank, 1, {}, true)));
        }
    }

    int size() const { return static_cast<int>(ranks_.size()); }

    /// The result of each rank, in place. Pieces differ in size where they may.
    std::vector<Values> run(int reproducible, int operation, const std::vector<Values>& operands) {
        std::vector<Values> results(size());
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < size(); ++rank) {
            threads.emplace_back([&, rank] { results[rank] = run(rank, reproducible, operation, operands[rank]); });
        }
        threads.clear();
        return results;
    }

    std::vector<int> pieces(std::size_t elements) const {
        const bool equal = problem_.collective == Collective::reduce_scatter_block;
        std::vector<int> sizes(size(), static_cast<int>(elements / size()));
        for (int rank = 0; !equal && rank + 1 < size(); rank += 2) {
            sizes[rank] += sizes[rank + 1];
            sizes[rank + 1] = 0;
        }
        return sizes;
    }

    std::size_t bytes_sent() const {
        return std::accumulate(ranks_.begin(), ranks_.end(), std::size_t{0},
                               [](std::size_t sum, const auto& rank) { return sum + rank->transport.bytes_sent(); });
    }

private:
    struct Rank {
        Rank(Plan plan_, Plan allreduce_, InProcessTransport transport_)
            : plan(std::move(plan_)), allreduce(std::move(allreduce_)), transport(std::move(transport_)) {}
        Plan plan, allreduce;
        InProcessTransport transport;
        EncodedMemory memory;
        Workspace workspace;
    };

    Values run(int rank, int reproducible, int operation, const Values& operands) {
        Rank& own = *ranks_[rank];
        const bool scatters = problem_.collective == Collective::reduce_scatter ||
                              problem_.collective == Collective::reduce_scatter_block;
        const std::vector<int> sizes = scatters ? pieces(operands.size()) : std::vector<int>();
        Values values = operands;
        const bool equal = problem_.collective == Collective::reduce_scatter_block;
        const coll_topo_buffers buffers{values.data(), values.data(), equal ? static_cast<std::size_t>(sizes[0]) : operands.size(),
                                        scatters && !equal ? sizes.data() : nullptr};
        const bool has_result = problem_.collective != Collective::reduce || rank == problem_.root;
        const coll_topo_encoded_reduction reduction{reproducible,    operation,       COLL_TOPO_DOUBLE,
                                                    operands.data(), operands.size(), has_result};
        EXPECT_EQ(EncodedReduction(reduction, own.plan, own.allreduce, own.transport, own.memory, own.workspace)
                      .run(buffers),
                  0);
        EXPECT_EQ(own.transport.outstanding(), 0);
        values.resize(!has_result ? 0 : scatters ? sizes[rank] : values.size());
        return values;
    }

    const Problem problem_;
    MessageBoard board_;
    std::vector<std::unique_ptr<Rank>> ranks_;
};

/// Of all elements the part that a rank gets.
Values part(const EncodedRanks& ranks, const Problem& problem, const Values& all, int rank) {
    if (problem.collective == Collective::allreduce) return all;
    if (problem.collective == Collective::reduce) return rank == problem.root ? all : Values();
    const std::vector<int> sizes = ranks.pieces(all.size());
    const auto begin = all.begin() + std::accumulate(sizes.begin(), sizes.begin() + rank, 0);
    return {begin, begin + sizes[rank]};
}

void check(EncodedRanks& ranks, const Problem& problem, std::size_t elements) {
    const auto operands = contributions(ranks.size(), elements, 31 * ranks.size() + elements);
    const Values expected = exact_sums(operands);
    const auto results = ranks.run(COLL_TOPO_EXACT, COLL_TOPO_SUM, operands);
    for (int rank = 0; rank < ranks.size(); ++rank) {
        ASSERT_EQ(bits_of(results[rank]), bits_of(part(ranks, problem, expected, rank))) << "rank " << rank;
    }
}

std::vector<Grid> grids() {
    std::vector<Grid> all;
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{2}, {3}, {2, 2}, {7}, {3, 4}}) {
        all.push_back(full_grid(sizes));
    }
    all.push_back(full_grid({3, 2}, 2));
    const Machine machine = roll_fat_tree(11, 5);
    all.push_back(Grid::from_fabric(machine.fabric, machine.placement).value());
    return all;
}

TEST(EncodedReduction, ExactSumsByEveryAlgorithm) {
    constexpr std::size_t segment_bytes[] = {0, 18, 100};
    int turn = 0;
    for (const Algorithm& algorithm : catalogue()) {
        for (const Collective collective : {Collective::allreduce, Collective::reduce, Collective::reduce_scatter,
                                            Collective::reduce_scatter_block}) {
            if (!algorithm.serves(collective)) continue;
            for (const Grid& grid : grids()) {
                for (const Problem& problem : problems(algorithm, collective, grid, 2)) {
                    SCOPED_TRACE(describe(algorithm, problem) + ", " + grid.summary());
                    EncodedRanks ranks(grid, algorithm, problem, segment_bytes[turn++ % std::size(segment_bytes)]);
                    for (const int each : {0, 1, 9}) check(ranks, problem, each * ranks.size());
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
