// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/computation.hpp"

#include "coll_topo/mpi_run/clock.hpp"

namespace coll_topo::bench {

namespace {

constexpr std::int64_t first_steps = 100'000;
constexpr double enough_seconds = 0.05;  // ranks that share a processor have had their turns

volatile double result = 1;  // else the compiler would leave the work out

}  // namespace

/// Each step waits for the one before, so that the compiler cannot make them fewer.
void Computation::run(std::int64_t steps) {
    double value = result;
    for (std::int64_t step = 0; step < steps; ++step) value = value * 0.999 + 0.001;
    result = value;
}

Computation::Computation(MPI_Comm communicator) {
    double slowest = 0;
    std::int64_t steps = first_steps;
    for (; true; steps *= 2) {
        MPI_Barrier(communicator);
        const double begin = local_seconds();
        run(steps);
        const double own = local_seconds() - begin;
        MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, communicator);
        if (slowest >= enough_seconds) break;
    }
    steps_per_second_ = static_cast<double>(steps) / slowest;
}

}  // namespace coll_topo::bench
