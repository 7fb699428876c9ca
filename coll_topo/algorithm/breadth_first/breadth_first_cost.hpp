// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/breadth_first/breadth_first.hpp"

#include <span>
#include <vector>

namespace coll_topo::breadth_first {

/// A round of reduce-scatter or allgather as one host has it.
struct HostRound {
    struct Port {
        const HostLink* link;
        std::span<const BreadthFirst::Arrival> sent;
        std::span<const BreadthFirst::Arrival> received;
    };
    std::vector<Port> ports;
    bool combines;  ///< what it receives
};

/// How many cuts of shards these are.
int cuts(std::span<const BreadthFirst::Arrival> shards);

/// Seconds of a round if a cut of one aggregator has so many bytes.
using RoundSeconds = double (*)(const Grid& grid, const Problem& problem, const HostRound& round, double cut_bytes);

/// Seconds of the whole collective. A round takes as long as it takes the slowest host: on a full torus, where all do
/// the same, any; else of all of up to 181, and of some of more.
double seconds(const Grid& grid, const Problem& problem, double bytes, RoundSeconds round_seconds);

}  // namespace coll_topo::breadth_first
