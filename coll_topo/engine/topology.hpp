// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/engine/known_decisions.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/host_match.hpp"

#include <memory>
#include <string>
#include <vector>

/// What the opaque handle of engine.h holds.
struct coll_topo_topology {
    coll_topo::Fabric fabric;
    std::string summary;
    std::vector<std::string> doubts;          // TopologyFile::doubts
    coll_topo::HostAddresses addresses = {};  // TopologyFile::addresses
    /// Of communicators on it; apart, as these may not change it.
    std::unique_ptr<coll_topo::DecisionCache> decisions = std::make_unique<coll_topo::DecisionCache>();
};
