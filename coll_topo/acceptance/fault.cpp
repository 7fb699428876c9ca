// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/fault.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace coll_topo::acceptance {

namespace {

bool remove_cable(const LinkEnds& link, Fabric& fabric) {
    auto* const graph = std::get_if<SwitchGraph>(&fabric.network);
    // Routes of the file name links by number, and say nothing of what happens without one.
    if (graph == nullptr || !graph->routes.empty()) return false;
    const int first_switch = fabric.hosts.size();
    const auto found = std::find_if(graph->links.begin(), graph->links.end(), [&](const SwitchLink& cables) {
        return cables.from == link.from - first_switch && cables.to == link.to - first_switch;
    });
    if (found == graph->links.end()) return false;
    if (--found->count == 0) graph->links.erase(found);
    return true;
}

/// Where hosts are whose numbers run along the dimensions in another order: the host of a cell is at that of the cell
/// which has the same number if the dimensions are counted in that order.
bool reorder(const std::vector<int>& order, Cluster& cluster) {
    const Torus* const torus = cluster.fabric.torus();
    const auto hosts = static_cast<std::int64_t>(cluster.place.size());
    if (torus == nullptr || hosts != torus->cells()) return false;
    std::vector<int> host_of_cell(cluster.place.size());
    for (int host = 0; host < hosts; ++host) {
        host_of_cell[static_cast<std::size_t>(cluster.fabric.cell(host))] = host;
    }
    std::vector<int> coordinates(order.size());
    for (int host = 0; host < hosts; ++host) {
        std::int64_t number = cluster.fabric.cell(host);
        for (const int dimension : order) {
            const int size = torus->dimensions()[static_cast<std::size_t>(dimension)].size;
            coordinates[static_cast<std::size_t>(dimension)] = static_cast<int>(number % size);
            number /= size;
        }
        cluster.place[static_cast<std::size_t>(host)] =
            host_of_cell[static_cast<std::size_t>(torus->cell(coordinates))];
    }
    return true;
}

/// Routes as they are where hosts are numbered leaf by leaf as they are wired, the moved one as the last of its leaf.
bool renumber(int moved, Cluster& cluster) {
    auto& graph = std::get<SwitchGraph>(cluster.fabric.network);
    if (!graph.routes.empty()) return false;
    std::vector<int> hosts(cluster.place.size());
    std::iota(hosts.begin(), hosts.end(), 0);
    const auto key = [&](int host) {
        const auto place = static_cast<std::size_t>(cluster.place[static_cast<std::size_t>(host)]);
        return std::pair(graph.leaf_of_host[place], host == moved);
    };
    std::stable_sort(hosts.begin(), hosts.end(), [&](int a, int b) { return key(a) < key(b); });
    std::vector<std::int32_t> leaves;
    for (const int host : hosts) leaves.push_back(key(host).first);
    for (std::size_t number = 0; number < hosts.size(); ++number) {
        cluster.place[static_cast<std::size_t>(hosts[number])] = static_cast<int>(number);
    }
    graph.leaf_of_host = std::move(leaves);
    return true;
}

std::string percent(double share) {
    return std::to_string(std::lround(100 * share)) + " %";
}

}  // namespace

bool Fault::same_as(const Fault& fault) const {
    const bool same_hosts = (host == fault.host && other == fault.other) ||
                            (kind == FaultKind::swapped_hosts && host == fault.other && other == fault.host);
    return kind == fault.kind && link == fault.link && same_hosts && order == fault.order;
}

bool apply(const Fault& fault, Cluster& cluster) {
    const LinkEnds back{fault.link.to, fault.link.from, fault.link.number};
    switch (fault.kind) {
        case FaultKind::slow_direction:
            cluster.slow.push_back({fault.link, fault.share});
            return true;
        case FaultKind::slow_cable:
        case FaultKind::dead_cable: {
            const double share = fault.kind == FaultKind::dead_cable ? 0 : fault.share;
            cluster.slow.push_back({fault.link, share});
            cluster.slow.push_back({back, share});
            return true;
        }
        case FaultKind::missing_cable:
            return remove_cable(fault.link, cluster.fabric);
        case FaultKind::swapped_hosts:
            std::swap(cluster.place[static_cast<std::size_t>(fault.host)],
                      cluster.place[static_cast<std::size_t>(fault.other)]);
            return true;
        case FaultKind::moved_host: {
            auto* const graph = std::get_if<SwitchGraph>(&cluster.fabric.network);
            if (graph == nullptr) return false;
            graph->leaf_of_host[static_cast<std::size_t>(cluster.place[static_cast<std::size_t>(fault.host)])] =
                fault.other;
            return !fault.renumbered || renumber(fault.host, cluster);
        }
        case FaultKind::dimension_order:
            return reorder(fault.order, cluster);
    }
    return false;
}

std::string fault_text(const Fault& fault, const Fabric& file, const LinkGraph& graph) {
    const std::string ends = graph.name(fault.link.from) + " and " + graph.name(fault.link.to);
    const auto host = [&](int index) { return std::string(file.hosts.name(index)); };
    const std::string number =
        fault.link.number > 0 ? " (number " + std::to_string(fault.link.number + 1) + ")" : std::string();
    switch (fault.kind) {
        case FaultKind::slow_direction:
            return "the cable from " + graph.name(fault.link.from) + " to " + graph.name(fault.link.to) + number +
                   " carries " + percent(fault.share) + " in this direction";
        case FaultKind::slow_cable:
            return "the cable between " + ends + number + " carries " + percent(fault.share);
        case FaultKind::dead_cable:
            return "nothing passes between " + ends + number;
        case FaultKind::missing_cable:
            return "a cable between " + ends + " is missing or down, and others carry its messages";
        case FaultKind::swapped_hosts:
            return "hosts " + host(fault.host) + " and " + host(fault.other) + " are swapped";
        case FaultKind::moved_host:
            return "host " + host(fault.host) + " is at the switch " + graph.name(graph.vertex_of_switch(fault.other));
        case FaultKind::dimension_order: {
            std::string order;
            for (const int dimension : fault.order) order += (order.empty() ? "" : ",") + std::to_string(dimension + 1);
            return "hosts are numbered along the dimensions in the order " + order;
        }
    }
    return {};
}

}  // namespace coll_topo::acceptance
