// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/capacity.hpp"
#include "coll_topo/grid/placement.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace coll_topo::simulate {

/// What is left of so many bytes when the burst has passed.
inline double beyond_burst(double bytes, double burst) {
    return std::max(0.0, bytes - burst);
}

/// The hosts that ranks are on, and how many.
struct Occupancy {
    std::vector<int> ranks_of_host;
    std::vector<int> hosts;

    Occupancy(const Placement& placement, int all_hosts) : ranks_of_host(all_hosts, 0) {
        for (const RankLocation& location : placement) {
            if (ranks_of_host[location.host]++ == 0) hosts.push_back(location.host);
        }
    }
};

/// What the hosts in use send over their cables in T seconds at most: bandwidth T, bytes/s, and the bytes that these
/// pass at once after a rest.
class Injection {
public:
    /// The occupancy must outlive it.
    Injection(const LinkGraph& graph, const Occupancy& occupancy, const MachineCosts& costs)
        : hosts_(occupancy.hosts), bursts_(graph.hosts(), 0) {
        HostInjection injection = host_injection(graph);
        bandwidths_ = std::move(injection.bandwidths);
        if (hosts_.size() == 1) {  // that needs no cables
            bandwidths_.assign(graph.hosts(), 0);
            return;
        }
        if (costs.link_burst == 0) return;
        for (int host = 0; host < graph.hosts(); ++host) bursts_[host] = injection.links[host] * costs.link_burst;
    }

    double bandwidth(int host) const { return bandwidths_[host]; }
    double burst(int host) const { return bursts_[host]; }

    double bandwidth() const { return sum(bandwidths_); }
    double burst() const { return sum(bursts_); }

    /// Seconds for so many bytes of one host, of the one where it takes longest, and of all together.
    double seconds(double bytes, int host) const { return beyond_burst(bytes, bursts_[host]) / bandwidths_[host]; }
    double longest(double bytes) const {
        double longest = 0;
        for (const int host : hosts_) longest = std::max(longest, seconds(bytes, host));
        return longest;
    }
    double together(double bytes) const { return beyond_burst(bytes, burst()) / bandwidth(); }

private:
    double sum(const std::vector<double>& by_host) const {
        double sum = 0;
        for (const int host : hosts_) sum += by_host[host];
        return sum;
    }

    const std::vector<int>& hosts_;
    std::vector<double> bandwidths_, bursts_;
};

}  // namespace coll_topo::simulate
