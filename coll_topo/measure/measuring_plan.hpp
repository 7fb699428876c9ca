// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"

#include <utility>
#include <vector>

namespace coll_topo::bench {

/// Two ranks, the sender first.
using RankPair = std::pair<int, int>;

/// Two ranks that measure how long a short message takes.
struct LatencyProbe {
    RankPair ranks;
    std::vector<int> hops;  ///< cables on the way, by dimension of a torus; of switches: those between two switches
};

/// Who measures what with whom. The first rank on a host, its speaker, sends and receives for it; a second one only
/// measures the bandwidth within the host.
struct MeasuringPlan {
    std::vector<int> speakers;                    ///< ranks, one of each host
    std::vector<LatencyProbe> probes;             ///< a few, from different hosts and of different lengths
    std::vector<std::vector<RankPair>> messages;  ///< sent at once to measure a bandwidth; as in MeasuredCosts
    std::vector<RankPair> local;                  ///< on a few hosts

    /// All messages between neighbours, each once.
    std::vector<RankPair> all_messages() const;
};

/// The plan for ranks on these hosts of the fabric; the same on every rank that makes it.
MeasuringPlan make_measuring_plan(const Fabric& fabric, const std::vector<int>& host_of_rank);

}  // namespace coll_topo::bench
