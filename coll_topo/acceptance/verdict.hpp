// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/acceptance/fault.hpp"
#include "coll_topo/acceptance/measurement.hpp"
#include "coll_topo/acceptance/repeated_measurement.hpp"

#include <optional>
#include <vector>

namespace coll_topo::acceptance {

/// A fault that explains some of what was measured.
struct Finding {
    Fault fault;
    std::vector<Fault> or_else = {};  ///< faults that explain it as well
    double explains = 0;              ///< of the whole shortfall, 0 .. 1
};

/// Tests of one kind that are all slower than the file says.
struct SlowKind {
    int test = 0;      ///< one of them
    double share = 1;  ///< the median, of what the file says
};

/// What measurements say of the cables of a cluster.
struct CableVerdict {
    bool accepted = false;  ///< nothing below has an entry
    std::vector<Finding> findings = {};
    std::vector<SlowKind> slow_kinds = {};
    std::vector<int> silent = {};         ///< hosts
    std::vector<int> not_explained = {};  ///< tests with results unlike the file, most of which no finding explains
    std::vector<int> doubtful = {};       ///< tests with results unlike the file that were seen only once
    double explained = 1;                 ///< of the whole shortfall
    std::optional<Fabric> as_wired = {};  ///< where hosts are elsewhere, or cables missing: the network as it is
};

inline constexpr double least_share = 0.8;  ///< by default: a bandwidth below that is a fault

/// Explains what was measured by as few faults as it takes: the one that explains most first, then what explains most
/// of the rest. A fault only counts if it explains nearly all of what it has to do with; the rest is not explained.
/// What is in doubt and unlike the file says nothing.
CableVerdict judge_cables(const CablePlan& plan, const Fabric& file, const LinkGraph& graph,
                          const CableMeasurement& measured, double least = least_share, const Doubts& doubts = {});

}  // namespace coll_topo::acceptance
