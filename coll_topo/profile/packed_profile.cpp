// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/packed_profile.hpp"

#include "coll_topo/profile/bytes.hpp"

#include <limits>

namespace coll_topo {

namespace {

constexpr int most = std::numeric_limits<int>::max();

void put(ByteWriter& out, const ProfileShape& shape) {
    out.put(shape.ranks);
    out.put_text(shape.shape);
    out.put(shape.hosts);
    out.put(shape.least_ranks_per_host);
    out.put(shape.most_ranks_per_host);
}

ProfileShape get_shape(ByteReader& in) {
    ProfileShape shape;
    shape.ranks = in.get_number(0, most);
    shape.shape = in.get_text();
    for (int* const number : {&shape.hosts, &shape.least_ranks_per_host, &shape.most_ranks_per_host}) {
        *number = in.get_number(0, most);
    }
    return shape;
}

void put(ByteWriter& out, const ProfileKey& key) {
    out.put(key.call);
    out.put(key.size_class);
    put(out, key.communicator);
    out.put(key.passed_on);
    out.put_text(key.run_by);
    for (const int number : {key.lanes, key.segments, key.aggregators}) out.put(number);
    out.put(key.by_user);
    out.put(key.form);
}

ProfileKey get_key(ByteReader& in) {
    ProfileKey key;
    key.call = static_cast<Call>(in.get<std::uint8_t>() % call_count);
    key.size_class = in.get_number(0, std::numeric_limits<std::uint64_t>::digits);
    key.communicator = get_shape(in);
    key.passed_on = in.get<std::uint8_t>() != 0;
    key.run_by = in.get_text();
    for (int* const number : {&key.lanes, &key.segments, &key.aggregators}) *number = in.get_number(0, most);
    key.by_user = in.get<std::uint8_t>() != 0;
    key.form = static_cast<CallForm>(in.get<std::uint8_t>() % call_form_count);
    return key;
}

/// Only the bins that are not empty.
void put(ByteWriter& out, const Histogram& histogram) {
    std::uint32_t used = 0;
    for (const std::uint64_t count : histogram.count) used += count != 0 ? 1 : 0;
    out.put(used);
    for (int bin = 0; bin < Histogram::bins; ++bin) {
        if (histogram.count[bin] == 0) continue;
        out.put(static_cast<std::uint8_t>(bin));
        out.put(histogram.count[bin]);
    }
}

Histogram get_histogram(ByteReader& in) {
    Histogram histogram;
    for (auto left = in.get_count(sizeof(std::uint8_t) + sizeof(std::uint64_t)); left > 0; --left) {
        const auto bin = in.get<std::uint8_t>();
        histogram.count[bin] = in.get<std::uint64_t>();
    }
    return histogram;
}

void put(ByteWriter& out, const ProfileRow& row) {
    put(out, row.key);
    for (const std::uint64_t number :
         {row.calls, row.rank_calls, row.first_calls, row.timed, row.weight, row.predicted_calls}) {
        out.put(number);
    }
    for (const double number :
         {row.bytes, row.first_seconds, row.seconds, row.passing, row.predicted, row.looked_at, row.waited}) {
        out.put(number);
    }
    put(out, row.times);
    put(out, row.transfers);
}

ProfileRow get_row(ByteReader& in) {
    ProfileRow row;
    row.key = get_key(in);
    for (std::uint64_t* const number :
         {&row.calls, &row.rank_calls, &row.first_calls, &row.timed, &row.weight, &row.predicted_calls}) {
        *number = in.get<std::uint64_t>();
    }
    for (double* const number :
         {&row.bytes, &row.first_seconds, &row.seconds, &row.passing, &row.predicted, &row.looked_at, &row.waited}) {
        *number = in.get_finite();
    }
    row.times = get_histogram(in);
    row.transfers = get_histogram(in);
    return row;
}

}  // namespace

std::string pack(const Profile& profile) {
    ByteWriter out;
    out.put(profile.job.clock_error);
    out.put(static_cast<std::uint32_t>(profile.communicators.size()));
    for (const ProfileCommunicator& one : profile.communicators) {
        put(out, one.shape);
        out.put(one.count);
        out.put(static_cast<std::uint32_t>(one.members.size()));
        for (const std::int32_t rank : one.members) out.put(rank);
    }
    out.put(static_cast<std::uint32_t>(profile.rows.size()));
    for (const ProfileRow& row : profile.rows) put(out, row);
    return out.bytes();
}

std::optional<Profile> unpack_profile(std::string_view bytes) {
    ByteReader in(bytes);
    Profile profile;
    profile.job.clock_error = in.get_finite();
    for (auto left = in.get_count(sizeof(std::uint64_t)); left > 0; --left) {
        ProfileCommunicator one;
        one.shape = get_shape(in);
        one.count = in.get<std::uint64_t>();
        for (auto members = in.get_count(sizeof(std::int32_t)); members > 0; --members) {
            one.members.push_back(in.get<std::int32_t>());
        }
        profile.communicators.push_back(std::move(one));
    }
    for (auto left = in.get_count(sizeof(std::uint64_t)); left > 0; --left) profile.rows.push_back(get_row(in));
    if (!in.complete()) return std::nullopt;
    return profile;
}

}  // namespace coll_topo
