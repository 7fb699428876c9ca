// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/acceptance/measurement.hpp"
#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// What coll-topo-measure --cables has measured, as it writes it and coll-topo accept reads it.
struct MeasuredCables {
    std::string network;  ///< as coll-topo check sums it up
    std::string mpi;
    std::vector<std::string> hosts;  ///< that took part, in the order of the file
    acceptance::CableMeasurement measured;
    int first_round = 0;  ///< of all rounds of the plan; those before were left out
    int rounds_done = 0;  ///< with those left out
    int rounds = 0;

    bool complete() const { return first_round == 0 && rounds_done == rounds; }
};

/// The first measurements, of which not all rounds were done, with those of the others. Fails if they are of other
/// hosts, or some rounds are in neither.
Expected<MeasuredCables> joined(const MeasuredCables& first, const MeasuredCables& rest, const Fabric& fabric);

/// As JSON by share/coll-topo-cables.schema.json.
std::string measured_cables_json(const MeasuredCables& cables, const Fabric& fabric);

/// A line by which a host says that no order reaches it: {"waits":"n07"}.
std::string waiting_line(std::string_view host);
/// The host that says it in such a line; -1: it is another line.
int waiting_host(std::string_view line, const Fabric& fabric);

/// Reads it back; `name` stands for the text in messages. Fails if it is of another network than the fabric.
Expected<MeasuredCables> read_measured_cables(std::string_view text, const std::string& name, const Fabric& fabric);

/// The tests that were measured; fails if the figures are not those of these tests.
Expected<acceptance::CablePlan> measured_plan(const MeasuredCables& cables, const Fabric& fabric, LinkGraph& graph);

}  // namespace coll_topo::tool
