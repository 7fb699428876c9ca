// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/rounds.hpp"
#include "coll_topo/fabric/machine_costs.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace coll_topo::acceptance {

/// In which rounds every cable is tested: for its latency; for its bandwidth alone, each direction while nothing else
/// uses the cable or the hosts; and while as many others are busy as the network has room for.
struct CablePlan {
    std::vector<CableTest> tests;
    std::vector<LatencyTest> pairs;
    std::vector<Round> latency;   ///< of pairs
    std::vector<Round> alone;     ///< of tests
    std::vector<Round> together;  ///< of tests
    std::vector<int> untested;    ///< links that no message between these hosts was found to take
    std::vector<int> not_filled;  ///< links of which no test uses the whole bandwidth
};

/// The plan for these hosts, ascending, of a fabric; the same wherever it is made.
CablePlan make_cable_plan(const Fabric& fabric, LinkGraph& graph, const std::vector<int>& hosts);

inline constexpr int round_trips = 100;           ///< of a latency test
inline constexpr int transfers = 3;               ///< of a bandwidth test, one after the other
inline constexpr double transfer_seconds = 0.02;  ///< that one takes at least, at the bandwidth that the file gives

/// Of each transfer of a message: as many as take transfer_seconds, within limits; the same for all messages of a test.
std::size_t bytes_of_transfer(const Message& message, const LinkCapacities& capacities);

/// What some rounds take together.
struct Effort {
    long long tests = 0;
    long long messages = 0;
    double bytes = 0;
    double links_at_once = 0;            ///< that are filled, or passed by short messages: the mean of all rounds
    std::optional<double> seconds = {};  ///< if the file gives all bandwidths
};
Effort latency_effort(const CablePlan& plan, const Fabric& fabric, const LinkGraph& graph);
Effort bandwidth_effort(const CablePlan& plan, const std::vector<Round>& rounds, const Fabric& fabric,
                        const LinkGraph& graph, const LinkCapacities& capacities);

}  // namespace coll_topo::acceptance
