// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/fabric/switch_summary.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace coll_topo::tool {

/// What a network is and can do, in numbers. Bandwidths are in bytes/s; there are none if the file does not give those
/// of all links, or has a single host.
struct NetworkFacts {
    std::string kind;  ///< network_kind()
    int hosts = 0;
    int switches = 0;                           ///< switches; routers apart from their hosts in a torus
    std::optional<SwitchWiring> wiring;         ///< of switches: what is recognised
    std::int64_t cables = 0;                    ///< each with two directions, those of hosts included
    std::optional<double> bisection_bandwidth;  ///< bisection_bandwidth() of capacity.hpp
    std::optional<double>
        least_injection_bandwidth;  ///< of the host that can send least at once, and of that with most
    std::optional<double> most_injection_bandwidth;

    /// Links on the longest route; torus: between any two cells. Nothing if some hosts cannot reach each other.
    std::optional<int> diameter;
    bool diameter_is_exact = true;  ///< if not, there were too many pairs of leaves to look at them all
};

NetworkFacts find_facts(const Fabric& fabric);

/// "torus", "mesh", or wiring_name() of switches.
std::string network_kind(const Fabric& fabric);

}  // namespace coll_topo::tool
