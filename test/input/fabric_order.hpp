// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace coll_topo {

/// What is not in good order in a fabric that was read, or nothing.
inline std::string disorder(const Fabric& fabric) {
    if (fabric.hosts.size() == 0) return "no hosts";
    if (fabric.summary().empty()) return "no summary";
    if (const auto* graph = std::get_if<SwitchGraph>(&fabric.network)) {
        for (const std::int32_t leaf : graph->leaf_of_host) {
            if (leaf < 0 || leaf >= graph->switches.size()) return "host under no switch";
        }
        const int links = static_cast<int>(graph->links.size());
        for (const GivenRoute& route : graph->routes) {
            if (route.link < 0 || route.link >= links) return "route by no link";
            const SwitchLink& link = graph->links[route.link];
            if (link.from != route.at && link.to != route.at) return "route by the link of another switch";
            if (route.cable >= link.count) return "route by no cable";
        }
        return static_cast<int>(graph->leaf_of_host.size()) == fabric.hosts.size() ? "" : "hosts without a leaf";
    }
    std::set<std::int64_t> cells;
    for (int host = 0; host < fabric.hosts.size(); ++host) cells.insert(fabric.cell(host));
    if (static_cast<int>(cells.size()) != fabric.hosts.size()) return "two hosts in a cell";
    return *cells.begin() >= 0 && *cells.rbegin() < fabric.torus()->cells() ? "" : "host in no cell";
}

}  // namespace coll_topo
