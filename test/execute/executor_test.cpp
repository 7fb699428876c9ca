// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/executor.hpp"

#include "coll_topo/algorithm/catalogue.hpp"
#include "test/execute/in_process_transport.hpp"
#include "test/placement/torus_fixture.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace coll_topo {
namespace {

using test::InProcessTransport;
using test::MessageBoard;

/// x -> a·x + b modulo 2^32; composition is associative and does not commute.
struct Affine {
    std::uint32_t a, b;
    bool operator==(const Affine&) const = default;
};

void compose(const void* left, void* right) {
    const Affine f = *static_cast<const Affine*>(left);
    auto& g = *static_cast<Affine*>(right);
    g = {f.a * g.a, f.b * g.a + g.b};
}

Affine contribution(int rank, std::size_t element) {
    return {static_cast<std::uint32_t>(2 * rank + 3 + 4 * element), static_cast<std::uint32_t>(rank * 7 + element)};
}

Affine expected(int ranks, std::size_t element) {
    Affine value = contribution(ranks - 1, element);
    for (int rank = ranks - 2; rank >= 0; --rank) {
        const Affine left = contribution(rank, element);
        compose(&left, &value);
    }
    return value;
}

/// Sums alone: composition of x + b commutes.
void add(const void* left, void* right) {
    static_cast<Affine*>(right)->b += static_cast<const Affine*>(left)->b;
}

std::uint32_t expected_sum(int ranks, std::size_t element) {
    std::uint32_t sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += contribution(rank, element).b;
    return sum;
}

/// All ranks of a communicator as threads.
class Ranks {
public:
    Ranks(const Grid& grid, const Algorithm& algorithm, const Problem& problem, bool commutative,
          std::size_t segment_bytes) {
        for (int rank = 0; rank < grid.ranks(); ++rank) {
            plans_.push_back(std::make_unique<Plan>(algorithm.build(grid, problem, rank), problem.collective,
                                                    grid.ranks(), rank, segment_bytes));
            transports_.push_back(std::make_unique<InProcessTransport>(board_, rank, sizeof(Affine),
                                                                       commutative ? add : compose, commutative));
            workspaces_.push_back(std::make_unique<Workspace>());
        }
    }

    template <typename Body>
    void each(Body body) {
        std::vector<std::jthread> threads;
        for (std::size_t rank = 0; rank < plans_.size(); ++rank) {
            threads.emplace_back([&, rank] { body(static_cast<int>(rank)); });
        }
    }
    int run(int rank, const coll_topo_buffers& buffers) {
        return execute(*plans_[rank], *transports_[rank], buffers, *workspaces_[rank]);
    }
    InProcessTransport& transport(int rank) { return *transports_[rank]; }

private:
    MessageBoard board_;
    std::vector<std::unique_ptr<Plan>> plans_;
    std::vector<std::unique_ptr<InProcessTransport>> transports_;
    std::vector<std::unique_ptr<Workspace>> workspaces_;
};

struct Case {
    std::vector<int> sizes;
    int ranks_per_host;
    int lanes;
    std::size_t segment_bytes;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const auto& sizes : std::vector<std::vector<int>>{{2}, {3}, {2, 2}, {11}, {3, 2}}) {
        for (const int lanes : {1, 3}) {
            for (const std::size_t segment_bytes : {std::size_t{0}, sizeof(Affine), 5 * sizeof(Affine)}) {
                all.push_back({sizes, sizes[0] == 3 ? 2 : 1, lanes, segment_bytes});
            }
        }
    }
    return all;
}

constexpr std::size_t counts[] = {0, 1, 2, 7, 100};

std::vector<Affine> contributions(int rank, std::size_t elements) {
    std::vector<Affine> values(elements);
    for (std::size_t i = 0; i < elements; ++i) values[i] = contribution(rank, i);
    return values;
}

TEST(Executor, Allreduce) {
    for (const Algorithm& algorithm : catalogue()) {
        if (!algorithm.serves(Collective::allreduce)) continue;
        for (const Case& c : cases()) {
            const Grid grid = test::full_grid(c.sizes, c.ranks_per_host);
            Ranks ranks(grid, algorithm, {Collective::allreduce, grid.smallest_board(), c.lanes}, true,
                        c.segment_bytes);
            for (const std::size_t elements : counts) {
                ranks.each([&](int rank) {
                    auto values = contributions(rank, elements);
                    ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), elements, nullptr}), 0);
                    for (std::size_t i = 0; i < elements; ++i) ASSERT_EQ(values[i].b, expected_sum(grid.ranks(), i));
                });
            }
        }
    }
}

