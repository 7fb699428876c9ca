// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/neighbor_bound.hpp"

#include "coll_topo/simulate/injection.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace coll_topo::simulate {
namespace {

/// Pieces that the ranks of a host get.
struct Received {
    double over_cables = 0;
    double within_host = 0;
    int ranks = 0;
};

class Count {
public:
    Count(Collective collective, const Cartesian& cartesian, const Placement& placement, int hosts)
        : one_for_all_(collective == Collective::neighbor_allgather),
          cartesian_(cartesian),
          placement_(placement),
          by_host_(hosts) {
        for (int rank = 0; rank < cartesian.ranks(); ++rank) add(rank);
    }

    const std::vector<Received>& by_host() const { return by_host_; }
    bool uses_cables() const { return uses_cables_; }
    bool sends() const { return sends_; }
    int most_for_itself() const { return most_for_itself_; }

private:
    void add(int rank) {
        const int host = placement_[rank].host;
        Received& received = by_host_[host];
        int for_itself = 0;
        ++received.ranks;
        for (int number = 0; number < cartesian_.neighbors(); ++number) {
            const int neighbor = cartesian_.neighbor(rank, number);
            if (neighbor < 0) continue;
            if (neighbor == rank) {
                ++for_itself;
                continue;
            }
            sends_ = true;
            // The ranks of a host may share what one of them gets.
            const bool again = one_for_all_ && !known_.insert({host, neighbor}).second;
            if (placement_[neighbor].host == host) {
                ++received.within_host;
            } else if (!again) {
                ++received.over_cables;
                uses_cables_ = true;
            }
        }
        most_for_itself_ = std::max(most_for_itself_, for_itself);
    }

    const bool one_for_all_;
    const Cartesian& cartesian_;
    const Placement& placement_;
    std::vector<Received> by_host_;
    std::set<std::pair<int, int>> known_;  // host, rank that it has a piece of
    bool uses_cables_ = false, sends_ = false;
    int most_for_itself_ = 0;
};

double nearest_latency(const LinkGraph& graph, const std::vector<Received>& by_host) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Link& link : graph.links()) {
        if (link.from < graph.hosts() && by_host[link.from].ranks > 0) nearest = std::min(nearest, link.latency);
    }
    return nearest;
}

}  // namespace

Bound neighbor_bound(Collective collective, double bytes, const Cartesian& cartesian, const MachineCosts& costs,
                     const LinkGraph& graph, const Placement& placement) {
    const double piece = bytes / cartesian.neighbors();
    const Count count(collective, cartesian, placement, graph.hosts());
    const auto [bandwidths, links] = host_injection(graph);
    Bound result;
    for (int host = 0; host < graph.hosts(); ++host) {
        const Received& received = count.by_host()[host];
        const double burst = count.uses_cables() ? links[host] * costs.link_burst : 0;
        if (received.over_cables > 0) {
            const double passed = beyond_burst(received.over_cables * piece, burst);
            result.transfer = std::max(result.transfer, passed / bandwidths[host]);
        }
        if (received.within_host == 0) continue;
        const double local = std::min(received.ranks * costs.local_bandwidth, costs.memory_bandwidth);
        const double cables = count.uses_cables() ? bandwidths[host] : 0;
        const double moved = beyond_burst((received.over_cables + received.within_host) * piece, burst);
        result.copying = std::max(result.copying, moved / (cables + local));
    }
    if (count.uses_cables()) result.latency = nearest_latency(graph, count.by_host());
    result.copying = std::max(result.copying, count.most_for_itself() * piece / costs.copy_bandwidth);
    if (count.sends()) {
        const double each =
            count.uses_cables() ? std::min(costs.message_time, costs.local_message()) : costs.local_message();
        const bool some_local =
            std::ranges::any_of(count.by_host(), [](const Received& of) { return of.within_host > 0; });
        result.messages = std::max(each, costs.shared_message(some_local) * cartesian.ranks());
    }
    return result;
}

}  // namespace coll_topo::simulate
