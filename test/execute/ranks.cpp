// SPDX-License-Identifier: BSD-3-Clause
#include "test/execute/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace coll_topo::test {
namespace {

void compose(const void* left, void* right) {
    const Affine f = *static_cast<const Affine*>(left);
    auto& g = *static_cast<Affine*>(right);
    g = {f.a * g.a, f.b * g.a + g.b};
}

void add(const void* left, void* right) {
    static_cast<Affine*>(right)->b += static_cast<const Affine*>(left)->b;
}

void check_reduction(Ranks& ranks, int rank, int root, std::size_t elements) {
    const auto operands = contributions(rank, elements);
    for (const bool apart : {false, true}) {
        ranks.transport(rank).read_from_peers(apart ? 1 : 0);
        auto values = apart ? std::vector<Affine>(elements, Affine{7, 7}) : operands;
        ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), elements, {}, apart ? operands.data() : nullptr}), 0);
        if (ranks.collective() == Collective::reduce && rank != root) continue;
        // Other ranks go on too.
        for (std::size_t i = 0; i < elements; ++i) {
            EXPECT_EQ(values[i].b, ranks.combined(i).b) << "element " << i << (apart ? ", apart" : "");
        }
    }
    ASSERT_EQ(operands, contributions(rank, elements)) << "operands elsewhere must not change";
}

// An exscan leaves the output of rank 0 as it is.
void check_prefix(Ranks& ranks, int rank, std::size_t elements) {
    const auto operands = contributions(rank, elements);
    const int end = ranks.collective() == Collective::scan ? rank + 1 : rank;
    for (const bool apart : {false, true}) {
        ranks.transport(rank).read_from_peers(apart ? 1 : 0);
        const bool elsewhere = apart && end > 0;  // the output of the first rank of an exscan is its operands
        auto values = elsewhere ? std::vector<Affine>(elements, Affine{7, 7}) : operands;
        ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), elements, {}, elsewhere ? operands.data() : nullptr}), 0);
        for (std::size_t i = 0; i < elements; ++i) {
            const Affine expected = end == 0 ? operands[i] : ranks.combined(i, end);
            EXPECT_EQ(values[i].b, expected.b) << "rank " << rank << ", element " << i << (apart ? ", apart" : "");
        }
    }
    ASSERT_EQ(operands, contributions(rank, elements)) << "operands elsewhere must not change";
}

void check_bcast(Ranks& ranks, int rank, int root, std::size_t elements) {
    std::vector<Affine> values(elements);
    if (rank == root) values = contributions(root, elements);
    ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), elements, {}, nullptr}), 0);
    ASSERT_EQ(values, contributions(root, elements)) << "rank " << rank;
}

// In place, where the result replaces the start of the contribution, and not. Pieces differ in size where they may.
void check_reduce_scatter(Ranks& ranks, int rank, std::size_t elements) {
    const bool equal = ranks.collective() == Collective::reduce_scatter_block;
    std::vector<int> pieces, begin = {0};
    for (int other = 0; other < ranks.size(); ++other) {
        pieces.push_back(static_cast<int>(equal ? elements : elements * other % 7));
        begin.push_back(begin.back() + pieces.back());
    }
    for (const bool apart : {false, true}) {
        ranks.transport(rank).read_from_peers(apart ? 1 : 0);
        auto operands = contributions(rank, begin.back());
        std::vector<Affine> own(pieces[rank], Affine{7, 7});
        const Affine* const result = apart ? own.data() : operands.data();
        const coll_topo_buffers buffers{operands.data(),
                                        const_cast<Affine*>(result),
                                        equal ? elements : 0,
                                        {equal ? nullptr : pieces.data(), nullptr},
                                        apart ? operands.data() : nullptr};
        ASSERT_EQ(ranks.run(rank, buffers), 0);
        for (int i = 0; i < pieces[rank]; ++i) {
            EXPECT_EQ(result[i].b, ranks.combined(begin[rank] + i).b) << "element " << i << (apart ? ", apart" : "");
        }
        if (!apart) continue;
        ASSERT_EQ(operands, contributions(rank, begin.back())) << "operands elsewhere must not change";
    }
}

