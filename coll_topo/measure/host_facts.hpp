// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/variables.hpp"

#include <mpi.h>
#include <string>
#include <vector>

namespace coll_topo::bench {

/// Collective. What this process and its host are like: versions and files of Open MPI, hwloc and coll_topo, parameters
/// of coll_topo, the topology file, where the process may run. As JSON by share/coll-topo-hosts.schema.json on rank 0,
/// elsewhere nothing. `host_of_rank` has names.
std::string host_facts_json(MPI_Comm communicator, const std::vector<std::string>& host_of_rank,
                            const Variables& variables, const std::string& topology_file);

}  // namespace coll_topo::bench
