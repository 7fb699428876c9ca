// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_test.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// Tests that run at once, as indices.
using Round = std::vector<int>;

/// Short messages there and back between two hosts.
struct LatencyTest {
    Message there = {};
    Message back = {};

    double seconds(const LinkGraph& graph) const;  ///< of one message on the wire: the mean of both ways
};

/// One test for the ends of each first message of a test, in whichever direction; so every link that is tested for its
/// bandwidth is for its latency too.
std::vector<LatencyTest> latency_tests(const std::vector<CableTest>& tests, LinkGraph& graph);

/// Each test in one round, in which no host takes part in two tests, and no cable, in either direction, carries
/// messages of two: a colouring of edges, first fit. So rounds grow with how many tests a host takes part in.
std::vector<Round> rounds_alone(const std::vector<CableTest>& tests, const LinkGraph& graph);
std::vector<Round> rounds_alone(const std::vector<LatencyTest>& tests, const LinkGraph& graph);

/// Each test in at least one round, and each round with as many tests as the links have room for at full speed.
std::vector<Round> rounds_together(const std::vector<CableTest>& tests, const LinkCapacities& capacities);

}  // namespace coll_topo::acceptance
