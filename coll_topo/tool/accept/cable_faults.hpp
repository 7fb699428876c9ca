// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/verdict.hpp"
#include "coll_topo/tool/accept/measured_cables.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// All that a report on the cables of a cluster is made of.
struct CableReport {
    const Fabric& fabric;
    const LinkGraph& graph;
    const acceptance::CablePlan& plan;
    const MeasuredCables& cables;
    const acceptance::CableVerdict& verdict;
};

/// A fault as it is told.
struct CableFault {
    std::string kind;                  ///< "slow cable"
    std::string what;                  ///< "the cable between n03 and n04 carries 40 %"
    std::vector<std::string> or_else;  ///< what explains as much
    std::optional<double> explains;    ///< of all that is unlike the file; nothing where that means nothing
    std::string to_do;
};

/// All faults: what explains most first, then kinds of cables that are slow, then hosts that did not answer.
std::vector<CableFault> faults_of(const CableReport& report);

/// The tests that no fault explains, with what they gave.
std::vector<std::string> not_explained(const CableReport& report);

/// The tests that gave another result each time, unlike the file, with the best.
std::vector<std::string> doubtful(const CableReport& report);

/// What tests of one kind of cables gave, bytes/s; 0: none has a result.
struct CableRates {
    std::string like;  ///< one of them
    std::size_t tests = 0;
    std::size_t without_result = 0;
    double median_alone = 0, least_alone = 0;
    double median_together = 0, least_together = 0;
};
std::vector<CableRates> rates_of(const CableReport& report);

/// "87 %".
std::string share_text(double share);

}  // namespace coll_topo::tool
