// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/grid/placement.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/rules.hpp"
#include "coll_topo/tool/scenario/scenario_options.hpp"
#include "coll_topo/verify/proof.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// The machine and the ranks on it.
struct Scenario {
    Fabric fabric;
    Placement placement;
    Grid grid;
    Request request;
    Preferences preferences;
    Rules rules;
    std::vector<std::string> notes;  ///< for the user: what was assumed, what is unusual
};

/// Reads the file and places the ranks; fails with what to mend. Links without a bandwidth get one, with a note.
Expected<Scenario> make_scenario(const ScenarioOptions& options);

/// The same for a network that has been read; FILE is its name in messages.
Expected<Scenario> make_scenario(TopologyFile file, const ScenarioOptions& options);

/// The same for ranks whose hosts are known; the options about placement do not matter.
Expected<Scenario> make_scenario(TopologyFile file, Placement placement, const ScenarioOptions& options);

/// Asks for something else on the same machine: the collective, its size and root, and what is forced.
Expected<void> set_request(Scenario& scenario, const ScenarioOptions& options);

/// Writes the notes, each on a line.
void write_notes(const Scenario& scenario, std::ostream& out);

/// What stands for a request when the component chooses: the largest power of two that is not above the size.
Request typical_request(const Request& request);

/// Every way to serve the request, and the one that the component takes, with its predicted time for that size; with
/// Preferences::predict_all, with those of all. As in the component, rules count for the size itself, and times are
/// compared for the largest power of two that is not above it.
Decision examine(const Scenario& scenario);

/// Whether a candidate could run, so that its time is predicted: it is not refused, or only as a reference algorithm.
bool is_predicted(const Candidate& candidate);

/// What the component would run, or what the options force; fails if nothing serves the request.
Expected<Candidate> choose(const Scenario& scenario);

/// The programs of all ranks.
Schedule build_schedule(const Scenario& scenario, const Candidate& candidate);

}  // namespace coll_topo::tool
