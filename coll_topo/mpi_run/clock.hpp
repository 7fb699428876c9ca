// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <cstdint>

namespace coll_topo::bench {

/// Seconds that this process's monotonic clock shows.
double local_seconds();

/// Equal for processes that share a monotonic clock: of one boot of one kernel and one time namespace.
std::uint64_t clock_identity();

/// A clock that all ranks of a communicator read alike: that of rank 0.
class CommonClock {
public:
    /// Collective. Ranks that do not share rank 0's clock measure how far theirs is off by ping-pong with it; the round
    /// with the shortest way there and back counts.
    explicit CommonClock(MPI_Comm communicator);

    double now() const { return local_seconds() - offset_; }

    /// Sleeps, then watches the clock for the last moment. Returns at once if the time has passed.
    void wait_until(double seconds) const;

    /// How far, at most, any rank's clock may be off, in seconds: half of the shortest round of ping-pong; 0 if all
    /// ranks share one clock. Known to rank 0.
    double uncertainty() const { return uncertainty_; }

private:
    double offset_ = 0;
    double uncertainty_ = 0;
};

}  // namespace coll_topo::bench
