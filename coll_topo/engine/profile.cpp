// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/profile.h"

#include "coll_topo/engine/communicator.hpp"
#include "coll_topo/engine/guard.hpp"
#include "coll_topo/engine/topology.hpp"
#include "coll_topo/grid/grid_shape.hpp"
#include "coll_topo/profile/arrivals.hpp"
#include "coll_topo/profile/packed_profile.hpp"
#include "coll_topo/profile/profile_report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>

using namespace coll_topo;

struct coll_topo_profile {
    Profile profile;
};

struct coll_topo_arrivals {
    Arrivals arrivals;
};

namespace {

constexpr double nanosecond = 1e-9;

ProfileShape shape_of(const coll_topo_communicator& communicator) {
    const Grid& grid = communicator.grid();
    return {grid.ranks(), shape_of(grid), grid.hosts(), grid.fewest_ranks_per_host(), grid.most_ranks_per_host()};
}

ProfileKey key_of(const coll_topo_communicator& communicator, const coll_topo_profile_kind& kind) {
    ProfileKey key;
    key.call = static_cast<Call>(kind.collective);
    key.form = static_cast<CallForm>(kind.form);
    key.size_class = kind.size_class;
    key.communicator = shape_of(communicator);
    key.passed_on = kind.way < 0;
    key.by_user = kind.by_user != 0;
    if (key.passed_on) {
        key.run_by = kind.passed_on_to != nullptr ? kind.passed_on_to : "";
        return key;
    }
    const auto& [algorithm, problem] = communicator.ways().at(kind.way);
    key.run_by = algorithm->name;
    if (algorithm->uses_lanes) key.lanes = problem.lanes;
    if (algorithm->uses_segments) key.segments = problem.segments;
    if (algorithm->uses_aggregators) key.aggregators = problem.aggregators;
    return key;
}

/// Memory that C frees; null without any.
char* copy_for_c(std::string_view text) {
    char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy == nullptr) throw std::bad_alloc();
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = '\0';
    return copy;
}

int hand_over(const std::string& bytes, void** data, size_t* size) {
    *data = copy_for_c(bytes);
    *size = bytes.size();
    return COLL_TOPO_OK;
}

CallName name_of(const coll_topo_call_name& call) {
    return {call.communicator, call.kind, call.number};
}

ProfileReport report_for(const coll_topo_profile& profile, const coll_topo_profile_job& job) {
    ProfileReport report = report_of(profile.profile);
    ProfileJob& about = report.job;
    const auto text = [](const char* words) { return std::string(words != nullptr ? words : ""); };
    about.topology_file = text(job.topology_file);
    about.mpi = text(job.mpi);
    about.ranks = job.ranks;
    about.profiled_ranks = job.profiled_ranks;
    about.seconds = job.seconds;
    about.lanes = job.lanes;
    about.segments = job.segments;
    about.aggregators = job.aggregators;
    about.network = job.topology->fabric.summary();
    std::vector<int> number(job.topology->fabric.hosts.size(), -1);  // of those that the job uses
    for (int rank = 0; job.host_of_rank != nullptr && rank < job.ranks; ++rank) {
        const int host = job.host_of_rank[rank];
        if (host >= 0 && number[host] < 0) {
            number[host] = static_cast<int>(about.hosts.size());
            about.hosts.emplace_back(job.topology->fabric.hosts.name(host));
        }
        about.host_of_rank.push_back(host < 0 ? -1 : number[host]);
    }
    return report;
}

}  // namespace

coll_topo_profile* coll_topo_profile_new(void) {
    return new (std::nothrow) coll_topo_profile;
}

void coll_topo_profile_free(coll_topo_profile* profile) {
    delete profile;
}

int coll_topo_profile_add(coll_topo_profile* profile, coll_topo_communicator* communicator,
                          const coll_topo_profile_kind* kind, const coll_topo_profile_counts* counts) {
    int index = -1;
    guarded_planning(nullptr, 0, [&] {
        ProfileRow added;
        added.key = key_of(*communicator, *kind);
        added.calls = kind->counts_calls != 0 ? counts->calls : 0;
        added.rank_calls = counts->calls;
        added.first_calls = counts->first_calls;
        added.first_seconds = nanosecond * static_cast<double>(counts->first_nanoseconds);
        added.timed = counts->timed;
        added.weight = counts->weight;
        added.bytes = static_cast<double>(counts->bytes);
        added.seconds = nanosecond * static_cast<double>(counts->nanoseconds);
        added.passing = nanosecond * static_cast<double>(counts->passing_nanoseconds);
        std::copy_n(counts->histogram, Histogram::bins, added.times.count.begin());
        if (added.calls > 0) {
            const auto seconds = communicator->predict(added.key.call, kind->way, added.mean_bytes());
            added.predicted = seconds.value_or(0) * static_cast<double>(added.calls);
            added.predicted_calls = seconds ? added.calls : 0;
        }
        const int row = profile->profile.row_for(added.key);
        profile->profile.rows[row].add(added);
        index = row;
        return static_cast<int>(COLL_TOPO_OK);
    });
    return index;
}

