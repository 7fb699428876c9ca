// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/time_sharing.hpp"

#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/replayed_prediction.hpp"
#include "test/grid/torus_fixture.hpp"
#include "test/select/decisions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace coll_topo {
namespace {

using test::chosen;
using test::full_grid;

constexpr double turn = 3e-6;

Grid one_host(int ranks, int processors) {
    Grid grid = full_grid({1}, ranks);
    grid.set_processors(processors);
    return grid;
}

const Algorithm& row(std::string_view name) {
    return *find_algorithm(name);
}

int chain_of(std::string_view name, Collective collective, const Grid& grid, int segments = 1) {
    const Problem problem{.collective = collective, .segments = segments};
    std::vector<SizedProgram> programs;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        programs.push_back(sized(collective, row(name).build(grid, problem, rank), rank, grid.ranks(), 1 << 20));
    }
    return longest_chain(programs);
}

TEST(LongestChain, CountsMessagesThatWaitForOneAnother) {
    const Grid grid = full_grid({1}, 8);
    EXPECT_EQ(chain_of("linear", Collective::bcast, grid), 1);
    EXPECT_EQ(chain_of("binomial", Collective::bcast, grid), 3);
    EXPECT_EQ(chain_of("binomial", Collective::reduce, grid), 3);
    EXPECT_EQ(chain_of("recursive_doubling_by_rank", Collective::allreduce, grid), 3);
    EXPECT_EQ(chain_of("ring", Collective::allgather, grid), 7);
    EXPECT_EQ(chain_of("pipelined_chain", Collective::bcast, grid), 7);
    EXPECT_EQ(chain_of("pipelined_chain", Collective::bcast, grid, 5), 7) << "the first rank waits for none";
}

TEST(LongestChain, DoesNotCountWhatIsUnderWayAtOnce) {
    EXPECT_EQ(chain_of("linear", Collective::alltoall, full_grid({1}, 8)), 1);
}

TEST(LongestChain, EndsWhereProgramsGetStuck) {
    const Grid grid = full_grid({1}, 2);
    const Problem problem{.collective = Collective::bcast};
    std::vector<SizedProgram> programs;
    for (const int rank : {1, 1}) {
        programs.push_back(sized(Collective::bcast, row("linear").build(grid, problem, rank), rank, 2, 8));
    }
    EXPECT_EQ(longest_chain(programs), 0) << "nobody sends";
}

TEST(TimeSharing, IsWhereAFewRanksOutnumberProcessors) {
    EXPECT_TRUE(TimeSharing::applies(one_host(8, 2)));
    EXPECT_TRUE(TimeSharing::applies(one_host(64, 31)));
    EXPECT_FALSE(TimeSharing::applies(one_host(64, 32))) << "two on each";
    EXPECT_FALSE(TimeSharing::applies(one_host(8, 8)));
    EXPECT_FALSE(TimeSharing::applies(one_host(8, 0))) << "not known";
    EXPECT_FALSE(TimeSharing::applies(one_host(65, 2))) << "takes long to find out";
}

TEST(TimeSharing, AddsUpTheWorkOfAllRanksOrTakesTheBusiest) {
    const Grid grid = one_host(4, 2);
    const MachineCosts costs = grid.costs().shared_by(2);
    const TimeSharing linear(row("linear"), grid, {.collective = Collective::reduce});
    const double message = costs.local_message();
    const double combine = 1 / costs.local_bandwidth + 1 / costs.reduce_bandwidth;
    EXPECT_NEAR(linear.work(1, 0), 6 * message / 2, 1e-12) << "three are sent, and three received, by two processors";
    EXPECT_NEAR(linear.work(1, 1e6), 3 * message + 3e6 * combine, 1e-9) << "of the root";
    const TimeSharing binomial(row("binomial"), grid, {.collective = Collective::reduce});
    EXPECT_NEAR(binomial.work(1, 1e6), 2 * message + 2e6 * combine, 1e-9);
    const TimeSharing alltoall(row("linear"), grid, {.collective = Collective::alltoall});
    EXPECT_GT(alltoall.work(1, 1e6), 12 * message + 4 * 0.75e6 / costs.local_bandwidth / 2);
}

TEST(TimeSharing, WaitsHalfARoundForEachMessageOfTheChain) {
    const Grid grid = one_host(8, 2);
    const double half_a_round = turn * 8 / 2 / 2;
    EXPECT_NEAR(TimeSharing(row("linear"), grid, {.collective = Collective::bcast}).waiting(1), half_a_round, 1e-12);
    EXPECT_NEAR(TimeSharing(row("binomial"), grid, {.collective = Collective::bcast}).waiting(1), 3 * half_a_round,
                1e-12);
    const TimeSharing chain(row("pipelined_chain"), grid, {.collective = Collective::bcast});
    EXPECT_NEAR(chain.waiting(5), 7 * half_a_round, 1e-12);
    EXPECT_NEAR(chain.work(5, 0), 5 * chain.work(1, 0), 1e-12);
}

