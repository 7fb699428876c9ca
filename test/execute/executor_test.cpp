// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/executor.hpp"

#include "coll_topo/schedule/builder.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/ranks.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

namespace coll_topo::test {
namespace {

constexpr std::size_t counts[] = {0, 1, 2, 7, 100};
constexpr std::size_t segment_bytes[] = {0, sizeof(Affine), 5 * sizeof(Affine)};

Ranks allreduce(const char* name, const Grid& grid, std::size_t longest_message) {
    const Problem problem{Collective::allreduce, 1, 2};
    return Ranks(Collective::allreduce, build_all(*find_algorithm(name), grid, problem), true, longest_message);
}

void check(Collective collective, const Schedule& schedule, int root, bool commutative = true) {
    for (const std::size_t longest : segment_bytes) {
        Ranks ranks(collective, schedule, commutative, longest);
        for (const std::size_t elements : counts) run_and_check(ranks, root, elements);
    }
}

TEST(Executor, BcastFromAnyRoot) {
    for (const int blocks : {1, 3, 8}) {
        for (int root = 0; root < 4; ++root) check(Collective::bcast, chain_bcast(4, root, blocks), root);
    }
    check(Collective::bcast, chain_bcast(1, 0, 1), 0);
}

TEST(Executor, ReduceToAnyRootInOrder) {
    for (int root = 0; root < 5; ++root) check(Collective::reduce, star_reduce(5, root), root, false);
    check(Collective::reduce, star_reduce(1, 0), 0);
}

TEST(Executor, AlltoallWithAndWithoutScratch) {
    for (const int ranks : {1, 2, 5, 8}) {
        check(Collective::alltoall, linear_alltoall(ranks), 0);
        check(Collective::alltoall, bruck_alltoall(ranks), 0);
    }
}

/// How many elements all ranks copy in a collective of pieces of so many.
std::size_t elements_copied(Collective collective, const char* name, const Grid& grid, std::size_t elements) {
    static std::atomic<std::size_t> copied;
    copied = 0;
    Ranks ranks(collective, build_all(*find_algorithm(name), grid, {collective}), true, 0);
    for (int rank = 0; rank < ranks.size(); ++rank) {
        ranks.transport(rank).copy = [](coll_topo_transport* transport, void* target, const void* source, size_t n) {
            copied += n;
            std::memcpy(target, source, n * transport->extent);
            return 0;
        };
    }
    run_and_check(ranks, 0, elements);
    return copied;
}

TEST(Executor, GathersWhereRanksFollowTheScheduleWithoutACopy) {
    const auto copied = [](const char* name, const Grid& grid) {
        return elements_copied(Collective::allgather, name, grid, 7);
    };
    for (const char* name : {"doubling_in_place", "doubling_of_ranks", "bfb", "a2at", "ring"}) {
        EXPECT_EQ(copied(name, full_grid({3, 2}, 2)), 12u * 7) << name << ": each its own piece";
    }
    EXPECT_EQ(copied("halving_doubling", full_grid({3, 3})), 9u * (7 + 9 * 7)) << "and all pieces";
}

TEST(Executor, ScattersWhereOperandsAreElsewhereWithoutACopy) {
    const std::size_t in_place = 6u * (6 * 7 + 7);
    EXPECT_EQ(elements_copied(Collective::reduce_scatter_block, "a2at", full_grid({3}, 2), 7), in_place)
        << "and nothing where they are elsewhere, which is run too";
}

TEST(Executor, SendsItsOwnPieceFromWhereTheCallerHasIt) {
    constexpr std::size_t elements = 5;
    const Grid grid = full_grid({4});
    Ranks ranks(Collective::allgather, build_all(*find_algorithm("ring"), grid, {Collective::allgather}), true, 0);
    static std::vector<const void*> sent;
    static decltype(coll_topo_transport::send) post;
    sent.clear();
    post = ranks.transport(2).send;
    ranks.transport(2).send = [](coll_topo_transport* t, const void* data, size_t n, int peer, int lane,
                                 void** request) {
        sent.push_back(data);
        return post(t, data, n, peer, lane, request);
    };
    std::vector<std::vector<Affine>> pieces, all(ranks.size(), std::vector<Affine>(elements * ranks.size()));
    for (int rank = 0; rank < ranks.size(); ++rank) pieces.push_back(contributions(rank, elements));
    ranks.each([&](int rank) {
        EXPECT_EQ(ranks.run(rank, {pieces[rank].data(), all[rank].data(), elements, {}, nullptr}), 0);
    });
    EXPECT_EQ(sent, (std::vector<const void*>{pieces[2].data(), &all[2][1 * elements], &all[2][0]}));
    for (int rank = 1; rank < ranks.size(); ++rank) EXPECT_EQ(all[rank], all[0]);
}

/// The order in which rank 1 posts sends (s) and copies (c) in an allgather along a ring, in place or not. Its messages
/// may come before it looks for them.
std::string sends_and_copies(std::size_t elements, bool in_place, bool at_hand = false, bool messages_wait = false) {
    const Grid grid = full_grid({3});
    Ranks ranks(Collective::allgather, build_all(*find_algorithm("ring"), grid, {Collective::allgather}), true, 0);
    if (at_hand) ranks.transport(1).at_hand_bytes = 3 * elements * sizeof(Affine);
    static std::string order;
    static decltype(coll_topo_transport::send) post;
    order.clear();
    post = ranks.transport(1).send;
    ranks.transport(1).send = [](coll_topo_transport* t, const void* data, size_t n, int peer, int lane,
                                 void** request) {
        order += 's';
        return post(t, data, n, peer, lane, request);
    };
    static decltype(coll_topo_transport::test) look;
    look = ranks.transport(1).test;
    if (messages_wait) {
        ranks.transport(1).test = [](coll_topo_transport* t, void** request) {
            int state = 0;
            while ((state = look(t, request)) == 0) t->progress(t);
            return state;
        };
    }
    ranks.transport(1).copy = [](coll_topo_transport* t, void* target, const void* source, size_t n) {
        order += 'c';
        std::memcpy(target, source, n * t->extent);
        return 0;
    };
    std::vector<std::vector<Affine>> pieces, all(3, std::vector<Affine>(3 * elements));
    for (int rank = 0; rank < 3; ++rank) {
        pieces.push_back(contributions(rank, elements));
        if (in_place) std::ranges::copy(pieces[rank], all[rank].begin() + static_cast<std::ptrdiff_t>(rank * elements));
    }
    ranks.each([&](int rank) {
        const Affine* const piece = in_place ? &all[rank][rank * elements] : pieces[rank].data();
        EXPECT_EQ(ranks.run(rank, {piece, all[rank].data(), elements, {}, nullptr}), 0);
    });
    std::vector<Affine> expected;
    for (const auto& piece : pieces) expected.insert(expected.end(), piece.begin(), piece.end());
    for (const auto& gathered : all) EXPECT_EQ(gathered, expected);
    return order;
}

TEST(Executor, CopiesALongOwnPieceWhileItWaits) {
    EXPECT_EQ(sends_and_copies(10, false), "css");
    const std::string shares = sends_and_copies(20'000, false);
    EXPECT_EQ(shares.front(), 's');
    EXPECT_EQ(std::ranges::count(shares, 'c'), 3) << "of 64 KiB";
    EXPECT_EQ(sends_and_copies(20'000, true), "ss");
    const std::string at_once = sends_and_copies(20'000, false, true);
    EXPECT_EQ(at_once.front(), 's');
    EXPECT_EQ(std::ranges::count(at_once, 'c'), 1);
    EXPECT_EQ(sends_and_copies(20'000, true, true), "ss");
    EXPECT_EQ(sends_and_copies(20'000, false, true, true), "ssc");
}

// Many times what is read at once. In recursive doubling operands replace what is still being read by the other.
TEST(Executor, CombinesOperandsThatStayWithTheirSenders) {
    for (const char* name : {"recursive_doubling", "halving_doubling", "ring"}) {
        for (const std::size_t longest_message : {0, 100'000}) {
            Ranks ranks = allreduce(name, full_grid({3, 2}, 2), longest_message);
            run_and_check(ranks, 0, 70'001);
        }
    }
}

TEST(Executor, CutsLongMessages) {
    const Grid grid = test::full_grid({4});
    Ranks ranks = allreduce("recursive_doubling", grid, 3 * sizeof(Affine));
    ranks.each([&](int rank) {
        auto values = contributions(rank, 100);
        ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), 100, {}, nullptr}), 0);
    });
    EXPECT_EQ(ranks.transport(0).longest_message(), 3u);
}

// Messages of several steps to the same peer are under way at once, and match in the order posted: as the peer posts
// them one after the other.
TEST(Executor, SegmentsOfStepsInAWindowKeepTheirOrder) {
    constexpr int blocks = 5, windows[][2] = {{4, 1}, {1, 4}, {2, 2}};
    for (const auto& window_of : windows) {
        Schedule schedule;
        for (int rank = 0; rank < 2; ++rank) {
            ProgramBuilder builder(blocks, 0);
            builder.lane(window_of[rank]);
            for (int block = 0; block < blocks; ++block) {
                rank == 0 ? builder.send(1, output(block)) : builder.receive(0, output(block));
                builder.next_step();
            }
            schedule.push_back(builder.finish());
        }
        check(Collective::bcast, schedule, 0);
    }
}

TEST(Executor, MakesRoomAgainWhenPackedElementsShrink) {
    // The same count and extent, but smaller packed elements: segments hold more of them.
    const Grid grid = test::full_grid({2});
    Ranks ranks = allreduce("recursive_doubling", grid, 4096);
    for (const std::size_t element_bytes : {std::size_t{4096}, std::size_t{1}}) {
        ranks.each([&](int rank) {
            ranks.transport(rank).element_bytes = element_bytes;
            auto values = contributions(rank, 3000);
            ASSERT_EQ(ranks.run(rank, {nullptr, values.data(), 3000, {}, nullptr}), 0);
            for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(values[i].b, ranks.combined(i).b);
        });
    }
}

// One rank fails at its n-th request; n below `failures`, as many as each rank has.
void check_failures(const char* algorithm, std::size_t longest_message, int failures) {
    const Grid grid = test::full_grid({2, 2});
    for (int nth = 0; nth < failures; ++nth) {
        Ranks ranks = allreduce(algorithm, grid, longest_message);
        ranks.transport(nth % 4).fail_at(nth);
        std::vector<int> results(4);
        ranks.each([&](int rank) {
            auto values = contributions(rank, 40);
            results[rank] = ranks.run(rank, {nullptr, values.data(), 40, {}, nullptr});
        });
        EXPECT_EQ(results[nth % 4], ranks.transport(nth % 4).failure_code()) << algorithm << ", failure " << nth;
        for (int rank = 0; rank < 4; ++rank) {
            // The others may have been done before.
            EXPECT_TRUE(results[rank] == 0 || results[rank] == ranks.transport(rank).failure_code());
            EXPECT_EQ(ranks.transport(rank).outstanding(), 0) << algorithm << ", failure " << nth;
        }
    }
}

TEST(Executor, EndsWithTheCodeOfAFailedRequestAndLeavesNonePosted) {
    for (const char* name : {"recursive_doubling", "halving_doubling"}) {
        check_failures(name, 3 * sizeof(Affine), 12);
        check_failures(name, 0, 8);
    }
}

}  // namespace
}  // namespace coll_topo::test