int coll_topo_profile_add_communicator(coll_topo_profile* profile, coll_topo_communicator* communicator, int counts,
                                       const int* members) {
    return guarded(nullptr, 0, [&] {
        ProfileCommunicator one{shape_of(*communicator), counts != 0 ? 1U : 0U, {}};
        if (members != nullptr) one.members.assign(members, members + one.shape.ranks);
        profile->profile.add(one);
        return static_cast<int>(COLL_TOPO_OK);
    });
}

void coll_topo_profile_add_waiting(coll_topo_profile* profile, int row, double taken, double waited) {
    ProfileRow& to = profile->profile.rows[row];
    to.looked_at += nanosecond * taken;
    to.waited += nanosecond * waited;
}

void coll_topo_profile_add_transfer(coll_topo_profile* profile, int row, uint64_t nanoseconds) {
    ++profile->profile.rows[row].transfers.count[coll_topo_profile_bin(nanoseconds)];
}

void coll_topo_profile_note_clock_error(coll_topo_profile* profile, double seconds) {
    double& error = profile->profile.job.clock_error;
    error = std::max(error, seconds);
}

int coll_topo_profile_pack(const coll_topo_profile* profile, void** data, size_t* size) {
    return guarded(nullptr, 0, [&] { return hand_over(pack(profile->profile), data, size); });
}

int coll_topo_profile_merge(coll_topo_profile* profile, const void* data, size_t size) {
    return guarded(nullptr, 0, [&] {
        const auto other = unpack_profile({static_cast<const char*>(data), size});
        if (!other) return static_cast<int>(COLL_TOPO_FAILED);
        profile->profile.add(*other);
        return static_cast<int>(COLL_TOPO_OK);
    });
}

char* coll_topo_profile_text(const coll_topo_profile* profile, const coll_topo_profile_job* job) {
    char* text = nullptr;
    guarded(nullptr, 0, [&] {
        text = copy_for_c(profile_text(report_for(*profile, *job)));
        return static_cast<int>(COLL_TOPO_OK);
    });
    return text;
}

int coll_topo_profile_write(const coll_topo_profile* profile, const coll_topo_profile_job* job, const char* path,
                            char* message, size_t message_size) {
    return guarded(message, message_size, [&] {
        errno = 0;
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file << profile_json(report_for(*profile, *job)) << std::flush;
        if (file) return static_cast<int>(COLL_TOPO_OK);
        write_message(errno != 0 ? std::strerror(errno) : "it cannot be written", message, message_size);
        return static_cast<int>(COLL_TOPO_FAILED);
    });
}

coll_topo_arrivals* coll_topo_arrivals_new(void) {
    return new (std::nothrow) coll_topo_arrivals;
}

void coll_topo_arrivals_free(coll_topo_arrivals* arrivals) {
    delete arrivals;
}

int coll_topo_arrivals_add(coll_topo_arrivals* arrivals, const coll_topo_call_name* call, int awaited, int64_t entered,
                           int64_t left) {
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();
    return guarded(nullptr, 0, [&] {
        arrivals->arrivals.add(name_of(*call), {1, awaited != 0 ? entered : never, entered, left});
        return static_cast<int>(COLL_TOPO_OK);
    });
}

int coll_topo_arrivals_pack(const coll_topo_arrivals* arrivals, void** data, size_t* size) {
    return guarded(nullptr, 0, [&] { return hand_over(pack(arrivals->arrivals), data, size); });
}

int coll_topo_arrivals_merge(coll_topo_arrivals* arrivals, const void* data, size_t size) {
    return guarded(nullptr, 0, [&] {
        const auto other = unpack_arrivals({static_cast<const char*>(data), size});
        if (!other) return static_cast<int>(COLL_TOPO_FAILED);
        arrivals->arrivals.add(*other);
        return static_cast<int>(COLL_TOPO_OK);
    });
}

int coll_topo_arrivals_find(const coll_topo_arrivals* arrivals, const coll_topo_call_name* call, int ranks,
                            coll_topo_last_arrivals* last) {
    const auto found = arrivals->arrivals.calls.find(name_of(*call));
    if (found == arrivals->arrivals.calls.end() || found->second.ranks != ranks) return 0;
    *last = {found->second.awaited, found->second.entered, found->second.left};
    return 1;
}
