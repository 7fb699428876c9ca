// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/host_match.hpp"

#include <string>
#include <vector>

/// What the opaque handle of engine.h holds.
struct coll_topo_topology {
    coll_topo::Fabric fabric;
    std::string summary;
    std::vector<std::string> doubts;          // TopologyFile::doubts
    coll_topo::HostAddresses addresses = {};  // TopologyFile::addresses
};
