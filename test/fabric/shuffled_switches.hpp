// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace coll_topo::test {

/// The same network with switches in another order and under other names, links mixed and doubled here and there.
inline SwitchGraph shuffled(const SwitchGraph& graph, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::int32_t> place(graph.switches.size());
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), random);
    SwitchGraph other;
    for (int index = 0; index < graph.switches.size(); ++index) other.switches.add("rack" + std::to_string(index));
    for (const std::int32_t leaf : graph.leaf_of_host) other.leaf_of_host.push_back(place[leaf]);
    for (SwitchLink link : graph.links) {
        link.from = place[link.from];
        link.to = place[link.to];
        link.count = 1 + static_cast<int>(random() % 2);
        other.links.push_back(link);
    }
    std::shuffle(other.links.begin(), other.links.end(), random);
    return other;
}

}  // namespace coll_topo::test
