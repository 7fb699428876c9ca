// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"

#include <cstddef>
#include <set>
#include <vector>

namespace coll_topo::acceptance {

/// By way of which other hosts one host reaches all others, where a cable carries nothing and routes do not change.
/// What was reached tells which links are good, and ways over good links are tried first.
class OrderWays {
public:
    /// The graph must outlive it.
    OrderWays(LinkGraph& graph, int leader);

    /// The host by way of which to try to reach a host next, the leader first; none is tried twice. -1: none is left.
    int next(int host);

    /// A host answered, by way of another that had answered before, or of the leader.
    void answered(int host, int by);

    /// A host did not answer by way of another.
    void missed(int host, int by);

    /// Hosts that no longer answer: all ways to them may be tried again.
    void lost(const std::set<int>& hosts);

    bool is_reached(int host) const { return by_[static_cast<std::size_t>(host)] >= 0 || host == leader_; }
    /// The one before a reached host; -1: it is the leader.
    int before(int host) const { return by_[static_cast<std::size_t>(host)]; }

private:
    int depth(int host) const;
    /// Of the links between two hosts, in both directions: how many are not known to be good, and how often messages
    /// over them were missed. -1: there is no route.
    int doubts(int host, int other);

    LinkGraph& graph_;
    int leader_;
    std::vector<int> by_;               // by host; -1: not reached
    std::vector<std::set<int>> tried_;  // by host: ways
    std::vector<bool> good_;            // by link
    std::vector<int> misses_;           // by link
    std::vector<int> links_;
};

}  // namespace coll_topo::acceptance
