// SPDX-License-Identifier: BSD-3-Clause
//
// Runs that are under way at once: what one of them writes down of its data must not be another's.

#include "coll_topo/execute/execution.hpp"

#include "test/algorithm/trial.hpp"
#include "test/execute/ranks.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace coll_topo::test {
namespace {

void add(const void* left, void* right) {
    static_cast<Affine*>(right)->b += static_cast<const Affine*>(left)->b;
}

/// One allreduce or reduce_scatter on all ranks of the plans. Its messages are its own, as those of a tag are.
class Run {
public:
    /// `executions`, one for each rank, may have run other plans.
    Run(const std::vector<std::unique_ptr<Plan>>& plans, std::vector<Execution>& executions, std::size_t elements)
        : plans_(plans), executions_(executions) {
        const int ranks = static_cast<int>(plans.size());
        for (int rank = 0; rank < ranks; ++rank) {
            pieces_.push_back(static_cast<int>(elements * (rank % 3)));
            begin_.push_back(total_);
            total_ += pieces_.back();
        }
        whole_ = plans[0]->collective == Collective::allreduce ? elements : total_;
        for (int rank = 0; rank < ranks; ++rank) {
            transports_.push_back(std::make_unique<InProcessTransport>(board_, rank, sizeof(Affine), add, true));
            operands_.push_back(contributions(rank, whole_));
            results_.emplace_back(whole_ + 1);
        }
    }

    /// A step of one rank. True once it has ended.
    bool advance(int rank) {
        if (ended_ >> rank & 1U) return true;
        if (!(begun_ >> rank & 1U)) {
            begun_ |= 1U << rank;
            const bool scatters = plans_[rank]->collective == Collective::reduce_scatter;
            const coll_topo_buffers buffers{scatters ? operands_[rank].data() : nullptr,
                                            results_[rank].data(),
                                            scatters ? 0 : whole_,
                                            {scatters ? pieces_.data() : nullptr, nullptr},
                                            operands_[rank].data()};
            EXPECT_EQ(turn_ == 1 ? executions_[rank].repeat()
                                 : executions_[rank].begin(*plans_[rank], *transports_[rank], buffers, turn_ > 1),
                      0);
        }
        if (!executions_[rank].advance()) return false;
        EXPECT_EQ(executions_[rank].error(), 0);
        ended_ |= 1U << rank;
        return true;
    }

    /// Once it has ended on all ranks: the same run is to begin once more, with other operands in the same memory.
    void change_operands() {
        ++turn_;
        begun_ = ended_ = 0;
        for (auto& operands : operands_) {
            for (Affine& operand : operands) ++operand.b;
        }
        for (auto& results : results_) std::fill(results.begin(), results.end(), Affine{});
    }

    void check() const {
        for (std::size_t rank = 0; rank < plans_.size(); ++rank) {
            const bool scatters = plans_[rank]->collective == Collective::reduce_scatter;
            const std::size_t first = scatters ? begin_[rank] : 0, count = scatters ? pieces_[rank] : whole_;
            for (std::size_t i = 0; i < count; ++i) {
                std::uint32_t sum = 0;
                for (std::size_t from = 0; from < plans_.size(); ++from) {
                    sum += contribution(static_cast<int>(from), first + i).b + turn_;
                }
                ASSERT_EQ(results_[rank][i].b, sum) << "rank " << rank << ", element " << i << " of " << count;
            }
        }
    }

private:
    const std::vector<std::unique_ptr<Plan>>& plans_;
    MessageBoard board_;
    std::vector<Execution>& executions_;
    std::vector<std::unique_ptr<InProcessTransport>> transports_;
    std::vector<std::vector<Affine>> operands_, results_;
    std::vector<int> pieces_;
    std::vector<std::size_t> begin_;
    std::size_t total_ = 0, whole_ = 0;
    unsigned begun_ = 0, ended_ = 0, turn_ = 0;
};

constexpr std::size_t sizes[] = {1, 64, 7, 300, 0, 20, 1};

/// Executions of several runs on all ranks.
using Pool = std::vector<std::vector<Execution>>;

/// So many times the same.
void run_many(Collective collective, const char* name, const Grid& grid, std::size_t segment_bytes, Pool& pool,
              int times = 1) {
    SCOPED_TRACE(std::string(name) + ", segments of " + std::to_string(segment_bytes));
    Schedule schedule = build_all(*find_algorithm(name), grid, {collective});
    std::vector<std::unique_ptr<Plan>> plans;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        plans.push_back(
            std::make_unique<Plan>(std::move(schedule[rank]), collective, grid.ranks(), rank, segment_bytes));
    }
    std::vector<std::unique_ptr<Run>> runs;
    for (std::size_t run = 0; run < pool.size(); ++run) {
        runs.push_back(std::make_unique<Run>(plans, pool[run], sizes[run]));
    }
    std::mt19937 draw(17);
    for (int time = 0; time < times; ++time) {
        for (std::size_t left = runs.size() * plans.size(), steps = 0; left > 0; ++steps) {
            ASSERT_LT(steps, 1'000'000u) << left << " have not ended";
            left = 0;
            for (int turn = 0; turn < 100; ++turn) runs[draw() % runs.size()]->advance(draw() % grid.ranks());
            for (const auto& run : runs) {
                for (int rank = 0; rank < grid.ranks(); ++rank) left += run->advance(rank) ? 0 : 1;
            }
        }
        for (const auto& run : runs) {
            run->check();
            run->change_operands();
        }
    }
}

