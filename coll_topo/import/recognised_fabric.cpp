// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/text.hpp"
#include "coll_topo/import/recognition.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace coll_topo::importing {

namespace {

constexpr double assumed_bandwidth = 12.5e9;

/// By switch: its hosts, in the order of their names.
std::vector<std::vector<int>> hosts_in_order(const Wiring& wiring) {
    std::vector<std::vector<int>> hosts(wiring.switches.size());
    for (const HostCables& cables : wiring.host_cables) hosts[cables.at].push_back(cables.host);
    for (auto& own : hosts) {
        std::sort(own.begin(), own.end(), [&](int a, int b) { return natural_less(wiring.hosts[a], wiring.hosts[b]); });
    }
    return hosts;
}

/// Leaves by their first hosts, then the other switches by their names: the order in which people number them, which
/// lists of names are short in.
std::vector<int> switches_in_order(const Wiring& wiring, const std::vector<std::vector<int>>& hosts) {
    std::vector<int> order(wiring.switches.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        if (hosts[a].empty() != hosts[b].empty()) return hosts[b].empty();
        if (!hosts[a].empty()) return natural_less(wiring.hosts[hosts[a][0]], wiring.hosts[hosts[b][0]]);
        return natural_less(wiring.switches[a], wiring.switches[b]);
    });
    return order;
}

/// The cables along a dimension of a torus.
struct DimensionCables {
    int least = 0, most = 0;  ///< between two switches
    double bandwidth = 0;     ///< of the slowest
    bool speeds_differ = false;
};

std::vector<DimensionCables> cables_of_dimensions(const Wiring& wiring, const SwitchTorus& torus) {
    std::vector<DimensionCables> dimensions(torus.sizes.size());
    for (const SwitchCables& cables : wiring.switch_cables) {
        const auto& a = torus.coordinates[cables.a];
        const auto& b = torus.coordinates[cables.b];
        const auto d = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
        DimensionCables& own = dimensions[d];
        own.least = own.least == 0 ? cables.count : std::min(own.least, cables.count);
        own.most = std::max(own.most, cables.count);
        if (cables.bandwidth == 0) continue;
        own.speeds_differ = own.speeds_differ || (own.bandwidth > 0 && own.bandwidth != cables.bandwidth);
        own.bandwidth = own.bandwidth == 0 ? cables.bandwidth : std::min(own.bandwidth, cables.bandwidth);
    }
    return dimensions;
}

/// The dimensions between switches as `sharing` hosts of each share them.
std::vector<TorusDimension> shared_dimensions(const Wiring& wiring, const SwitchTorus& torus, int sharing,
                                              std::vector<Error>& notes) {
    const auto cables = cables_of_dimensions(wiring, torus);
    int usual = 0;  // cables between neighbours of longer dimensions
    for (std::size_t d = 0; d < cables.size(); ++d)
        usual = torus.sizes[d] > 2 ? std::max(usual, cables[d].least) : usual;
    std::vector<TorusDimension> dimensions;
    for (std::size_t d = 0; d < cables.size(); ++d) {
        const DimensionCables& own = cables[d];
        // A ring of two has twice the cables of a longer one.
        const bool is_ring_of_two = torus.sizes[d] == 2 && own.least == (usual == 0 ? 2 : 2 * usual);
        const int parallel = is_ring_of_two ? own.least / 2 : own.least;
        const double bandwidth = own.bandwidth > 0 ? own.bandwidth : assumed_bandwidth;
        dimensions.push_back(
            {torus.sizes[d], torus.wrapped[d] || is_ring_of_two, bandwidth * parallel / sharing, assumed_hop_latency});
        if (own.least == own.most && !own.speeds_differ) continue;
        add_note(notes, "switches have " + std::to_string(own.least) + " to " + std::to_string(own.most) +
                            " cables in dimension " + std::to_string(d + 1) +
                            (own.speeds_differ ? " of different speed" : "") + "; the weakest stands for all");
    }
    return dimensions;
}

}  // namespace

int cable_differences(const Wiring& wiring, const SwitchTorus& torus) {
    int differences = 0;
    for (const DimensionCables& own : cables_of_dimensions(wiring, torus)) {
        differences += own.most - own.least + (own.speeds_differ ? 1 : 0);
    }
    return differences;
}

Fabric fabric_of_switches(const Wiring& wiring, std::vector<Error>& notes) {
    const auto hosts = hosts_in_order(wiring);
    NameTable names;
    SwitchGraph graph;
    std::vector<int> place(wiring.switches.size());
    for (const int index : switches_in_order(wiring, hosts)) {
        place[index] = graph.switches.add(wiring.switches[index]);
        for (const int host : hosts[index]) {
            names.add(wiring.hosts[host]);
            graph.leaf_of_host.push_back(place[index]);
        }
    }
    double known = 0;
    for (const SwitchCables& cables : wiring.switch_cables) {
        if (cables.bandwidth > 0) known = known == 0 ? cables.bandwidth : std::min(known, cables.bandwidth);
    }
    for (const SwitchCables& cables : wiring.switch_cables) {
        const double bandwidth = cables.bandwidth > 0 ? cables.bandwidth : known;
        graph.links.push_back(
            {place[cables.a], place[cables.b], cables.count, bandwidth, known > 0 ? assumed_hop_latency : 0});
    }
    std::sort(graph.links.begin(), graph.links.end(), [](const SwitchLink& a, const SwitchLink& b) {
        return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    });
    const double own = host_bandwidth(wiring, notes);
    return {std::move(names), std::move(graph), {}, own, own > 0 ? assumed_host_latency : 0};
}

Fabric fabric_of_torus(const Wiring& wiring, const SwitchTorus& torus, std::vector<Error>& notes) {
    const auto hosts = hosts_in_order(wiring);
    const auto most = static_cast<int>(std::max_element(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) {
                                           return a.size() < b.size();
                                       })->size());
    const double host_cable = host_bandwidth(wiring, notes);
    std::vector<TorusDimension> dimensions = shared_dimensions(wiring, torus, most, notes);
    const std::size_t first = most > 1 ? 1 : 0;
    if (most > 1) {
        // Within a switch only the cables of hosts are narrow.
        const double own = host_cable > 0 ? host_cable : assumed_bandwidth;
        dimensions.insert(dimensions.begin(), {most, most > 2, own * most, assumed_hop_latency});
        add_note(notes, "the first dimension is the " + std::to_string(most) +
                            " hosts of each switch; each has its "
                            "part of the cables between switches, so a host alone is thought slower than it is");
    }
    Torus network("torus", std::move(dimensions), Tie::parity);
    std::vector<std::pair<std::int64_t, int>> cells;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const std::vector<int>& place = torus.coordinates[i];
        std::vector<int> coordinates(first + place.size());
        std::copy(place.begin(), place.end(), coordinates.begin() + static_cast<std::ptrdiff_t>(first));
        for (std::size_t slot = 0; slot < hosts[i].size(); ++slot) {
            if (first > 0) coordinates[0] = static_cast<int>(slot);
            cells.emplace_back(network.cell(coordinates), hosts[i][slot]);
        }
    }
    std::sort(cells.begin(), cells.end());
    NameTable names;
    std::vector<std::int64_t> cell_of_host;
    for (const auto& [cell, host] : cells) {
        names.add(wiring.hosts[host]);
        if (static_cast<std::int64_t>(cells.size()) < network.cells()) cell_of_host.push_back(cell);
    }
    return {std::move(names), std::move(network), std::move(cell_of_host), host_cable, assumed_host_latency};
}

}  // namespace coll_topo::importing
