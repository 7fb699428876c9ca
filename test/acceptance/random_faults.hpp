// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/verdict.hpp"

#include <cstdint>
#include <optional>

namespace coll_topo::acceptance {

/// What makes measurements differ: a fault of the cluster, all tests of a kind that are slow, or a silent host.
struct DrawnFault {
    std::optional<Fault> fault = {};
    int slow_kind = -1;  ///< as in kinds_of_tests
    int silent = -1;     ///< host
};

inline constexpr int drawn_kinds = 9;

/// A fault of a kind, 0 .. drawn_kinds - 1, drawn by seed; nothing if the network cannot have it.
std::optional<DrawnFault> draw_fault(int kind, std::uint64_t seed, const CablePlan& plan, const Fabric& file,
                                     const LinkGraph& graph);

/// What the tests would give on a cluster with this fault, each result off by up to `noise` of it, drawn by seed; every
/// message takes the work of hosts besides.
CableMeasurement measure_with(const DrawnFault& drawn, double noise, std::uint64_t seed, const CablePlan& plan,
                              const Fabric& file, const LinkGraph& graph);

}  // namespace coll_topo::acceptance