TEST(Execution, RunsOfOnePlanAreUnderWayAtOnceAndExecutionsAreUsedAgain) {
    const Grid grid = full_grid({4, 2});
    Pool pool;
    for (std::size_t run = 0; run < std::size(sizes); ++run) pool.emplace_back(grid.ranks());
    for (const std::size_t segment_bytes : {std::size_t{0}, 5 * sizeof(Affine)}) {
        for (const char* name : {"recursive_doubling", "halving_doubling", "bfb", "swing"}) {
            run_many(Collective::allreduce, name, grid, segment_bytes, pool);
        }
        for (const char* name : {"halving_doubling", "a2at"}) {
            run_many(Collective::reduce_scatter, name, grid, segment_bytes, pool);
        }
    }
}

TEST(Execution, RunsThatRepeatAreOfWhatTheirBuffersHaveThen) {
    const Grid grid = full_grid({4, 2});
    Pool pool;
    for (std::size_t run = 0; run < std::size(sizes); ++run) pool.emplace_back(grid.ranks());
    for (const std::size_t segment_bytes : {std::size_t{0}, 5 * sizeof(Affine)}) {
        for (const char* name : {"recursive_doubling", "bfb"}) {
            run_many(Collective::allreduce, name, grid, segment_bytes, pool, 4);
        }
        run_many(Collective::reduce_scatter, "halving_doubling", grid, segment_bytes, pool, 4);
    }
}

TEST(Execution, ARunWithOtherBuffersIsNotTheOneBefore) {
    Schedule schedule = build_all(*find_algorithm("recursive_doubling"), full_grid({2}), {Collective::allreduce});
    MessageBoard board;
    std::vector<std::unique_ptr<Plan>> plans;
    std::vector<std::unique_ptr<InProcessTransport>> transports;
    std::vector<Execution> executions(2);
    constexpr int turns = 3;
    Affine operands[turns][2], results[turns][2] = {};
    for (int rank = 0; rank < 2; ++rank) {
        plans.push_back(std::make_unique<Plan>(std::move(schedule[rank]), Collective::allreduce, 2, rank, 0));
        transports.push_back(std::make_unique<InProcessTransport>(board, rank, sizeof(Affine), add, true));
    }
    for (int turn = 0; turn < turns; ++turn) {
        for (int rank = 0; rank < 2; ++rank) {
            operands[turn][rank] = contribution(rank, turn);
            const coll_topo_buffers buffers{
                nullptr, &results[turn][rank], 1, {nullptr, nullptr}, &operands[turn][rank]};
            ASSERT_EQ(executions[rank].begin(*plans[rank], *transports[rank], buffers, turn > 0), 0);
        }
        for (bool ended[2] = {}; !ended[0] || !ended[1];) {
            for (int rank = 0; rank < 2; ++rank) ended[rank] = ended[rank] || executions[rank].advance();
        }
    }
    for (int turn = 0; turn < turns; ++turn) {
        for (const Affine& result : results[turn]) EXPECT_EQ(result.b, operands[turn][0].b + operands[turn][1].b);
    }
}

/// Counts how often anybody has looked for messages.
int looked = 0;

TEST(Execution, LooksForMessagesAsOftenAsItIsTold) {
    const Grid grid = full_grid({2});
    for (const std::size_t elements : {1, 2000}) {  // in a single lane, and not
        SCOPED_TRACE(elements);
        Schedule schedule = build_all(*find_algorithm("recursive_doubling"), grid, {Collective::allreduce});
        MessageBoard board;
        std::vector<std::unique_ptr<Plan>> plans;
        std::vector<std::unique_ptr<InProcessTransport>> transports;
        std::vector<Execution> executions(2);
        const std::vector<Affine> operands[2] = {contributions(0, elements), contributions(1, elements)};
        std::vector<Affine> results[2] = {std::vector<Affine>(elements), std::vector<Affine>(elements)};
        for (int rank = 0; rank < 2; ++rank) {
            plans.push_back(std::make_unique<Plan>(std::move(schedule[rank]), Collective::allreduce, 2, rank, 0));
            transports.push_back(std::make_unique<InProcessTransport>(board, rank, sizeof(Affine), add, true));
        }
        static int (*const test)(coll_topo_transport*, void**) = transports[0]->test;
        transports[0]->test = [](coll_topo_transport* transport, void** request) {
            ++looked;
            return test(transport, request);
        };
        const auto begin = [&](int rank) {
            const coll_topo_buffers buffers{
                nullptr, results[rank].data(), elements, {nullptr, nullptr}, operands[rank].data()};
            ASSERT_EQ(executions[rank].begin(*plans[rank], *transports[rank], buffers), 0);
        };
        begin(0);
        ASSERT_FALSE(executions[0].advance());
        looked = 0;
        ASSERT_FALSE(executions[0].advance());
        const int once = looked;
        EXPECT_GE(once, 1);
        looked = 0;
        ASSERT_FALSE(executions[0].advance(7));
        EXPECT_EQ(looked, 8 * once) << "once, and seven times more";
        begin(1);
        for (bool ended[2] = {}; !ended[0] || !ended[1];) {
            for (int rank = 0; rank < 2; ++rank) ended[rank] = ended[rank] || executions[rank].advance(3);
        }
        EXPECT_EQ(results[0].back().b, operands[0].back().b + operands[1].back().b);
    }
}

}  // namespace
}  // namespace coll_topo::test
