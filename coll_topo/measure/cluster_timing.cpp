// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/cluster_timing.hpp"

#include "coll_topo/mpi_run/clock.hpp"
#include "coll_topo/mpi_run/median.hpp"

#include <time.h>
#include <algorithm>
#include <cstring>

namespace coll_topo::bench {

namespace {

constexpr int tag = 1;
constexpr int round_trips = 40;  // of one trial
constexpr int short_bytes = 8;
constexpr long nap_nanoseconds = 200'000;

/// A round trip, for the rank that starts it.
void ping(int peer, char* data, int bytes, MPI_Comm communicator) {
    MPI_Send(data, bytes, MPI_CHAR, peer, tag, communicator);
    MPI_Recv(data, bytes, MPI_CHAR, peer, tag, communicator, MPI_STATUS_IGNORE);
}

void pong(int peer, char* data, int bytes, MPI_Comm communicator) {
    MPI_Recv(data, bytes, MPI_CHAR, peer, tag, communicator, MPI_STATUS_IGNORE);
    MPI_Send(data, bytes, MPI_CHAR, peer, tag, communicator);
}

}  // namespace

ClusterTiming::ClusterTiming(MPI_Comm communicator, const MeasuringPlan& plan)
    : communicator_(communicator),
      speaker_count_(static_cast<int>(plan.speakers.size())),
      local_(communicator, plan.local) {
    MPI_Comm_rank(communicator, &rank_);
    speaks_ = std::find(plan.speakers.begin(), plan.speakers.end(), rank_) != plan.speakers.end();
    MPI_Comm_split(communicator, speaks_ ? 0 : 1, rank_, &speakers_);
}

ClusterTiming::~ClusterTiming() {
    MPI_Comm_free(&speakers_);
}

void ClusterTiming::meet() const {
    MPI_Request request;
    MPI_Ibarrier(communicator_, &request);
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return;
        const timespec nap{0, nap_nanoseconds};
        nanosleep(&nap, nullptr);
    }
}

double ClusterTiming::one_way(const RankPair& pair) {
    reserve(short_bytes);
    meet();
    std::vector<double> halves;
    for (int i = 0; i < round_trips; ++i) {
        const double begin = local_seconds();
        if (rank_ == pair.first) ping(pair.second, sent_.data(), short_bytes, communicator_);
        if (rank_ == pair.second) pong(pair.first, sent_.data(), short_bytes, communicator_);
        halves.push_back((local_seconds() - begin) / 2);
    }
    meet();
    return from(pair.first, median(std::move(halves)));
}

double ClusterTiming::together(const std::vector<RankPair>& messages, std::size_t bytes, int repeated) {
    std::vector<int> senders, receivers;  // those of this rank: a large cluster has too many to look through in time
    for (const auto& [sender, receiver] : messages) {
        if (receiver == rank_) senders.push_back(sender);
        if (sender == rank_) receivers.push_back(receiver);
    }
    const std::size_t received = senders.size() * static_cast<std::size_t>(repeated);
    reserve(bytes * std::max<std::size_t>(1, received));
    requests_.clear();
    requests_.reserve(received + receivers.size() * static_cast<std::size_t>(repeated));
    std::size_t place = 0;  // of the next message received
    meet();
    if (speaks_) MPI_Barrier(speakers_);
    const double begin = local_seconds();
    for (int i = 0; i < repeated; ++i) {
        for (const int sender : senders) {
            MPI_Irecv(received_.data() + place, static_cast<int>(bytes), MPI_CHAR, sender, tag, communicator_,
                      &requests_.emplace_back());
            place += bytes;
        }
    }
    for (int i = 0; i < repeated; ++i) {
        for (const int receiver : receivers) {
            MPI_Isend(sent_.data(), static_cast<int>(bytes), MPI_CHAR, receiver, tag, communicator_,
                      &requests_.emplace_back());
        }
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    const double seconds = requests_.empty() ? 0 : local_seconds() - begin;
    meet();
    return largest(seconds);
}

double ClusterTiming::within_host(const RankPair& pair, std::size_t bytes, int round_trips) {
    reserve(bytes);
    meet();
    std::vector<double> halves;
    for (int i = 0; i < round_trips; ++i) {
        const double begin = local_seconds();
        if (rank_ == pair.first) {
            local_.send(pair.second, sent_.data(), bytes);
            local_.receive(pair.second, received_.data(), bytes);
        } else if (rank_ == pair.second) {
            local_.receive(pair.first, received_.data(), bytes);
            local_.send(pair.first, sent_.data(), bytes);
        }
        halves.push_back((local_seconds() - begin) / 2);
    }
    meet();
    return from(pair.first, median(std::move(halves)));
}

double ClusterTiming::adding() {
    if (speaks_) reserve(working_set);
    meet();
    const double begin = local_seconds();
    if (speaks_) {
        MPI_Reduce_local(sent_.data(), received_.data(), static_cast<int>(working_set / sizeof(double)), MPI_DOUBLE,
                         MPI_SUM);
    }
    const double seconds = local_seconds() - begin;
    meet();
    return mean_of_speakers(seconds);
}

double ClusterTiming::copying() {
    if (speaks_) reserve(working_set);
    meet();
    const double begin = local_seconds();
    if (speaks_) std::memcpy(received_.data(), sent_.data(), working_set);
    const double seconds = local_seconds() - begin;
    meet();
    return mean_of_speakers(seconds);
}

double ClusterTiming::copying_of_all() {
    reserve(working_set);
    meet();
    MPI_Barrier(communicator_);
    const double begin = local_seconds();
    std::memcpy(received_.data(), sent_.data(), working_set);
    const double own = static_cast<double>(working_set) / (local_seconds() - begin);
    double sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator_);
    return sum;
}

double ClusterTiming::largest(double seconds) const {
    double result = 0;
    MPI_Allreduce(&seconds, &result, 1, MPI_DOUBLE, MPI_MAX, communicator_);
    return result;
}

double ClusterTiming::mean_of_speakers(double seconds) const {
    const double own = speaks_ ? seconds : 0;
    double sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator_);
    return sum / speaker_count_;
}

double ClusterTiming::from(int rank, double seconds) const {
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, rank, communicator_);
    return seconds;
}

/// Touches what it adds, so that no page is made while the clock runs.
void ClusterTiming::reserve(std::size_t bytes) {
    if (sent_.size() >= bytes) return;
    sent_.assign(bytes, 0);
    received_.assign(bytes, 0);
}

}  // namespace coll_topo::bench
