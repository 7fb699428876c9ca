// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/clock.hpp"
#include "coll_topo/mpi_run/component.hpp"
#include "coll_topo/mpi_run/operation.hpp"
#include "coll_topo/mpi_run/turns.hpp"
#include "coll_topo/mpi_run/variables.hpp"

#include <mpi.h>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coll_topo::bench {

/// One collective at one size, and how often.
struct Case {
    const Operation* operation = nullptr;
    std::size_t elements = 1;  ///< of the vector or piece
    int root = 0;
    bool in_place = false;
    int repetitions = 1;
    double seconds = 0;    ///< as in Turns::Limits
    int back_to_back = 1;  ///< calls one after the other that are timed together
};

/// What measuring needs for longer than one case.
struct Bench {
    MPI_Comm communicator = MPI_COMM_NULL;  ///< for agreements; no call on it is measured
    int rank = 0;
    int ranks = 1;
    Variables variables;
    std::optional<Cartesian> cartesian;  ///< of calls to neighbours
    Buffers buffers;                     ///< large enough for every case
    std::uint32_t calls = 0;

    int pieces(const Operation& operation) const { return operation.of_neighbors ? cartesian->neighbors() : ranks; }
};

/// What takes its turn in a case, on every rank.
struct Entrant {
    std::function<void(const Call&)> run;
    std::string counter;     ///< of the schedules of coll_topo that it may run: see Variables::runs
    bool has_result = true;  ///< that of the case's collective, to be checked
};

/// The blocking call of a component, several times one after the other.
Entrant blocking_calls(Bench& bench, const Operation& operation, const Component& component, int times);

/// Collective. Each runs once: connections are made, memory is touched, and short calls are planned, but no large
/// amount of data moves. coll_topo plans for a longer one when that is first called: see Turns.
void warm_up(Bench& bench, const Case& which, const std::vector<Entrant>& entrants);

/// Collective. Runs the entrants in turns; each time all ranks start at an agreed time and check their results. Returns
/// on rank 0 what was seen of each entrant, elsewhere nothing. `progress` is called on rank 0 with the number of the
/// round that begins.
std::vector<Measurement> take_turns(Bench& bench, const Case& which, const std::vector<Entrant>& entrants,
                                    const CommonClock& clock, const std::function<void(int)>& progress);

/// The same of the blocking calls of components, warmed up; of calls back to back the time of one, on average.
std::vector<Measurement> measure(Bench& bench, const Case& which, const std::vector<Component>& components,
                                 const CommonClock& clock, const std::function<void(int)>& progress);

}  // namespace coll_topo::bench
