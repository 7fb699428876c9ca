// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_graph.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo {

namespace {

/// For every switch whether some route up from it never ends. The others are found from the top down: those without
/// uplinks, then those whose uplinks all lead to switches found before.
std::vector<char> below_a_cycle(const SwitchGraph& graph, const std::vector<std::vector<int>>& downlinks) {
    std::vector<int> uplinks(graph.switches.size(), 0);
    for (const SwitchLink& link : graph.links) ++uplinks[link.from];
    std::vector<char> endless(graph.switches.size(), 1);
    std::vector<int> found;
    for (int index = 0; index < graph.switches.size(); ++index) {
        if (uplinks[index] == 0) found.push_back(index);
    }
    while (!found.empty()) {
        const int upper = found.back();
        found.pop_back();
        endless[upper] = 0;
        for (const int link : downlinks[upper]) {
            const int lower = graph.links[link].from;
            if (--uplinks[lower] == 0) found.push_back(lower);
        }
    }
    return endless;
}

}  // namespace

std::vector<int> find_cycle(const SwitchGraph& graph) {
    std::vector<std::vector<int>> downlinks(graph.switches.size());
    for (std::size_t link = 0; link < graph.links.size(); ++link) {
        downlinks[graph.links[link].to].push_back(static_cast<int>(link));
    }
    const std::vector<char> endless = below_a_cycle(graph, downlinks);

    // From such a switch, a walk along any link to another such switch must come back to where it has been.
    std::vector<int> way_up(graph.switches.size(), -1);
    int start = -1;
    for (std::size_t link = 0; link < graph.links.size(); ++link) {
        if (!endless[graph.links[link].to]) continue;
        start = graph.links[link].from;
        way_up[start] = static_cast<int>(link);
    }
    if (start < 0) return {};
    std::vector<char> seen(graph.switches.size(), 0);
    int at = start;
    for (; !seen[at]; at = graph.links[way_up[at]].to) seen[at] = 1;

    std::vector<int> cycle;
    const int first = at;
    do {
        cycle.push_back(way_up[at]);
        at = graph.links[way_up[at]].to;
    } while (at != first);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
}

std::vector<std::int32_t> joined_parts(const SwitchGraph& graph) {
    std::vector<std::int32_t> part(graph.switches.size());
    std::iota(part.begin(), part.end(), 0);
    const auto find = [&part](std::int32_t index) {
        while (part[index] != index) index = part[index] = part[part[index]];
        return index;
    };
    for (const SwitchLink& link : graph.links) {
        const std::int32_t a = find(link.from), b = find(link.to);
        part[std::max(a, b)] = std::min(a, b);
    }
    for (std::int32_t& index : part) index = find(index);
    return part;
}

}  // namespace coll_topo
