// SPDX-License-Identifier: BSD-3-Clause
//
// Messages that are read where they are.

#include "coll_topo/execute/executor.hpp"
#include "test/algorithm/trial.hpp"
#include "test/execute/ranks.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

#include <string>

namespace coll_topo::test {
namespace {

// Longer than what is bound by latency, and read where it is.
TEST(AtHand, RunsStepByStepWhatIsAtHand) {
    constexpr std::size_t elements = 2'000;
    const auto check_at_hand = [](Collective collective, const char* name, const Grid& grid) {
        for (const bool at_hand : {false, true}) {
            SCOPED_TRACE(std::string(name) + (at_hand ? ", at hand" : ""));
            Ranks ranks(collective, build_all(*find_algorithm(name), grid, {collective, 1}), true, 0);
            for (int rank = 0; rank < ranks.size(); ++rank) {
                ranks.transport(rank).at_hand_bytes = at_hand ? std::size_t{1} << 20 : 0;
            }
            run_and_check(ranks, 0, elements);
        }
    };
    for (const Grid& grid : {full_grid({2}), full_grid({3}, 2), full_grid({4})}) {
        for (const char* name : {"recursive_doubling_by_rank", "rabenseifner", "ring"}) {
            check_at_hand(Collective::allreduce, name, grid);
        }
        for (const char* name : {"ring", "doubling_in_place"}) check_at_hand(Collective::allgather, name, grid);
        check_at_hand(Collective::reduce_scatter, "pairwise", grid);
        check_at_hand(Collective::alltoall, "pairwise", grid);
        check_at_hand(Collective::bcast, "binomial", grid);
    }
}

/// What rank 0 of two does with operands that it reads (r) and combines (c) before its peer may go on (g).
std::string reads_and_combines(std::size_t elements) {
    Ranks ranks(Collective::reduce, star_reduce(2, 0), true, 0);
    static std::string order;
    static coll_topo_readable_peers peers;
    static const coll_topo_readable_peers* in_process;
    static decltype(coll_topo_transport::reduce) reduce;
    order.clear();
    for (int rank = 0; rank < 2; ++rank) ranks.transport(rank).read_from_peers(0);
    in_process = ranks.transport(0).readable;
    peers = *in_process;
    peers.read = [](coll_topo_transport* t, void* request, std::size_t at, void* operands, std::size_t n) {
        order += 'r';
        return in_process->read(t, request, at, operands, n);
    };
    peers.release = [](coll_topo_transport* t, void** request) {
        order += 'g';
        in_process->release(t, request);
    };
    reduce = ranks.transport(0).reduce;
    ranks.transport(0).readable = &peers;
    ranks.transport(0).reduce = [](coll_topo_transport* t, const void* source, void* target, std::size_t n) {
        order += 'c';
        reduce(t, source, target, n);
    };
    ranks.each([&](int rank) {
        auto values = contributions(rank, elements);
        EXPECT_EQ(ranks.run(rank, {nullptr, values.data(), elements, {}, nullptr}), 0);
        if (rank == 0) {
            EXPECT_EQ(values.back().b, ranks.combined(elements - 1).b);
        }
    });
    return order;
}

TEST(AtHand, LetsSendersGoOnBeforeItCombinesTheLastOfTheirOperands) {
    EXPECT_EQ(reads_and_combines(5'000), "rgc");
    EXPECT_EQ(reads_and_combines(40'000), "rcrcrgc");
}

}  // namespace
}  // namespace coll_topo::test
