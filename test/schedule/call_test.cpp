// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/schedule/call.hpp"

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

TEST(Calls, OfCollectivesRunTheirOwnSchedules) {
    for (int index = 0; index < collective_count; ++index) {
        const auto collective = static_cast<Collective>(index);
        EXPECT_EQ(schedule_of(call_of(collective)), collective) << collective_name(collective);
        EXPECT_TRUE(has_size(call_of(collective))) << collective_name(collective);
    }
}

TEST(Calls, AreFoundByTheirNames) {
    for (int index = 0; index < call_count; ++index) {
        const auto call = static_cast<Call>(index);
        EXPECT_EQ(find_call(call_name(call)), call);
    }
    EXPECT_EQ(find_call("scans"), std::nullopt);
}

TEST(Calls, WithoutAScheduleOfTheirOwnRunAnothers) {
    EXPECT_EQ(schedule_of(Call::alltoallw), Collective::alltoall);
    EXPECT_TRUE(has_unequal_pieces(Call::alltoallw));
    EXPECT_EQ(schedule_of(Call::allgatherv), Collective::allgather);
    EXPECT_TRUE(has_size(Call::allgatherv)) << "all ranks know all sizes";
    EXPECT_TRUE(has_unequal_pieces(Call::neighbor_allgatherv)) << "a rank knows what its neighbours send, no more";
    EXPECT_TRUE(is_neighborhood(Call::neighbor_alltoallw));
    EXPECT_FALSE(is_neighborhood(Call::alltoallw));
    EXPECT_EQ(schedule_of(Call::barrier), Collective::allreduce);
    EXPECT_FALSE(has_size(Call::barrier));
}

}  // namespace
}  // namespace coll_topo
