// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(Goal, BcastBringsTheRootsDataToAll) {
    for (const int ranks : {1, 2, 3, 7, 70}) {
        for (const int root : {0, ranks / 2, ranks - 1}) {
            for (const int blocks : {1, 2, 5}) {
                const Schedule chain = chain_bcast(ranks, root, blocks);
                EXPECT_EQ(finding(Collective::bcast, chain, false, root), "") << ranks << " ranks, root " << root;
            }
        }
    }
}

TEST(Goal, BcastFindsWhoWasLeftOut) {
    Schedule chain = chain_bcast(3, 1, 1);
    chain[0] = chain[2] = ProgramWriter(1).step().receive(1, output(0));
    chain[1] = ProgramWriter(1).step().send(2, output(0)).send(0, output(0));
    ASSERT_EQ(finding(Collective::bcast, chain, false, 1), "");
    chain[1] = ProgramWriter(1).step().send(2, output(0));
    chain[0] = ProgramWriter(1);
    EXPECT_EQ(finding(Collective::bcast, chain, false, 1),
              "rank 0: output block 0 ends with nothing instead of the data of root 1");
}

TEST(Goal, OnlyTheRootOfABcastHasSomethingToStartWith) {
    EXPECT_EQ(finding(Collective::bcast, chain_bcast(3, 1, 1), false, 2),
              "rank 1, lane 0, step 0: sends output block 0, which holds nothing yet");
    EXPECT_EQ(finding(Collective::bcast, chain_bcast(3, 1, 1), false, 3), "root 3 is no rank");
    EXPECT_EQ(finding(Collective::bcast, chain_bcast(3, 1, 1), false, -1), "root -1 is no rank");
}

/// Rank 0 of two gets the piece of rank 1, or sends it.
Schedule gather_of_two() {
    return {ProgramWriter(2, 2)
                .scratch_order({0, 1})
                .step()
                .copy(input(0), scratch(0))
                .step()
                .receive(1, scratch(1))
                .step()
                .copy(scratch(0, 2), output(0, 2)),
            ProgramWriter(2, 1).scratch_order({1}).step().copy(input(1), scratch(0)).step().send(0, scratch(0))};
}

Schedule scatter_of_two(int sent) {
    return {ProgramWriter(2, 2)
                .scratch_order({0, 1})
                .step()
                .copy(input(0, 2), scratch(0, 2))
                .step()
                .send(1, scratch(sent))
                .step()
                .copy(scratch(0), output(0)),
            ProgramWriter(2, 1).scratch_order({1}).step().receive(0, scratch(0)).step().copy(scratch(0), output(1))};
}

TEST(Goal, GatherBringsEachPieceToItsPlaceAtTheRoot) {
    EXPECT_EQ(finding(Collective::gather, gather_of_two()), "");
    Schedule wrong = gather_of_two();
    wrong[0] = ProgramWriter(2, 2)
                   .scratch_order({0, 1})
                   .step()
                   .copy(input(0), scratch(0))
                   .step()
                   .receive(1, scratch(1))
                   .step()
                   .copy(scratch(0), output(1))
                   .copy(scratch(1), output(0));
    EXPECT_NE(finding(Collective::gather, wrong), "");
}

TEST(Goal, OnlyTheRootOfAGatherHasAnOutput) {
    EXPECT_EQ(finding(Collective::gather, gather_of_two(), false, 1),
              "rank 0: output block 0 is written, but only the root has an output");
}

TEST(Goal, ScatterBringsEachRankItsPieceOfTheRoots) {
    EXPECT_EQ(finding(Collective::scatter, scatter_of_two(1)), "");
    EXPECT_NE(finding(Collective::scatter, scatter_of_two(0)), "") << "the piece of another";
    EXPECT_EQ(finding(Collective::scatter, scatter_of_two(1), false, 1),
              "rank 0, lane 0, step 0: copies input block 0, which holds nothing yet");
}

TEST(Goal, ReduceBringsEverythingToTheRootAlone) {
    for (const int ranks : {1, 2, 3, 7, 70}) {
        for (const int root : {0, ranks / 2, ranks - 1}) {
            EXPECT_EQ(finding(Collective::reduce, star_reduce(ranks, root), true, root), "") << ranks << " ranks";
        }
    }
    EXPECT_EQ(finding(Collective::reduce, star_reduce(3, 1), false, 2),
              "rank 2: output block 0 ends with ranks 2 instead of all ranks' contributions");
    EXPECT_NE(finding(Collective::allreduce, star_reduce(3, 1)), "");
}