TEST(WaitingAmongHosts, IsForEachMessageOfTheChain) {
    const Fabric fabric = test::equal_torus({4, 4});
    const Problem problem{.collective = Collective::bcast};
    const auto waiting = [&](std::string_view name, int ranks_per_host, double each) {
        const Grid grid = Grid::from_torus(fabric, test::ranks_on_all(fabric, ranks_per_host)).value();
        return waiting_among_hosts(row(name), grid, problem, each);
    };
    EXPECT_EQ(waiting("linear", 1, 0), 0) << "nobody waits for a turn";
    EXPECT_NEAR(waiting("linear", 1, 64e-6), 64e-6, 1e-12);
    EXPECT_NEAR(waiting("binomial", 2, 64e-6), 5 * 64e-6, 1e-12);
    EXPECT_EQ(waiting("linear", 5, 64e-6), 0) << "takes long to find out";
}

TEST(WaitingAmongHosts, IsPredicted) {
    Fabric fabric = test::equal_torus({4, 4});
    fabric.costs.shared_message_time = 16e-6;
    const Grid grid = Grid::from_torus(fabric, test::ranks_on_all(fabric)).value();
    const Problem problem{.collective = Collective::bcast};
    const double formula = row("binomial").seconds(grid, problem, 8), waiting = 4 * 16 * 16 / 92. * 16e-6;
    const double messages = 15 * (16e-6 + 16e-6);  // each waited for by one rank
    const Prediction prediction(row("binomial"), grid, problem);
    EXPECT_NEAR(prediction.seconds(1, 8), formula + messages + waiting, 1e-9);
    EXPECT_NEAR(prediction.seconds(1, 8192), row("binomial").seconds(grid, problem, 8192) + messages, 1e-9)
        << "wires decide";
    const auto replayed = [&] { return ReplayedPrediction(grid).seconds({row("binomial"), problem}, 8); };
    EXPECT_GT(replayed().value_or(0), waiting + 4 * grid.costs().message_time);
    // Of what takes longer than a limit, any figure above that.
    EXPECT_GT(ReplayedPrediction(grid).seconds({row("binomial"), problem}, 8, {waiting, 0}).value_or(0), waiting);
}

TEST(TimeSharing, IsPredictedOnOneHost) {
    const Grid grid = one_host(8, 2);
    const Problem problem{.collective = Collective::reduce};
    for (const std::string_view name : {"linear", "binomial", "a2at"}) {
        const TimeSharing turns(row(name), grid, problem);
        for (const double bytes : {8., 1e6}) {
            const double formula = row(name).seconds(grid, problem, bytes);
            EXPECT_DOUBLE_EQ(Prediction(row(name), grid, problem).seconds(1, bytes),
                             std::max(formula, turns.work(1, bytes)) + turns.waiting(1));
        }
    }
    const Problem alone{.collective = Collective::bcast};
    EXPECT_DOUBLE_EQ(Prediction(row("binomial"), one_host(8, 8), alone).seconds(1, 8),
                     row("binomial").seconds(grid, alone, 8));
}

Decision decide_in_memory(const Grid& grid, Call call, double bytes) {
    Preferences preferences;
    preferences.host_memory = true;
    return decide(grid, {.call = call, .bytes = bytes}, preferences);
}

TEST(TimeSharing, ChoosesShortChainsForShortVectors) {
    const Grid grid = one_host(16, 2);
    const Decision allreduce = decide_in_memory(grid, Call::allreduce, 8);
    EXPECT_EQ(chain_of(chosen(allreduce).algorithm->name, Collective::allreduce, grid), 2);
    EXPECT_EQ(chosen(decide_in_memory(grid, Call::reduce, 8)).algorithm->name, "linear");
    EXPECT_EQ(decide_in_memory(one_host(16, 16), Call::reduce, 8).chosen, -1) << "as other modules do";
    EXPECT_EQ(chosen(decide_in_memory(one_host(16, 16), Call::allreduce, 8)).algorithm->name, "recursive_doubling");
}

TEST(TimeSharing, ChoosesFewMessagesForLongerVectors) {
    EXPECT_EQ(chosen(decide_in_memory(one_host(8, 8), Call::reduce, 1 << 18)).algorithm->name, "a2at");
    EXPECT_NE(chosen(decide_in_memory(one_host(8, 2), Call::reduce, 1 << 18)).algorithm->name, "a2at");
}

}  // namespace
}  // namespace coll_topo
