// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/verdict.hpp"
#include "coll_topo/tool/accept/measured_cables.hpp"

#include <ostream>

namespace coll_topo::tool {

/// All that a report on the cables of a cluster is made of.
struct CableReport {
    const Fabric& fabric;
    const LinkGraph& graph;
    const acceptance::CablePlan& plan;
    const MeasuredCables& cables;
    const acceptance::CableVerdict& verdict;
};

/// For people: the verdict first, then each fault with what to do, what is not explained, and what was measured.
void write_verdict_text(const CableReport& report, std::ostream& out);

/// By share/coll-topo-accept.schema.json.
void write_verdict_json(const CableReport& report, std::ostream& out);

}  // namespace coll_topo::tool
