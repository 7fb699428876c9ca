// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/measure/local_messages.hpp"

#include <mpi.h>
#include <cstddef>
#include <vector>

namespace coll_topo::bench {

/// Times messages between some ranks of a communicator while the others sleep, and local work of a rank. All
/// functions are collective; each returns the same seconds on all ranks.
class ClusterTiming {
public:
    /// The speakers of the plan take part in what all hosts do at once. The communicator must outlive this.
    ClusterTiming(MPI_Comm communicator, const MeasuringPlan& plan);
    ClusterTiming(const ClusterTiming&) = delete;
    ClusterTiming& operator=(const ClusterTiming&) = delete;
    ~ClusterTiming();

    /// A message of 8 bytes from one rank to the other: half the median of many round trips.
    double one_way(const RankPair& pair);

    /// Until the slowest speaker has sent and received its messages, each `repeated` times at once.
    double together(const std::vector<RankPair>& messages, std::size_t bytes, int repeated);

    /// From one rank of a local pair to the other: half the median of `round_trips`.
    double within_host(const RankPair& pair, std::size_t bytes, int round_trips);

    /// For a speaker to add, or copy, `working_set` bytes once: the mean of all speakers.
    double adding();
    double copying();
    /// Bytes/s that all ranks of all hosts copy at once, added up.
    double copying_of_all();
    static constexpr std::size_t working_set = std::size_t{32} << 20;  ///< does not stay in a core's caches

    /// Waits for all ranks, asleep, so that the ranks which do not take part leave the processors to the others.
    void meet() const;

private:
    double largest(double seconds) const;
    double mean_of_speakers(double seconds) const;
    double from(int rank, double seconds) const;
    void reserve(std::size_t bytes);

    MPI_Comm communicator_;
    MPI_Comm speakers_ = MPI_COMM_NULL;  // not used on other ranks
    int rank_ = 0;
    bool speaks_ = false;
    int speaker_count_ = 0;
    LocalMessages local_;
    std::vector<char> sent_;
    std::vector<char> received_;
    std::vector<MPI_Request> requests_;
};

}  // namespace coll_topo::bench
