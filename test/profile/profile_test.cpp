// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/packed_profile.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace coll_topo {
namespace {

const ProfileShape torus{16, "4x4", 16, 1, 1};

ProfileKey key(Call call, int size_class, const std::string& run_by) {
    ProfileKey key;
    key.call = call;
    key.size_class = size_class;
    key.communicator = torus;
    key.run_by = run_by;
    return key;
}

/// Of one rank.
Profile rank_profile(bool first) {
    Profile profile;
    profile.add(ProfileCommunicator{torus, first ? 1u : 0u, {}});
    ProfileRow& row = profile.rows[profile.row_for(key(Call::allreduce, 4, "swing"))];
    row.calls = first ? 100 : 0;
    row.rank_calls = 100;
    row.first_calls = 1;
    row.first_seconds = 0.5;
    row.timed = 33;
    row.weight = 66;
    row.bytes = 800;
    row.seconds = 0.0066;
    row.predicted = first ? 0.005 : 0;
    row.predicted_calls = first ? 100 : 0;
    row.looked_at = 0.002;
    row.waited = 0.0005;
    row.times.count[80] = 66;
    return profile;
}

TEST(Profile, RowsOfRanksAreAdded) {
    Profile job = rank_profile(true);
    job.add(rank_profile(false));
    ASSERT_EQ(job.rows.size(), 1u);
    const ProfileRow& row = job.rows[0];
    EXPECT_EQ(row.calls, 100u);
    EXPECT_EQ(row.rank_calls, 200u);
    EXPECT_DOUBLE_EQ(row.mean_bytes(), 8);
    EXPECT_DOUBLE_EQ(*row.total(), 0.0132 * 198 / 132);
    EXPECT_DOUBLE_EQ(*row.waiting(), *row.total() / 4);
    EXPECT_DOUBLE_EQ(*row.prediction(), 5e-5);
    EXPECT_EQ(row.transfer(), std::nullopt);
    EXPECT_EQ(row.passing_one(), std::nullopt);
    ASSERT_EQ(job.communicators.size(), 1u);
    EXPECT_EQ(job.communicators[0].count, 1u);
}

TEST(Profile, FirstCallsAloneAreTheTotal) {
    ProfileRow row;
    EXPECT_EQ(row.total(), std::nullopt);
    row.rank_calls = row.first_calls = 2;
    row.first_seconds = 0.25;
    EXPECT_DOUBLE_EQ(*row.total(), 0.25);
}

TEST(Profile, EveryDifferenceIsARow) {
    Profile profile;
    ProfileKey one = key(Call::bcast, 4, "linear");
    EXPECT_EQ(profile.row_for(one), 0);
    EXPECT_EQ(profile.row_for(one), 0);
    one.lanes = 2;
    EXPECT_EQ(profile.row_for(one), 1);
    one.passed_on = true;
    EXPECT_EQ(profile.row_for(one), 2);
    one.communicator.ranks = 4;
    EXPECT_EQ(profile.row_for(one), 3);
    one.form = CallForm::persistent;
    EXPECT_EQ(profile.row_for(one), 4);
    EXPECT_EQ(one.call_text(), "bcast_init");
    EXPECT_EQ(one.run_by_text(), "linear, 2 lanes");
}

TEST(Profile, PacksAsItIs) {
    Profile profile = rank_profile(true);
    profile.job.clock_error = 3e-6;
    profile.communicators[0].members = {0, 1, 2};
    ProfileKey requests = key(Call::barrier, 0, "recursive_doubling");
    requests.form = CallForm::nonblocking;
    profile.row_for(requests);
    const std::string bytes = pack(profile);
    const auto again = unpack_profile(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(pack(*again), bytes);
    EXPECT_EQ(again->communicators, profile.communicators);
    EXPECT_EQ(again->rows[0].key, profile.rows[0].key);
    EXPECT_EQ(again->rows[1].key, profile.rows[1].key);
    EXPECT_EQ(again->rows[0].times.count, profile.rows[0].times.count);
    EXPECT_DOUBLE_EQ(again->job.clock_error, 3e-6);
    for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(unpack_profile(bytes.substr(0, size)));
}

TEST(Profile, WhatCannotBeIsNotUnpacked) {
    Profile profile = rank_profile(true);
    ASSERT_TRUE(unpack_profile(pack(profile)));
    for (const int size_class : {-1, 65}) {
        Profile wrong = profile;
        wrong.rows[0].key.size_class = size_class;
        EXPECT_FALSE(unpack_profile(pack(wrong))) << size_class;
    }
    Profile wrong = profile;
    wrong.rows[0].seconds = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(unpack_profile(pack(wrong)));
    profile.communicators[0].shape.ranks = -1;
    EXPECT_FALSE(unpack_profile(pack(profile)));
}

}  // namespace
}  // namespace coll_topo
