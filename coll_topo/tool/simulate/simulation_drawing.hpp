// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/simulate/simulation.hpp"

#include <string>

namespace coll_topo::tool {

/// How busy a link was: what it carried as a share of what it could have carried in the time of the simulation.
double utilisation(const Simulation& simulation, const LinkGraph& network, int link);

/// The network as SVG, its links coloured by utilisation.
std::string draw_utilisation(const Simulation& simulation, const Fabric& fabric, const LinkGraph& network,
                             const std::string& title);

/// A timeline as SVG: a row for each rank, a bar in it for each step of each lane from its begin to its end. With more
/// ranks than there is room for, a row stands for several, and its bars are from their mean begin to their mean end.
/// Steps too short to be seen are drawn as one.
std::string draw_timeline(const Simulation& simulation, const Schedule& schedule, const std::string& title);

}  // namespace coll_topo::tool
