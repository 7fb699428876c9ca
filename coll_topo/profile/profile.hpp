// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/profile/histogram.hpp"
#include "coll_topo/schedule/call.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// Communicators that are alike: as many ranks, in the same shape on the network.
struct ProfileShape {
    int ranks = 0;
    std::string shape;  ///< sizes of the axes: "4x4"
    int hosts = 0;
    int least_ranks_per_host = 0;
    int most_ranks_per_host = 0;

    auto operator<=>(const ProfileShape&) const = default;
};

/// How a program makes a call.
enum class CallForm : std::uint8_t { blocking, nonblocking, persistent };
constexpr int call_form_count = 3;

/// "blocking", "nonblocking", "persistent".
std::string_view form_name(CallForm form);
std::optional<CallForm> find_form(std::string_view name);

/// Calls that have a row of their own.
struct ProfileKey {
    Call call = Call::allreduce;
    int size_class = 0;  ///< significant bits of the number of bytes; 0: none, or sizes that differ
    ProfileShape communicator;
    bool passed_on = false;
    std::string run_by;  ///< the algorithm, or the component that calls were passed on to
    int lanes = 0;       ///< 0: the algorithm has none; the same for the next two
    int segments = 0;
    int aggregators = 0;
    bool by_user = false;  ///< a rule or a parameter may have decided, not predicted time alone
    CallForm form = CallForm::blocking;

    auto operator<=>(const ProfileKey&) const = default;

    /// "allreduce", "iallreduce", "allreduce_init".
    std::string call_text() const;
    /// "bfb, 4 lanes", "tuned".
    std::string run_by_text() const;
};

/// What was measured of them on all ranks. Times are seconds; of calls with requests, from the start until all has been
/// done, in which the program may do other things.
struct ProfileRow {
    ProfileKey key;
    std::uint64_t calls = 0;        ///< each counts once for its communicator
    std::uint64_t rank_calls = 0;   ///< and here once for each of its ranks
    std::uint64_t first_calls = 0;  ///< of rank_calls: they make plans and connections, and are timed apart
    double first_seconds = 0;
    std::uint64_t timed = 0;   ///< of the other rank_calls
    std::uint64_t weight = 0;  ///< those that the timed ones stand for
    double bytes = 0;          ///< of all rank_calls
    double seconds = 0;        ///< weighted
    double passing = 0;        ///< weighted: what passing them on took
    double predicted = 0;      ///< of all calls
    std::uint64_t predicted_calls = 0;
    double looked_at = 0;  ///< of calls of which is known when the last rank entered: what ranks took,
    double waited = 0;     ///< and waited for it
    Histogram times;       ///< of ranks, weighted
    Histogram transfers;   ///< of those calls: until the last rank left

    void add(const ProfileRow& other);

    double mean_bytes() const { return rank_calls == 0 ? 0 : bytes / static_cast<double>(rank_calls); }
    /// Of all ranks together, with first calls only if there are no others; nothing if no call was timed.
    std::optional<double> total() const;
    std::optional<double> waiting() const;  ///< part of the total
    std::optional<double> median() const { return times.median(); }
    std::optional<double> transfer() const { return transfers.median(); }
    std::optional<double> prediction() const;
    std::optional<double> passing_one() const;
};

struct ProfileCommunicator {
    ProfileShape shape;
    std::uint64_t count = 0;
    std::vector<std::int32_t> members;  ///< of one of them, ranks in MPI_COMM_WORLD; empty: not known

    bool operator==(const ProfileCommunicator&) const = default;
};

/// What belongs to the job.
struct ProfileJob {
    std::string network;
    std::string topology_file;
    std::string mpi;
    int ranks = 0;
    int profiled_ranks = 0;
    double seconds = 0;      ///< from MPI_Init to MPI_Finalize
    double clock_error = 0;  ///< seconds: how far times of different ranks can be off
    std::vector<std::string> hosts;
    std::vector<std::int32_t> host_of_rank;  ///< index in `hosts`, -1: not known
    int lanes = 0;                           ///< fixed by a parameter; 0: not; so the next two
    int segments = 0;
    int aggregators = 0;

    bool operator==(const ProfileJob&) const = default;
};

/// The calls of some ranks, or of a whole job.
struct Profile {
    ProfileJob job;
    std::vector<ProfileCommunicator> communicators;
    std::vector<ProfileRow> rows;

    /// The row with this key, made if there is none.
    int row_for(const ProfileKey& key);
    void add(const ProfileCommunicator& communicator);
    void add(const Profile& other);  ///< all but the job
};

}  // namespace coll_topo