TEST(Executor, AllreduceThatDoesNotCommute) {
    int served = 0;
    for (const Algorithm& algorithm : catalogue()) {
        for (const Case& c : cases()) {
            const Grid grid = test::full_grid(c.sizes, c.ranks_per_host);
            const Problem problem{Collective::allreduce, grid.smallest_board(), c.lanes};
            if (!algorithm.serves(Collective::allreduce) || !algorithm.in_order(grid, problem)) continue;
            ++served;
            Ranks ranks(grid, algorithm, problem, false, c.segment_bytes);
            for (const std::size_t elements : counts) {
                ranks.each([&](int rank) {
                    auto values = contributions(rank, elements);
                    ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), elements, nullptr}), 0);
                    for (std::size_t i = 0; i < elements; ++i) ASSERT_EQ(values[i], expected(grid.ranks(), i));
                });
            }
        }
    }
    EXPECT_GT(served, 10);
}

TEST(Executor, ReduceScatterWithEqualAndUnequalPiecesAndInPlace) {
    const Algorithm& algorithm = *find_algorithm("halving_doubling");
    for (const Case& c : cases()) {
        const Grid grid = test::full_grid(c.sizes, c.ranks_per_host);
        for (const bool equal : {true, false}) {
            const Collective collective = equal ? Collective::reduce_scatter_block : Collective::reduce_scatter;
            Ranks ranks(grid, algorithm, {collective, 1, c.lanes}, true, c.segment_bytes);
            std::vector<int> pieces, begin = {0};
            for (int rank = 0; rank < grid.ranks(); ++rank) {
                pieces.push_back(equal ? 5 : rank * rank % 7);
                begin.push_back(begin.back() + pieces.back());
            }
            ranks.each([&](int rank) {
                auto values = contributions(rank, begin.back());
                // In place: the result replaces the start of the contribution.
                ASSERT_EQ(ranks.run(rank, {values.data(), values.data(), equal ? std::size_t{5} : 0,
                                           equal ? nullptr : pieces.data()}),
                          0);
                for (int i = 0; i < pieces[rank]; ++i) {
                    ASSERT_EQ(values[i].b, expected_sum(grid.ranks(), begin[rank] + i))
                        << "rank " << rank << " element " << i;
                }
            });
        }
    }
}

TEST(Executor, Allgather) {
    const Algorithm& algorithm = *find_algorithm("halving_doubling");
    for (const Case& c : cases()) {
        const Grid grid = test::full_grid(c.sizes, c.ranks_per_host);
        Ranks ranks(grid, algorithm, {Collective::allgather, 1, c.lanes}, true, c.segment_bytes);
        for (const std::size_t elements : counts) {
            ranks.each([&](int rank) {
                const auto own = contributions(rank, elements);
                std::vector<Affine> all(elements * grid.ranks());
                ASSERT_EQ(ranks.run(rank, {own.data(), all.data(), elements, nullptr}), 0);
                for (int other = 0; other < grid.ranks(); ++other) {
                    for (std::size_t i = 0; i < elements; ++i)
                        ASSERT_EQ(all[other * elements + i], contribution(other, i));
                }
            });
        }
    }
}

TEST(Executor, CutsLongMessages) {
    const Grid grid = test::full_grid({4});
    Ranks ranks(grid, *find_algorithm("recursive_doubling"), {Collective::allreduce, 1, 1}, true, 3 * sizeof(Affine));
    ranks.each([&](int rank) {
        auto values = contributions(rank, 100);
        ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), 100, nullptr}), 0);
    });
    EXPECT_EQ(ranks.transport(0).longest_message(), 3u);
}

TEST(Executor, MakesRoomAgainWhenPackedElementsShrink) {
    // The same count and extent, but smaller packed elements: segments hold more of them.
    const Grid grid = test::full_grid({2});
    Ranks ranks(grid, *find_algorithm("recursive_doubling"), {Collective::allreduce, 1, 1}, true, 4096);
    for (const std::size_t element_bytes : {std::size_t{4096}, std::size_t{1}}) {
        ranks.each([&](int rank) {
            ranks.transport(rank).element_bytes = element_bytes;
            auto values = contributions(rank, 3000);
            ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), 3000, nullptr}), 0);
            for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(values[i].b, expected_sum(2, i));
        });
    }
}

TEST(Executor, EndsWithTheCodeOfAFailedRequestAndLeavesNonePosted) {
    const Grid grid = test::full_grid({2, 2});
    for (const char* name : {"recursive_doubling", "halving_doubling"}) {
        for (int nth = 0; nth < 12; ++nth) {
            Ranks ranks(grid, *find_algorithm(name), {Collective::allreduce, 1, 2}, true, 3 * sizeof(Affine));
            ranks.transport(nth % 4).fail_at(nth);
            std::vector<int> results(4);
            ranks.each([&](int rank) {
                auto values = contributions(rank, 40);
                results[rank] = ranks.run(rank, {nullptr, values.data(), 40, nullptr});
            });
            EXPECT_EQ(results[nth % 4], ranks.transport(nth % 4).failure_code()) << name << ", failure " << nth;
            for (int rank = 0; rank < 4; ++rank) {
                // The others may have been done before.
                EXPECT_TRUE(results[rank] == 0 || results[rank] == ranks.transport(rank).failure_code());
                EXPECT_EQ(ranks.transport(rank).outstanding(), 0);
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo
