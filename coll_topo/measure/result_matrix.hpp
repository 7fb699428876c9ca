// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/mpi_run/variables.hpp"

#include <mpi.h>
#include <functional>
#include <string>
#include <vector>

namespace coll_topo::bench {

/// Collective. Compares a short matrix of calls (operations, types, sizes, with each algorithm that the choice would
/// take on these hosts for some size) with the component that Open MPI would use without coll_topo, and exact sums on
/// two placements of ranks. On rank 0, `write` is called with the results so far, as JSON by
/// share/coll-topo-results.schema.json in one line, after each algorithm; `begin` before each.
void check_results(MPI_Comm communicator, Variables& variables, const Fabric& fabric,
                   const std::vector<int>& host_of_rank, const std::function<void(const std::string&)>& begin,
                   const std::function<void(const std::string&)>& write);

}  // namespace coll_topo::bench
