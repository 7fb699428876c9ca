// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <string>
#include <vector>

namespace coll_topo::tool {

/// What ompi_info says, either by itself or as a process that a launcher such as mpirun has started.
struct OpenMpi {
    std::string version;                      ///< "4.1.4"
    std::string own_directory;                ///< where its own components are looked for
    std::vector<std::string> component_path;  ///< as set; empty: the default
    std::string selection;                    ///< the parameter coll: "^topo", "tuned,basic", empty
    bool has_component = false;               ///< coll_topo was found and loaded
    std::string load_error;                   ///< of our component, empty if there was none
    std::string topology_file;
    std::string rules_file;
    int priority = 0;
};

/// The directories of a path with colons between.
std::vector<std::string> path_parts(const std::string& path);

/// Asks the ompi_info in PATH; `launcher` are the words before it, empty for none. Fails if it cannot be run.
Expected<OpenMpi> ask_open_mpi(const std::vector<std::string>& launcher);

/// The hosts of the processes that a launcher starts, each once.
Expected<std::vector<std::string>> hosts_of(const std::vector<std::string>& launcher);

/// The user's own directory for components, where Open MPI looks after its own.
std::string home_directory();

/// Where Open MPI looks for components, in this order.
std::vector<std::string> searched_directories(const OpenMpi& open_mpi);

/// The files of the component in these directories; the first that Open MPI comes across counts.
std::vector<std::string> component_files(const std::vector<std::string>& directories);

}  // namespace coll_topo::tool
