// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/profile/profile.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coll_topo {

/// A row of a profile as it is shown and written. Times are seconds.
struct ProfileLine {
    ProfileKey key;
    std::uint64_t calls = 0;          ///< each counts once for its communicator
    std::uint64_t rank_calls = 0;     ///< and here once for each of its ranks
    std::uint64_t first_calls = 0;    ///< of rank_calls: they make plans and connections, and are timed apart
    double first_seconds = 0;         ///< of all of those
    std::uint64_t timed = 0;          ///< of the other rank_calls
    double mean_bytes = 0;            ///< of a call
    std::optional<double> total;      ///< of all ranks together
    std::optional<double> waiting;    ///< part of the total
    std::optional<double> median;     ///< of a call, as ranks see it
    std::optional<double> transfer;   ///< median: from when the last rank entered until the last one left
    std::optional<double> predicted;  ///< of a call, on average
    std::optional<double> passing;    ///< of a call, what passing it on took

    bool operator==(const ProfileLine&) const = default;
};

/// What becomes of a profile: the lines with the longest total first.
struct ProfileReport {
    ProfileJob job;
    std::vector<ProfileCommunicator> communicators;
    std::vector<ProfileLine> lines;

    bool operator==(const ProfileReport&) const = default;
};

ProfileReport report_of(const Profile& profile);

/// The bytes of a size class: first and last.
std::uint64_t least_bytes_of(int size_class);
std::uint64_t most_bytes_of(int size_class);

/// A table for people, at most 100 columns wide.
std::string profile_text(const ProfileReport& report);

/// JSON that tool/profile reads; share/coll-topo-profile.schema.json describes it.
std::string profile_json(const ProfileReport& report);

}  // namespace coll_topo
