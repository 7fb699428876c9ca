// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/breadth_first/breadth_first.hpp"

#include <span>
#include <vector>

namespace coll_topo::breadth_first {

/// A round of reduce-scatter or allgather as one host runs it.
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

/// Seconds of a round in which a cut of one aggregator has `cut_bytes`.
using RoundSeconds = double (*)(const Grid& grid, const Problem& problem, const HostRound& round, double cut_bytes);

/// Seconds of the whole collective. A round takes as long as its slowest host: on a full torus, where all do the same,
/// any host; else the slowest of all hosts, or of a sample if there are more than 181.
double seconds(const Grid& grid, const Problem& problem, double bytes, RoundSeconds round_seconds);

}  // namespace coll_topo::breadth_first
