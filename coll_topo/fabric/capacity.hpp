// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Two sides of a network and what passes between them.
struct Cut {
    std::int64_t inside = 0;   ///< weight of the hosts on one side
    std::int64_t outside = 0;  ///< and on the other
    double bandwidth = 0;      ///< from one side to the other, the lesser of both directions, bytes/s
    std::int64_t links = 0;    ///< that it is the sum of
};

/// The cuts that can limit traffic among all hosts; `weights` by host, 0 for a host that takes no part. Torus: across
/// each dimension, between any two places (mesh: at any place). Switches: a switch with all below it against the rest,
/// alone or with the others that are above no more hosts, as those of a pod are, whichever has less between the sides.
std::vector<Cut> cuts(const Fabric& fabric, const LinkGraph& graph, std::span<const int> weights);

/// What each host can send at once: over all cables that its messages may take (carries_own_messages), or its own cable
/// where the file describes it (HostLink).
struct HostInjection {
    std::vector<double> bandwidths;  ///< bytes/s
    std::vector<int> links;          ///< over how many cables, at most
};
HostInjection host_injection(const LinkGraph& graph);

/// What one half of all hosts can send to the other, bytes/s. Torus: the halves with the least between them, cut across
/// one dimension. Switches: the hosts in the order of the file are halved, and each switch is on the side on which the
/// least can pass. 0 for a single host.
double bisection_bandwidth(const Fabric& fabric, const LinkGraph& graph);

/// These bandwidths on a torus or mesh, however large: without a graph of its links.
std::vector<double> torus_injection_bandwidths(const Fabric& fabric);
double torus_bisection_bandwidth(const Fabric& fabric);

/// Seconds of latency from a host to the farthest of others; they must be connected.
double farthest_latency(LinkGraph& graph, int host, std::span<const int> others);

/// Seconds of latency between the two hosts farthest from each other. Of more than `most_exact_hosts` hosts, only two
/// candidates are tried: the farthest from the first host, and the farthest from that; these are exact on tori, meshes
/// and trees.
inline constexpr int most_exact_hosts = 512;
double diameter_latency(LinkGraph& graph, std::span<const int> hosts);

}  // namespace coll_topo
