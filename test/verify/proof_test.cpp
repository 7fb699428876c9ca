// SPDX-License-Identifier: BSD-3-Clause
#include "test/verify/hand_written.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace coll_topo::test {
namespace {

// Reduce-scatter and allgather round a ring, piece by piece, `lanes` times side by side. In rank order for no rank
// count above two, since every piece starts behind its owner.
Schedule ring_allreduce(int ranks, int lanes) {
    Schedule schedule;
    for (int rank = 0; rank < ranks; ++rank) {
        ProgramWriter writer(ranks * lanes);
        const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
        for (int lane = 0; lane < lanes; ++lane) {
            const auto block = [&](int behind) { return output((rank + 2 * ranks - behind) % ranks * lanes + lane); };
            writer.lane();
            for (int i = 0; i + 1 < ranks; ++i) writer.step().receive_reduce(left, block(i + 1)).send(right, block(i));
            for (int i = 0; i + 1 < ranks; ++i) {
                writer.step().receive(left, block(i)).send(right, block(i + ranks - 1));
            }
        }
        schedule.push_back(writer);
    }
    return schedule;
}

TEST(Proof, RingsOfManySizesAreRight) {
    for (const int ranks : {1, 2, 3, 7, 16, 65, 130}) {
        for (const int lanes : {1, 2, 3}) {
            EXPECT_EQ(finding(Collective::allreduce, ring_allreduce(ranks, lanes)), "") << ranks << " ranks";
        }
    }
}

TEST(Proof, ARingIsNotInRankOrder) {
    EXPECT_NE(finding(Collective::allreduce, ring_allreduce(3, 1), true), "");
}

// Breaks one action of a right schedule; gives false if the change would leave it as it was.
using Breakage = bool (*)(Action&, const Program&, int ranks);

const std::vector<Breakage>& breakages() {
    static const std::vector<Breakage> all = {
        [](Action& action, const Program& program, int) {
            action.first = (action.first + 1) % program.blocks;
            return program.blocks > 1;
        },
        [](Action& action, const Program& program, int) {
            ++action.count;
            return action.first + action.count <= program.blocks;
        },
        [](Action& action, const Program&, int ranks) {
            if (action.peer < 0) return false;
            action.peer = (action.peer + 1) % ranks;
            return true;
        },
        [](Action& action, const Program&, int) {
            action.kind = action.kind == ActionKind::receive ? ActionKind::receive_reduce : ActionKind::receive;
            return true;
        },
        [](Action& action, const Program&, int) {
            return std::exchange(action.buffer, Buffer::scratch) != Buffer::scratch;
        },
    };
    return all;
}

struct Sample {
    Collective collective;
    Schedule schedule;
    int root;
};

std::vector<Sample> samples() {
    return {
        {Collective::allreduce, ring_allreduce(4, 2), 0},
        {Collective::bcast, chain_bcast(4, 2, 3), 2},
        {Collective::reduce, star_reduce(5, 3), 3},
        {Collective::alltoall, linear_alltoall(4), 0},
    };
}

TEST(Proof, EveryChangeOfAnyActionIsFound) {
    for (const auto& [collective, right, root] : samples()) {
        ASSERT_EQ(finding(collective, right, false, root), "");
        const int ranks = static_cast<int>(right.size());
        for (int rank = 0; rank < ranks; ++rank) {
            for (std::size_t action = 0; action < right[rank].actions.size(); ++action) {
                for (std::size_t breakage = 0; breakage < breakages().size(); ++breakage) {
                    Schedule wrong = right;
                    Program& program = wrong[rank];
                    program.scratch_blocks = program.blocks;
                    if (!breakages()[breakage](program.actions[action], program, ranks)) continue;
                    EXPECT_NE(finding(collective, wrong, false, root), "")
                        << "collective " << static_cast<int>(collective) << ", rank " << rank << ", action " << action
                        << ", breakage " << breakage;
                }
            }
        }
    }
}

TEST(Proof, EveryLostActionIsFound) {
    std::vector<Sample> all = samples();
    all.push_back({Collective::alltoall, bruck_alltoall(5), 0});
    for (const auto& [collective, right, root] : all) {
        for (std::size_t rank = 0; rank < right.size(); ++rank) {
            for (std::size_t action = 0; action < right[rank].actions.size(); ++action) {
                Schedule wrong = right;
                Program& program = wrong[rank];
                program.actions.erase(program.actions.begin() + static_cast<std::ptrdiff_t>(action));
                for (Step& step : program.steps) {
                    if (step.begin > static_cast<std::int32_t>(action)) --step.begin;
                    if (step.end > static_cast<std::int32_t>(action)) --step.end;
                }
                EXPECT_NE(finding(collective, wrong, false, root), "")
                    << "collective " << static_cast<int>(collective) << ", rank " << rank << ", action " << action;
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
