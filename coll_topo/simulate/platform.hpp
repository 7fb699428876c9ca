// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/grid/placement.hpp"
#include "coll_topo/simulate/processor.hpp"

#include <map>
#include <vector>

namespace simgrid::s4u {
class Host;
}

namespace coll_topo::simulate {

/// The machine as a SimGrid platform: a SimGrid host for each rank; a link for each directed link of the graph, shared
/// by those who use it at the same time, each way on its own; and the memory of each host. Messages between ranks of a
/// host take no time on their way. Routes are those of the graph, computed when asked for, since a table of all pairs
/// would not fit.
///
/// Bandwidth is shared as a fluid: max-min fair, every flow with the same weight, however long its route. SimGrid's
/// models of TCP weigh flows by latency, correct bandwidth and latency by measured factors, and let answers slow data
/// down; all of that is switched off, so that a message of m bytes alone on its route takes the latency of its links
/// and m over the bandwidth of the narrowest.
///
/// A process can have only one. All links that messages use must have a bandwidth.
class Platform {
public:
    /// `memory_bandwidth` in bytes/s. Graph and placement must outlive the simulation.
    Platform(LinkGraph& graph, const Placement& placement, double memory_bandwidth);

    simgrid::s4u::Host* host_of_rank(int rank) const { return hosts_[rank]; }
    bool same_host(int one, int other) const { return placement_[one].host == placement_[other].host; }
    bool has_several_hosts() const { return memories_.size() > 1; }
    const Memory& memory_of_rank(int rank) const { return memories_.at(placement_[rank].host); }

    /// Bytes/s of the fastest link between hosts and switches.
    double fastest_bandwidth() const { return fastest_bandwidth_; }

private:
    double fastest_bandwidth_ = 0;
    const Placement& placement_;
    std::map<int, Memory> memories_;          // by host
    std::vector<simgrid::s4u::Host*> hosts_;  // owned by SimGrid
};

/// Starts SimGrid with the settings that Platform and the replay need.
void start_simgrid(double resolution);

}  // namespace coll_topo::simulate