TEST(Goal, ReduceMayUseTheOutputOfTheOthers) {
    const Schedule chain = {ProgramWriter(1).step().receive_reduce(1, output(0)),
                            ProgramWriter(1).step().receive_reduce(2, output(0)).step().send(0, output(0)),
                            ProgramWriter(1).step().send(1, output(0))};
    EXPECT_EQ(finding(Collective::reduce, chain, true), "");
}

TEST(Goal, ReduceKeepsRankOrderWhereAsked) {
    Schedule star = star_reduce(4, 1);
    std::swap(star[1].actions[1], star[1].actions[2]);
    EXPECT_EQ(finding(Collective::reduce, star, false, 1), "");
    EXPECT_TRUE(says(finding(Collective::reduce, star, true, 1), "the order of ranks is lost"));
}

/// Ranks pass on what those before them have combined, which an exscan keeps apart from what it passes on.
Schedule scan_of_three() {
    return {ProgramWriter(1).step().send(1, output(0)),
            ProgramWriter(1).step().receive_reduce(0, output(0), Operand::left).step().send(2, output(0)),
            ProgramWriter(1).step().receive_reduce(1, output(0), Operand::left)};
}

Schedule exscan_of_three() {
    return {ProgramWriter(1).step().send(1, output(0)),
            ProgramWriter(1, 1)
                .step()
                .copy(output(0), scratch(0))
                .step()
                .receive(0, output(0))
                .reduce(output(0), scratch(0), Operand::left)
                .step()
                .send(2, scratch(0)),
            ProgramWriter(1).step().receive(1, output(0))};
}

TEST(Goal, ScanBringsEachRankWhatThoseUpToItContribute) {
    EXPECT_EQ(finding(Collective::scan, scan_of_three(), true), "");
    Schedule wrong = scan_of_three();
    wrong[2] = ProgramWriter(1).step().receive(1, output(0));
    EXPECT_EQ(finding(Collective::scan, wrong),
              "rank 2: output block 0 ends with ranks 0-1 instead of the contributions of ranks 0 to 2");
    EXPECT_NE(finding(Collective::scan, exscan_of_three()), "");
    wrong = scan_of_three();
    wrong[1] = ProgramWriter(1).step().receive_reduce(0, output(0), Operand::right).step().send(2, output(0));
    EXPECT_EQ(finding(Collective::scan, wrong), "");
    EXPECT_TRUE(says(finding(Collective::scan, wrong, true), "the order of ranks is lost"));
}

TEST(Goal, ExscanBringsEachRankWhatThoseBeforeItContribute) {
    EXPECT_EQ(finding(Collective::exscan, exscan_of_three(), true), "");
    EXPECT_EQ(finding(Collective::exscan, scan_of_three()),
              "rank 1: output block 0 ends with ranks 0-1 instead of the contributions of the ranks before 1");
}

TEST(Goal, TheFirstRankOfAnExscanWritesNoOutput) {
    Schedule wrong = exscan_of_three();
    wrong[0] = ProgramWriter(1, 1)
                   .step()
                   .copy(output(0), scratch(0))
                   .step()
                   .send(1, scratch(0))
                   .step()
                   .copy(scratch(0), output(0));
    EXPECT_EQ(finding(Collective::exscan, wrong),
              "rank 0, lane 0, step 2: writes output, but rank 0 of an exscan gets nothing");
}

TEST(Goal, AlltoallSwapsEveryPiece) {
    for (const int ranks : {1, 2, 3, 4, 7, 16, 70}) {
        EXPECT_EQ(finding(Collective::alltoall, linear_alltoall(ranks)), "") << ranks << " ranks";
        EXPECT_EQ(finding(Collective::alltoall, bruck_alltoall(ranks)), "") << ranks << " ranks";
    }
}

TEST(Goal, AlltoallTellsPiecesApart) {
    Schedule linear = linear_alltoall(3);
    for (Action& action : linear[0].actions) {
        if (action.kind == ActionKind::send && action.peer == 2) action.first = 1;
    }
    EXPECT_EQ(finding(Collective::alltoall, linear),
              "rank 2: output block 0 ends with the piece from rank 0 for rank 1 instead of the piece from rank 0 for "
              "rank 2");
    linear = linear_alltoall(3);
    for (Action& action : linear[0].actions) {
        if (action.kind == ActionKind::receive) action.first = 3 - action.peer;
    }
    EXPECT_EQ(finding(Collective::alltoall, linear),
              "rank 0: output block 1 ends with the piece from rank 2 for rank 0 instead of the piece from rank 1 for "
              "rank 0");
    linear = linear_alltoall(2);
    linear[1].actions.pop_back();
    --linear[1].steps.back().end;
    EXPECT_EQ(finding(Collective::alltoall, linear),
              "rank 1: output block 1 ends with nothing instead of the piece from rank 1 for rank 1");
}

