// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/doctor/open_mpi.hpp"

#include <string>
#include <vector>

namespace coll_topo::tool {

/// Something that keeps coll_topo from serving, and the line that mends it.
struct Fault {
    std::string what;
    std::string type;
};

/// What is wrong where Open MPI looks for the component, and with how it is selected.
std::vector<Fault> faults_of_installation(const OpenMpi& open_mpi);

/// What is wrong with the files that are named for it; only of a component that was loaded.
std::vector<Fault> faults_of_files(const OpenMpi& open_mpi);

/// What differs for processes of a launcher, and which of their hosts are not in the topology file.
std::vector<Fault> faults_of_launcher(const OpenMpi& alone, const OpenMpi& launched,
                                      const std::vector<std::string>& hosts);

}  // namespace coll_topo::tool
