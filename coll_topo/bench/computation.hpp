// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <cstdint>

namespace coll_topo::bench {

/// Work for a processor alone: no memory, no calls.
class Computation {
public:
    /// Collective: measures how much of it the slowest rank does in a second while all ranks are at it.
    explicit Computation(MPI_Comm communicator);

    /// Equal on all ranks.
    std::int64_t steps_in(double seconds) const { return static_cast<std::int64_t>(steps_per_second_ * seconds); }

    static void run(std::int64_t steps);

private:
    double steps_per_second_ = 0;
};

}  // namespace coll_topo::bench
