// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"

#include <mpi.h>
#include <cstddef>
#include <utility>
#include <vector>

namespace coll_topo::bench {

/// What a rank measured: the index of a message of the round, or of a pair, and seconds; 0: it did not end in time.
using RoundResults = std::vector<std::pair<int, double>>;

/// The rank that speaks for each host of the fabric; -1: none, or it does not answer.
using Speakers = std::vector<int>;

/// A short message there and back, many times: half of the fastest, which nothing delayed but cables and the work of
/// hosts, measured by the rank that begins.
RoundResults run_latency_round(MPI_Comm communicator, const acceptance::CablePlan& plan, const acceptance::Round& round,
                               const Speakers& speakers, int tag, double deadline);

inline constexpr int tags_of_round = 128;

/// How the seconds of several transfers of a message become one.
enum class Transfers {
    fastest,  ///< the least that the first ones took, each
    mean,     ///< of all, for messages that compete with others
};

/// The messages of all tests of a round at once, each several times one after the other: seconds of a transfer,
/// measured by the receiver. Messages are numbered test by test. `tag` and the 63 after it are used by no other round
/// that may still be under way.
RoundResults run_bandwidth_round(MPI_Comm communicator, const acceptance::CablePlan& plan,
                                 const acceptance::LinkCapacities& capacities, const acceptance::Round& round,
                                 const Speakers& speakers, Transfers transfers, int tag, double deadline);

}  // namespace coll_topo::bench
