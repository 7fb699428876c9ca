// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/placement/grid.hpp"
#include "coll_topo/placement/placement.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/verify/proof.hpp"

#include <string>

namespace CLI {
class App;
}

namespace coll_topo::tool {

/// What the user asks about: a collective of some ranks on the machine of a topology file.
struct ScenarioOptions {
    std::string file;
    std::string hosts;       ///< hostlist; empty: all hosts of the file, in its order
    int ranks_per_host = 1;  ///< consecutive ranks on each host
    std::string collective = "allreduce";
    std::string bytes = "1MiB";  ///< of one rank's vector; allgather, reduce_scatter, alltoall: of all its pieces
    std::string algorithm;       ///< empty: chosen by predicted time
    int lanes = 0;               ///< 0: chosen by predicted time; so for the next two
    int aggregators = 0;
    int segments = 0;
    int root = 0;
};

/// Adds FILE and the options above to a command.
void add_scenario_options(CLI::App& command, ScenarioOptions& options);

/// The machine and the ranks on it.
struct Scenario {
    Fabric fabric;
    Placement placement;
    Grid grid;  ///< of a network that is no torus: all hosts on one axis
    Request request;
    Preferences preferences;
};

/// Reads the file and places the ranks; fails with what to mend.
Expected<Scenario> make_scenario(const ScenarioOptions& options);

/// What the component would run, or what the options force; fails if nothing serves the request.
Expected<Candidate> choose(const Scenario& scenario);

/// The programs of all ranks.
Schedule build_schedule(const Scenario& scenario, const Candidate& candidate);

}  // namespace coll_topo::tool
