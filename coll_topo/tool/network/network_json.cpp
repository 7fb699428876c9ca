// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_json.hpp"

#include "coll_topo/tool/network/network_facts.hpp"

namespace coll_topo::tool {

namespace {

std::vector<std::pair<int, int>> all_pairs(int hosts) {
    std::vector<std::pair<int, int>> pairs;
    for (int from = 0; from < hosts; ++from) {
        for (int to = 0; to < hosts; ++to) {
            if (from != to) pairs.emplace_back(from, to);
        }
    }
    return pairs;
}

void write_names(JsonWriter& json, std::string_view member, const LinkGraph& network, int count) {
    json.begin_array(member);
    for (int vertex = 0; vertex < count; ++vertex) json.element(network.name(vertex));
    json.end_array();
}

}  // namespace

void write_links(JsonWriter& json, const LinkGraph& network) {
    json.begin_array("links");
    for (const Link& link : network.links()) {
        json.element(JsonValue::object({{"from", network.name(link.from)},
                                        {"to", network.name(link.to)},
                                        {"bandwidth", link.bandwidth},
                                        {"latency", link.latency}}));
    }
    json.end_array();
}

void write_routes(JsonWriter& json, LinkGraph& network, const std::vector<std::pair<int, int>>& pairs) {
    json.begin_array("routes");
    std::vector<int> route;
    for (const auto& [from, to] : pairs) {
        route.clear();
        if (!network.route(from, to, route)) continue;
        const std::vector<std::string> pair = {network.name(from), network.name(to)};
        json.element(JsonValue::object({{"pair", pair}, {"links", route}}));
    }
    json.end_array();
}

void write_network(JsonWriter& json, const Fabric& fabric, LinkGraph& network, bool routes) {
    json.member("version", 1);
    json.member("name", fabric.torus() != nullptr ? fabric.torus()->name() : "");
    json.member("kind", network_kind(fabric));
    write_names(json, "hosts", network, network.hosts());
    write_names(json, "vertices", network, network.vertices());
    write_links(json, network);
    if (routes) write_routes(json, network, all_pairs(network.hosts()));
}

}  // namespace coll_topo::tool
