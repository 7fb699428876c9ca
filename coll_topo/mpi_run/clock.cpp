// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/clock.hpp"

#include <sched.h>
#include <time.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace coll_topo::bench {

namespace {

constexpr int rounds = 40;                // of ping-pong: a few of them meet no other traffic
constexpr double watched_seconds = 5e-5;  // waking up takes about as long
constexpr int tag = 1;

/// The estimate of one round: the peer read its clock in the middle, give or take half of the round.
struct Offset {
    double seconds = 0;
    double uncertainty = std::numeric_limits<double>::infinity();
};

/// How far the own clock is ahead of rank 0's.
Offset measure_offset(MPI_Comm communicator) {
    Offset best;
    for (int round = 0; round < rounds; ++round) {
        double theirs = 0;
        const double sent = local_seconds();
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, 0, tag, &theirs, 1, MPI_DOUBLE, 0, tag, communicator, MPI_STATUS_IGNORE);
        const double received = local_seconds();
        const Offset offset{(sent + received) / 2 - theirs, (received - sent) / 2};
        if (offset.uncertainty < best.uncertainty) best = offset;
    }
    return best;
}

void answer(int rank, MPI_Comm communicator) {
    for (int round = 0; round < rounds; ++round) {
        double theirs = 0;
        MPI_Recv(&theirs, 1, MPI_DOUBLE, rank, tag, communicator, MPI_STATUS_IGNORE);
        const double now = local_seconds();
        MPI_Send(&now, 1, MPI_DOUBLE, rank, tag, communicator);
    }
}

std::string contents(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

double local_seconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::uint64_t clock_identity() {
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
    for (const char* const path : {"/proc/sys/kernel/random/boot_id", "/proc/self/timens_offsets"}) {
        for (const unsigned char character : contents(path)) hash = (hash ^ character) * 0x100000001b3U;
    }
    return hash;
}

CommonClock::CommonClock(MPI_Comm communicator) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const std::uint64_t own = clock_identity();
    std::vector<std::uint64_t> identities(static_cast<std::size_t>(ranks));
    MPI_Allgather(&own, 1, MPI_UINT64_T, identities.data(), 1, MPI_UINT64_T, communicator);
    for (int other = 1; other < ranks; ++other) {
        if (identities[static_cast<std::size_t>(other)] == identities[0]) continue;
        if (rank == 0) answer(other, communicator);
        if (rank == other) {
            const Offset offset = measure_offset(communicator);
            offset_ = offset.seconds;
            uncertainty_ = offset.uncertainty;
        }
    }
    const double mine = uncertainty_;
    MPI_Reduce(&mine, &uncertainty_, 1, MPI_DOUBLE, MPI_MAX, 0, communicator);
}

void CommonClock::wait_until(double seconds) const {
    const double asleep_until = seconds + offset_ - watched_seconds;
    if (asleep_until > local_seconds()) {
        timespec wake{};
        wake.tv_sec = static_cast<time_t>(asleep_until);
        wake.tv_nsec = static_cast<long>((asleep_until - std::floor(asleep_until)) * 1e9);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
    }
    while (now() < seconds) sched_yield();
}

}  // namespace coll_topo::bench
