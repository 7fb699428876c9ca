// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/command_line/command_line.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/select/decision.hpp"

#include <string>
#include <string_view>
#include <vector>

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
    std::string rules;  ///< file; empty: none
    /// Whether `collective` may be allgatherv, alltoallv, alltoallw or barrier, of which there is a choice, but no
    /// schedule of their own.
    bool variants = false;
};

/// FILE and the options above, as a command has them.
std::vector<command_line::Option> scenario_options(ScenarioOptions& options);

/// The hosts of a list, in its order; fails if the network of FILE does not have one.
Expected<std::vector<int>> find_hosts(const Fabric& fabric, const std::string& file, const std::string& list);

/// The collective with this name; fails with the list of those there are, or for calls that run schedules of others
/// with what to ask for instead.
Expected<Collective> find_collective(std::string_view name);

/// Names of the algorithms that serve a call, all or the reference algorithms only: "ring, bruck or linear".
enum class Rows { all, references };
std::string algorithms_for(Call call, Rows rows);

/// The collective, its size and root, for so many ranks; fails with the option that is wrong. The size of alltoallv and
/// alltoallw is the typical one, whatever the options say.
Expected<Request> read_request(const ScenarioOptions& options, const Grid& grid);

/// What the options force for a request, on hosts that have at least `most_aggregators` ranks.
Expected<Preferences> read_preferences(const ScenarioOptions& options, const Request& request, int most_aggregators);

}  // namespace coll_topo::tool
