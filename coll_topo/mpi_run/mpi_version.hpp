// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace coll_topo::bench {

/// "Open MPI v4.1.4".
std::string mpi_version();

}  // namespace coll_topo::bench
