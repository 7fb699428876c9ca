// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/fabric.hpp"

#include "coll_topo/base/digest.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/fabric/switch_summary.hpp"

#include <algorithm>

namespace coll_topo {

namespace {

void add(Digest& digest, const NameTable& names) {
    digest.add(names.size());
    for (int index = 0; index < names.size(); ++index) digest.add(names.name(index));
}

void add(Digest& digest, const Torus& torus) {
    digest.add(torus.dimensions().size());
    for (const TorusDimension& dimension : torus.dimensions()) {
        digest.add(dimension.size);
        digest.add(dimension.wrapped);
        digest.add(dimension.bandwidth);
        digest.add(dimension.latency);
    }
    digest.add(static_cast<int>(torus.tie()));
}

void add(Digest& digest, const SwitchGraph& graph) {
    add(digest, graph.switches);
    digest.add(graph.leaf_of_host.size());
    for (const std::int32_t leaf : graph.leaf_of_host) digest.add(leaf);
    digest.add(graph.links.size());
    for (const SwitchLink& link : graph.links) {
        digest.add(link.from);
        digest.add(link.to);
        digest.add(link.count);
        digest.add(link.bandwidth);
        digest.add(link.latency);
    }
    digest.add(graph.routes.size());
    for (const GivenRoute& route : graph.routes) {
        digest.add(route.at);
        digest.add(route.host);
        digest.add(route.link);
        digest.add(route.cable);
    }
}

std::string summary_of(const Torus& torus, int hosts) {
    std::string sizes;
    std::string wraps;
    for (const TorusDimension& dimension : torus.dimensions()) {
        sizes += (sizes.empty() ? "" : "x") + std::to_string(dimension.size);
        wraps += dimension.wrapped ? 'y' : 'n';
    }
    std::string text = "torus " + torus.name() + ", " + sizes + ", wrapped " + wraps + ", ";
    text += counted(hosts, "host", "hosts");
    if (hosts < torus.cells()) text += " in " + counted(torus.cells(), "cell", "cells");
    return text;
}

}  // namespace

double Fabric::start_latency() const {
    if (torus() == nullptr || !has_host_link()) return 0;
    if (host_latency > 0) return 2 * host_latency;
    // A latency that the file leaves open is that of the fastest link.
    const auto& dimensions = torus()->dimensions();
    const auto speed = [](const TorusDimension& dimension) { return dimension.size > 1 ? dimension.bandwidth : 0; };
    return 2 * std::ranges::max_element(dimensions, {}, speed)->latency;
}

std::string Fabric::summary() const {
    if (const Torus* kind = torus()) return summary_of(*kind, hosts.size());
    return switch_summary(std::get<SwitchGraph>(network));
}

std::uint64_t Fabric::digest() const {
    Digest digest;
    add(digest, hosts);
    digest.add(network.index());
    std::visit([&digest](const auto& kind) { add(digest, kind); }, network);
    if (torus()) {
        for (int host = 0; host < hosts.size(); ++host) digest.add(cell(host));
    }
    digest.add(host_bandwidth);
    digest.add(host_latency);
    for (const auto field : machine_cost_fields) digest.add(costs.*field);
    return digest.value();
}

}  // namespace coll_topo