void check_allgather(Ranks& ranks, int rank, std::size_t elements) {
    const auto own = contributions(rank, elements);
    std::vector<Affine> all(elements * ranks.size()), expected;
    for (int other = 0; other < ranks.size(); ++other) {
        const auto piece = contributions(other, elements);
        expected.insert(expected.end(), piece.begin(), piece.end());
    }
    ASSERT_EQ(ranks.run(rank, {own.data(), all.data(), elements, {}, nullptr}), 0);
    ASSERT_EQ(all, expected) << "rank " << rank;
}

void check_allgather_of_unequal(Ranks& ranks, int rank, std::size_t elements) {
    std::vector<std::size_t> pieces;
    std::vector<Affine> expected;
    for (int other = 0; other < ranks.size(); ++other) {
        pieces.push_back(elements * other % 7);
        const auto piece = contributions(other, pieces.back());
        expected.insert(expected.end(), piece.begin(), piece.end());
    }
    const auto own = contributions(rank, pieces[rank]);
    std::vector<Affine> all(expected.size());
    ASSERT_EQ(ranks.run(rank, {own.data(), all.data(), all.size(), {nullptr, pieces.data()}, nullptr}), 0);
    ASSERT_EQ(all, expected) << "rank " << rank;
}

/// The pieces of all ranks, one after the other: equal, or of sizes that differ.
struct Pieces {
    std::vector<std::size_t> sizes, begins;
    std::vector<Affine> all;

    Pieces(const Ranks& ranks, std::size_t elements, bool equal) {
        for (int rank = 0; rank < ranks.size(); ++rank) {
            sizes.push_back(equal ? elements : elements * rank % 7);
            begins.push_back(all.size());
            const auto piece = contributions(rank, sizes.back());
            all.insert(all.end(), piece.begin(), piece.end());
        }
    }

    coll_topo_piece_counts counts(bool equal) const { return {nullptr, equal ? nullptr : sizes.data()}; }
};

// Only the root has an output; in place, its own piece is there from the beginning.
void check_gather(Ranks& ranks, int rank, int root, std::size_t elements, bool equal, bool in_place) {
    const Pieces pieces(ranks, elements, equal);
    const auto own = contributions(rank, pieces.sizes[rank]);
    std::vector<Affine> all(rank == root ? pieces.all.size() : 0, Affine{7, 7});
    const void* input = own.data();
    if (in_place && rank == root) {
        std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(pieces.begins[rank]));
        input = all.data() + pieces.begins[rank];
    }
    void* const output = rank == root ? all.data() : nullptr;
    const std::size_t number = equal ? elements : pieces.all.size();
    ASSERT_EQ(ranks.run(rank, {input, output, number, pieces.counts(equal), nullptr}), 0);
    if (rank == root) {
        ASSERT_EQ(all, pieces.all) << (in_place ? "in place" : "apart");
    }
}

// Only the root has an input, which does not change.
void check_scatter(Ranks& ranks, int rank, int root, std::size_t elements, bool equal, bool in_place) {
    const Pieces pieces(ranks, elements, equal);
    auto all = rank == root ? pieces.all : std::vector<Affine>();
    std::vector<Affine> own(pieces.sizes[rank], Affine{7, 7});
    void* output = own.data();
    if (in_place && rank == root) output = all.data() + pieces.begins[rank];
    const void* const input = rank == root ? all.data() : nullptr;
    const std::size_t number = equal ? elements : pieces.all.size();
    ASSERT_EQ(ranks.run(rank, {input, output, number, pieces.counts(equal), nullptr}), 0);
    if (output == own.data()) {
        ASSERT_EQ(own, contributions(rank, pieces.sizes[rank])) << "rank " << rank;
    }
    if (rank == root) {
        ASSERT_EQ(all, pieces.all) << "the input must not change";
    }
}

void check_pieces_of_root(Ranks& ranks, int rank, int root, std::size_t elements) {
    const auto check = ranks.collective() == Collective::gather ? check_gather : check_scatter;
    for (const bool equal : {true, false}) {
        for (const bool in_place : {true, false}) check(ranks, rank, root, elements, equal, in_place);
    }
}

void check_alltoall(Ranks& ranks, int rank, std::size_t elements) {
    const auto sent = contributions(rank, elements * ranks.size());
    std::vector<Affine> received(sent.size());
    ASSERT_EQ(ranks.run(rank, {sent.data(), received.data(), elements, {}, nullptr}), 0);
    for (int from = 0; from < ranks.size(); ++from) {
        for (std::size_t i = 0; i < elements; ++i) {
            ASSERT_EQ(received[from * elements + i], contribution(from, rank * elements + i))
                << "rank " << rank << ", element " << i << " from rank " << from;
        }
    }
}

