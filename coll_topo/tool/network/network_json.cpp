// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_json.hpp"

namespace coll_topo::tool {

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

}  // namespace coll_topo::tool
