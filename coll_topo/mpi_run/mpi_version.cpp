// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/mpi_version.hpp"

#include <mpi.h>

namespace coll_topo::bench {

std::string mpi_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    const std::string all(text, static_cast<std::size_t>(length));
    return all.substr(0, all.find(','));
}

}  // namespace coll_topo::bench