// What comes from where there is no neighbour stays as it is.
void check_neighbors(Ranks& ranks, int rank, std::size_t elements) {
    const Cartesian& cartesian = *ranks.cartesian();
    const bool one_for_all = ranks.collective() == Collective::neighbor_allgather;
    const auto pieces = static_cast<std::size_t>(cartesian.neighbors());
    const auto sent = contributions(rank, elements * (one_for_all ? 1 : pieces));
    std::vector<Affine> received(elements * pieces, Affine{7, 7});
    ASSERT_EQ(ranks.run(rank, {sent.data(), received.data(), elements, {}, nullptr}), 0);
    for (int number = 0; number < cartesian.neighbors(); ++number) {
        const int from = cartesian.neighbor(rank, number);
        const std::size_t first = one_for_all ? 0 : Cartesian::opposite(number) * elements;
        for (std::size_t i = 0; i < elements; ++i) {
            ASSERT_EQ(received[number * elements + i], from < 0 ? (Affine{7, 7}) : contribution(from, first + i))
                << "rank " << rank << ", element " << i << " from neighbour " << number;
        }
    }
}

}  // namespace

Affine contribution(int rank, std::size_t element) {
    return {static_cast<std::uint32_t>(2 * rank + 3 + 4 * element), static_cast<std::uint32_t>(rank * 7919 + element)};
}

std::vector<Affine> contributions(int rank, std::size_t elements) {
    std::vector<Affine> values;
    for (std::size_t i = 0; i < elements; ++i) values.push_back(contribution(rank, i));
    return values;
}

Ranks::Ranks(Collective collective, Schedule schedule, bool commutative, std::size_t segment_bytes,
             const Cartesian* cartesian)
    : commutative_(commutative), cartesian_(cartesian) {
    const int ranks = static_cast<int>(schedule.size());
    for (int rank = 0; rank < ranks; ++rank) {
        plans_.push_back(std::make_unique<Plan>(std::move(schedule[rank]), collective, ranks, rank, segment_bytes));
        transports_.push_back(std::make_unique<InProcessTransport>(board_, rank, sizeof(Affine),
                                                                   commutative ? add : compose, commutative));
        workspaces_.push_back(std::make_unique<Workspace>());
        executions_.push_back(std::make_unique<Execution>());
        turns_.push_back(rank);
    }
}

int Ranks::run(int rank, const coll_topo_buffers& buffers) {
    InProcessTransport& transport = *transports_[rank];
    if (turns_[rank]++ % 2 == 0) return execute(*plans_[rank], transport, buffers, *workspaces_[rank]);
    Execution& execution = *executions_[rank];
    if (const int error = execution.begin(*plans_[rank], transport, buffers); error != 0) return error;
    while (!execution.advance()) transport.progress(&transport);
    return execution.error();
}

Affine Ranks::combined(std::size_t element, int end) const {
    Affine value = contribution(end - 1, element);
    for (int rank = end - 2; rank >= 0; --rank) {
        const Affine left = contribution(rank, element);
        (commutative_ ? add : compose)(&left, &value);
    }
    return value;
}

void run_and_check(Ranks& ranks, int root, std::size_t elements) {
    ranks.each([&](int rank) {
        switch (ranks.collective()) {
            case Collective::allreduce:
            case Collective::reduce:
                return check_reduction(ranks, rank, root, elements);
            case Collective::scan:
            case Collective::exscan:
                return check_prefix(ranks, rank, elements);
            case Collective::bcast:
                return check_bcast(ranks, rank, root, elements);
            case Collective::reduce_scatter:
            case Collective::reduce_scatter_block:
                return check_reduce_scatter(ranks, rank, elements);
            case Collective::allgather:
                check_allgather(ranks, rank, elements);
                return check_allgather_of_unequal(ranks, rank, elements);
            case Collective::alltoall:
                return check_alltoall(ranks, rank, elements);
            case Collective::neighbor_allgather:
            case Collective::neighbor_alltoall:
                return check_neighbors(ranks, rank, elements);
            case Collective::gather:
            case Collective::scatter:
                return check_pieces_of_root(ranks, rank, root, elements);
        }
    });
}

}  // namespace coll_topo::test
