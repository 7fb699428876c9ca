// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/placement/grid.hpp"
#include "coll_topo/placement/placement.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/verify/proof.hpp"

#include <ostream>
#include <string>
#include <vector>

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

/// Adds FILE and the options that say where the ranks are, without those about the collective.
void add_placement_options(CLI::App& command, ScenarioOptions& options);

/// The machine and the ranks on it.
struct Scenario {
    Fabric fabric;
    Placement placement;
    Grid grid;  ///< of a network that is no torus: all hosts on one axis
    Request request;
    Preferences preferences;
    std::vector<std::string> notes;  ///< for the user: what was assumed, what is unusual
};

/// Reads the file and places the ranks; fails with what to mend. Links without a bandwidth get one, with a note.
Expected<Scenario> make_scenario(const ScenarioOptions& options);

/// The same for a network that has been read; FILE is its name in messages.
Expected<Scenario> make_scenario(TopologyFile file, const ScenarioOptions& options);

/// The same for ranks whose hosts are known; the options about placement do not matter.
Expected<Scenario> make_scenario(TopologyFile file, Placement placement, const ScenarioOptions& options);

/// The hosts of a list, in its order; fails if the network of FILE does not have one.
Expected<std::vector<int>> find_hosts(const Fabric& fabric, const std::string& file, const std::string& list);

/// Asks for something else on the same machine: the collective, its size and root, and what is forced.
Expected<void> set_request(Scenario& scenario, const ScenarioOptions& options);

/// The collective with this name; fails with the list of those there are.
Expected<Collective> find_collective(std::string_view name);

/// Writes the notes, each on a line.
void write_notes(const Scenario& scenario, std::ostream& out);

/// What stands for a request when the component chooses: the largest power of two that is not above the size.
Request typical_request(const Request& request);

/// Every way to serve the request, with predicted times for its size, and the one that the component takes. As in the
/// component, the choice is made for the largest power of two that is not above the size.
Decision examine(const Scenario& scenario);

/// Whether a candidate could run, so that its time is predicted: it is not refused, or only as a reference algorithm.
bool is_predicted(const Candidate& candidate);

/// What the component would run, or what the options force; fails if nothing serves the request.
Expected<Candidate> choose(const Scenario& scenario);

/// The programs of all ranks.
Schedule build_schedule(const Scenario& scenario, const Candidate& candidate);

}  // namespace coll_topo::tool
