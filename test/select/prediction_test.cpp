// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/prediction.hpp"

#include "coll_topo/select/barrier.hpp"
#include "test/algorithm/rounds.hpp"
#include "test/algorithm/trial.hpp"
#include "test/select/decisions.hpp"
#include "test/select/virtual_cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace coll_topo {
namespace {

using test::chosen;
using test::grid_of;
using test::messages_sent;

constexpr double microsecond = 1e-6;

/// A torus of wires as slow as those of virtual hosts; `costs` are more of its machines.
Grid virtual_grid(const std::string& dimensions, int hosts, int ranks_per_host, const std::string& costs) {
    return grid_of("TorusName=t Dims=" + dimensions + " Nodes=n[0-" + std::to_string(hosts - 1) +
                       "] Bandwidth=25Mbit/s Latency=8us\nHostLink Latency=25us\nMachine MessageTime=9.4us" + costs +
                       "\n",
                   ranks_per_host);
}

const std::string shared_15_us = " SharedMessageTime=15us";

int steps_that_receive(const std::vector<Program>& programs) {
    int count = 0;
    for (const Program& program : programs) {
        for (const Step& step : program.steps) {
            if (std::ranges::any_of(program.actions_of(step), is_receive)) ++count;
        }
    }
    return count;
}

TEST(Prediction, CountsAllMessagesWhereProcessorsAreShared) {
    const Grid grid = virtual_grid("3x5", 15, 2, shared_15_us);
    for (const Algorithm& algorithm : catalogue()) {
        for (int c = 0; c < collective_count; ++c) {
            const auto collective = static_cast<Collective>(c);
            if (!algorithm.serves(collective)) continue;
            for (Problem problem : test::problems(algorithm, collective, grid)) {
                if (!algorithm.refusal(grid, problem).empty()) continue;
                const Prediction prediction(algorithm, grid, problem);
                for (problem.segments = 1; problem.segments <= (algorithm.uses_segments ? 5 : 1); ++problem.segments) {
                    const std::vector<Program> programs = test::build_all(algorithm, grid, problem);
                    const int sent = messages_sent(programs);
                    const int waits = problem.segments == 1 ? steps_that_receive(programs) : 0;
                    const double shared = 15 * microsecond * (sent + waits);
                    for (const double bytes : {8192., 1e6}) {  // in shorter calls ranks wait for turns, too
                        const double own = algorithm.seconds(grid, problem, bytes);
                        const double latency = algorithm.seconds(grid, problem, 0);
                        EXPECT_NEAR(prediction.seconds(problem.segments, bytes),
                                    problem.segments == 1 ? own + shared : std::max(own, latency + shared), 1e-9)
                            << test::describe(algorithm, problem);
                    }
                }
            }
        }
    }
}

TEST(Prediction, IsTheRowsOwnWhereHostsShareNothing) {
    const Grid grid = virtual_grid("3x5", 15, 1, "");
    const Algorithm& bucket = *find_algorithm("bucket");
    EXPECT_EQ(Prediction(bucket, grid, {}).seconds(1, 8), bucket.seconds(grid, {}, 8));
}

TEST(Prediction, LooksAtSomeOfManyRanks) {
    const Grid grid = virtual_grid("30x30", 900, 1, shared_15_us);
    const Algorithm& bucket = *find_algorithm("bucket");
    const std::vector<Program> programs = test::build_all(bucket, grid, {});
    const double shared = 15. * (messages_sent(programs) + steps_that_receive(programs));
    EXPECT_NEAR(Prediction(bucket, grid, {}).seconds(1, 0), bucket.seconds(grid, {}, 0) + shared * microsecond, 1e-9)
        << "all send as many";
}

TEST(Prediction, AMessageWithinAHostTakesLessOfSharedProcessorsAsItTakesLessOfItsRank) {
    const Grid grid = virtual_grid("4x4", 16, 4, shared_15_us + " LocalMessageTime=0.94us");
    const Algorithm& tree = *find_algorithm("dimension_binomial");
    const Problem bcast{Collective::bcast};
    EXPECT_NEAR(Prediction(tree, grid, bcast).seconds(1, 8192),
                tree.seconds(grid, bcast, 8192) + (15 * 15 + 48 * 1.5 + 63 * 15) * microsecond, 1e-9)
        << "of 63 messages, 15 leave their hosts, and each has its receiver wait";
}

TEST(Prediction, MakesAScheduleOfFewMessagesTheFastest) {
    const Request request{Call::allreduce, 8};
    const auto messages_of_chosen = [&](const std::string& shared) {
        const Grid grid = virtual_grid("3x5", 15, 1, shared);
        const Candidate candidate = chosen(decide(grid, request, {}));
        return messages_sent(test::build_all(*candidate.algorithm, grid, candidate.problem));
    };
    EXPECT_GE(messages_of_chosen(""), 15 * (2 + 4)) << "few rounds";
    EXPECT_LE(messages_of_chosen(shared_15_us), 8 * 3 + 2 * 7) << "doubling among 8, and 7 pairs";
}

TEST(Prediction, LetsMessagesOfAPipelineOverlapItsTransfers) {
    const auto segments = [](const std::string& shared) {
        const Grid grid = virtual_grid("4x4", 16, 1, shared);
        return chosen(decide(grid, {Call::bcast, 1 << 20}, {})).problem.segments;
    };
    EXPECT_GE(segments(shared_15_us), 32);
    EXPECT_LE(segments(shared_15_us), segments(""));
}

TEST(Prediction, LetsOneRankOfAHostSendForAllWhatIsShort) {
    const auto two_are_faster = [](const std::string& shared) {
        const Grid grid = virtual_grid("4x4", 16, 2, shared);
        const auto seconds = [&](int aggregators) {
            const Problem problem{Collective::reduce_scatter_block, aggregators};
            return Prediction(*find_algorithm("halving_doubling"), grid, problem).seconds(1, 512);
        };
        return seconds(2) < seconds(1);
    };
    EXPECT_FALSE(two_are_faster(shared_15_us));
    EXPECT_TRUE(two_are_faster(""));
}

TEST(Prediction, OfShortVectorsARestedLinkMakesAChainTheFastest) {
    const auto row = [](const std::string& machine) {
        return chosen(decide(virtual_grid("4x4", 16, 1, shared_15_us + machine), {Call::scan, 4096}, {}))
            .algorithm->name;
    };
    EXPECT_EQ(row(""), "prefix_doubling");
    EXPECT_EQ(row(" LinkBurst=5KiB"), "prefix_chain");
}

TEST(Prediction, ShortPiecesGoWithTheirSizesUnlessThatTakesAsLongAsASecondRun) {
    const auto torus_with = [](const std::string& bandwidth) {
        return grid_of("TorusName=t Dims=4x4 Nodes=n[0-15] Bandwidth=" + bandwidth + " Latency=1us\n");
    };
    const Algorithm& tree = *find_algorithm("balanced_tree");
    const Problem problem{.collective = Collective::gather};
    EXPECT_EQ(sizes_ahead(tree, torus_with("12.5GB/s"), problem, false).room, 512U);
    EXPECT_EQ(sizes_ahead(*find_algorithm("linear"), torus_with("12.5GB/s"), problem, true).algorithm, nullptr)
        << "needs no sizes";
    const Grid slow = torus_with("100Mbit/s");
    const std::size_t room = sizes_ahead(tree, slow, problem, false).room;
    const Prediction prediction(tree, slow, problem);
    const auto run = [&](std::size_t bytes) { return prediction.seconds(1, 16. * (8. + static_cast<double>(bytes))); };
    EXPECT_GE(room, 8U);
    EXPECT_LT(room, 512U);
    EXPECT_LE(run(room), 2 * run(0));
    EXPECT_GT(run(2 * room), 2 * run(0));
}

TEST(Prediction, SizesGoDirectlyWhereThatIsFaster) {
    const auto ahead_on = [](const std::string& text, const char* algorithm, bool may_go_directly) {
        const Grid grid = grid_of(text);
        const Problem problem{.collective = Collective::gather};
        const SizesAhead ahead = sizes_ahead(*find_algorithm(algorithm), grid, problem, may_go_directly);
        EXPECT_GE(ahead.seconds, Prediction(*ahead.algorithm, grid, problem).seconds(1, grid.ranks() * 8.));
        return ahead.algorithm->name;
    };
    const std::string few =
        "TorusName=t Dims=4x4 Nodes=n[0-15] Bandwidth=12.5GB/s Latency=1us\nHostLink Latency=60us\n";
    EXPECT_EQ(ahead_on(few, "balanced_tree", true), "linear");
    EXPECT_EQ(ahead_on(few, "balanced_tree", false), "balanced_tree") << "that was asked for";
    const std::string many = "TorusName=t Dims=17x17 Nodes=n[0-288] Bandwidth=12.5GB/s Latency=1us\n";
    EXPECT_EQ(ahead_on(many, "balanced_tree", true), "balanced_tree") << "the root cannot hear all in good time";
}

TEST(Prediction, OfEachNumberOfSegmentsIsThatOfTheRow) {
    const Grid grid = grid_of("TorusName=t Dims=3x4 Nodes=n[0-11] Bandwidth=12.5GB/s Latency=1us\n", 3);
    int rows = 0;
    for (const Algorithm& algorithm : catalogue()) {
        const Problem problem{.collective = Collective::bcast, .lanes = 4, .root = 5};
        if (!algorithm.serves(problem.collective) || !algorithm.uses_segments || !algorithm.uses_lanes) continue;
        if (!algorithm.refusal(grid, problem).empty()) continue;
        const Prediction prediction(algorithm, grid, problem);
        for (const int segments : {8, 1, 64}) {
            Problem in_segments = problem;
            in_segments.segments = segments;
            EXPECT_EQ(prediction.seconds(segments, 1e6), algorithm.seconds(grid, in_segments, 1e6)) << algorithm.name;
        }
        if (algorithm.seconds_in_segments != nullptr) ++rows;
    }
    EXPECT_GT(rows, 0);
}

TEST(Prediction, CountsMessagesOfABarrierInRankOrderToo) {
    const double own = rank_order_barrier_seconds(virtual_grid("3x5", 15, 1, ""));
    const double shared = rank_order_barrier_seconds(virtual_grid("3x5", 15, 1, shared_15_us));
    const double message = (15 + 15) * microsecond;  // each is waited for
    EXPECT_GE(shared, own + message * 38 - 1e-9) << "doubling among 8, and 7 pairs";
    EXPECT_LE(shared, own + message * 60 + 1e-9) << "four rounds of dissemination";
}

}  // namespace
}  // namespace coll_topo
