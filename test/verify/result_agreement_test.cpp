// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/result_agreement.hpp"

#include "coll_topo/schedule/result_transfers.hpp"
#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(ResultTransfers, AreTheMessagesAfterTheLastReductionOfABlock) {
    // Rank 0 of two reduces block 0 and gives it back, and gets block 1.
    const Program program = ProgramWriter(2)
                                .step()
                                .receive_reduce(1, output(0))
                                .send(1, output(1))
                                .step()
                                .receive(1, output(1))
                                .send(1, output(0));
    EXPECT_EQ(transfers_of_results(program, Collective::allreduce), (std::vector<bool>{false, false, true, true}));
    EXPECT_EQ(transfers_of_results(program, Collective::reduce), std::vector<bool>(4));
}

TEST(ResultTransfers, AreFollowedThroughCopies) {
    const Program program = ProgramWriter(1, 1).step().receive(1, scratch(0)).step().copy(scratch(0), output(0));
    EXPECT_EQ(transfers_of_results(program, Collective::allreduce), (std::vector<bool>{true, false}));
}

TEST(ResultTransfers, AreFollowedIntoCopiesOfResults) {
    // What is packed is the result if what it is copied from stays.
    const Program program = ProgramWriter(2, 1)
                                .step()
                                .copy(output(1), scratch(0))
                                .step()
                                .send(1, scratch(0))
                                .step()
                                .receive_reduce(1, output(1))
                                .copy(output(0), scratch(0))
                                .step()
                                .send(1, scratch(0));
    EXPECT_EQ(transfers_of_results(program, Collective::allreduce),
              (std::vector<bool>{false, false, false, false, true}));
}

TEST(ResultTransfers, AreNoneWhereTheBlockIsReducedLater) {
    const Program program = ProgramWriter(1, 1).step().receive(1, scratch(0)).step().reduce(scratch(0), output(0));
    EXPECT_EQ(transfers_of_results(program, Collective::allreduce), (std::vector<bool>{false, false}));
}

TEST(ResultAgreement, AResultIsNotTakenForAPartialSum) {
    // After the exchange, rank 0 sends its result, and rank 1 puts it where it makes no use of it.
    const Schedule schedule{
        ProgramWriter(1).step(true).receive_reduce(1, output(0)).send(1, output(0)).step().send(1, output(0)),
        ProgramWriter(1, 1).step(true).receive_reduce(0, output(0)).send(0, output(0)).step().receive(0, scratch(0))};
    EXPECT_TRUE(says(finding(Collective::allreduce, schedule),
                     "rank 0 sends results to rank 1, which takes them for partial sums"));
}

}  // namespace
}  // namespace coll_topo::test