// Two slices: blocks 0 and 1 are the piece of rank 0, scratch block 0 is a slice 0, scratch block 1 a slice 1.
TEST(Goal, AlltoallKeepsSlicesApart) {
    const auto program = [](int rank, Blocks received, Blocks copied) -> Program {
        const int own = 2 * rank, other = 2 - own;
        return ProgramWriter(4, 2)
            .step()
            .receive(1 - rank, received)
            .send(1 - rank, input(other + 1))
            .copy(input(own, 2), output(own))
            .copy(copied, output(other + 1))
            .step()
            .receive(1 - rank, output(other))
            .send(1 - rank, input(other));
    };
    const Program right = program(0, scratch(1), scratch(1));
    EXPECT_EQ(finding(Collective::alltoall, {right, program(1, scratch(1), scratch(1))}), "");
    EXPECT_EQ(finding(Collective::alltoall, {right, program(1, scratch(0), scratch(0))}),
              "rank 0, lane 0, step 0: sends input block 3, which is vector block 1, to rank 1, which receives it as "
              "scratch block 0, vector block 0");
    EXPECT_EQ(finding(Collective::alltoall, {right, program(1, scratch(1), input(0))}),
              "rank 1, lane 0, step 0: copies input block 0, which is vector block 0, into output block 1, which is "
              "vector block 1");
}

TEST(Goal, AlltoallUsesNothingThatIsNotThere) {
    const Program receiver = ProgramWriter(2, 1).step().receive(0, output(0));
    EXPECT_EQ(finding(Collective::alltoall, {ProgramWriter(2, 1).step().send(1, scratch(0)), receiver}),
              "rank 0, lane 0, step 0: sends scratch block 0, which holds nothing yet");
    EXPECT_EQ(finding(Collective::alltoall, {ProgramWriter(2, 1).step().send(1, output(0)), receiver}),
              "rank 0, lane 0, step 0: sends output block 0, which holds nothing yet");
}

/// Two ranks that are each other's neighbour on both sides: what goes up in one lane, what goes down in the other.
Schedule ring_of_two(int up, int down) {
    const auto program = [&](int other) -> Program {
        return ProgramWriter(2)
            .lane()
            .step()
            .receive(other, output(0))
            .send(other, input(up))
            .lane()
            .step()
            .receive(other, output(1))
            .send(other, input(down));
    };
    return {program(1), program(0)};
}

TEST(Goal, NeighboursGetWhatGoesTheirWay) {
    const Cartesian ring({{2, true}}), line({{2, false}});
    const auto proof = [](const Schedule& schedule, const Cartesian* cartesian,
                          Collective collective = Collective::neighbor_alltoall) {
        return finding(collective, schedule, false, 0, cartesian);
    };
    EXPECT_EQ(proof(ring_of_two(1, 0), &ring), "");
    EXPECT_EQ(proof(ring_of_two(0, 1), &ring),
              "rank 0: output block 0 ends with the piece from rank 1 for its neighbour 0 instead of the piece from "
              "rank 1 for its neighbour 1");
    EXPECT_EQ(proof(ring_of_two(1, 0), &line),
              "rank 0: output block 0 ends with the piece from rank 1 for its neighbour 1 instead of what stood there");
    EXPECT_EQ(proof(ring_of_two(0, 0), &ring, Collective::neighbor_allgather), "");
    EXPECT_TRUE(says(proof(ring_of_two(1, 0), &ring, Collective::neighbor_allgather), "of input reach outside"));
}

TEST(Goal, NeighboursAreThoseOfTheTopology) {
    const Schedule schedule = ring_of_two(1, 0);
    const Cartesian three({{3, true}}), square({{2, true}, {1, true}});
    const auto proof = [&](const Cartesian* cartesian) {
        return finding(Collective::neighbor_alltoall, schedule, false, 0, cartesian);
    };
    EXPECT_EQ(proof(nullptr), "there are no neighbours without a Cartesian topology");
    EXPECT_EQ(proof(&three), "the Cartesian topology has 3 ranks instead of 2");
    EXPECT_EQ(proof(&square), "the buffers have 2 blocks instead of one for each of 4 neighbours");
    const Cartesian ring({{2, true}});
    EXPECT_TRUE(says(finding(Collective::neighbor_alltoall, {ProgramWriter(2, 1).lane(), ProgramWriter(2, 1).lane()},
                             false, 0, &ring),
                     "there is no scratch between neighbours"));
}

}  // namespace
}  // namespace coll_topo::test
