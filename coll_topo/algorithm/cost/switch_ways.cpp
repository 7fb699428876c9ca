// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/switch_ways.hpp"

namespace coll_topo {

SwitchWays::SwitchWays(const Grid& grid) : leaves_(grid.leaves()), hosts_(grid.hosts()) {
    seconds_per_byte_.resize(2 * static_cast<std::size_t>(hosts_),
                             seconds_per_byte_at(leaves_.way(Reach::leaf).bandwidth));
    const LeafRoutes& routes = leaves_.routes;
    if (!routes.known()) {
        seconds_per_byte_.resize(seconds_per_byte_.size() + 2 * leaves_.hosts.parts(),
                                 seconds_per_byte_at(leaves_.uplink_bandwidth));
        return;
    }
    for (int cable = 0; cable < routes.cables(); ++cable) {
        seconds_per_byte_.push_back(seconds_per_byte_at(routes.bandwidth(cable)));
    }
}

double SwitchWays::append(int from_host, int to_host, std::vector<int>& links) {
    const int from = leaves_.leaf(from_host), to = leaves_.leaf(to_host);
    links.push_back(2 * from_host);
    links.push_back(2 * to_host + 1);
    if (from != to && leaves_.routes.known()) {
        for (const std::int32_t cable : leaves_.routes.route(from, to_host)) links.push_back(2 * hosts_ + cable);
    } else if (from != to) {
        links.push_back(2 * (hosts_ + from));
        links.push_back(2 * (hosts_ + to) + 1);
        links.push_back(between(from, to, leaves_.way(leaves_.reach(from, to)).leaf_bandwidth));
    }
    return leaves_.latency(from_host, to_host);
}

int SwitchWays::between(int from_leaf, int to_leaf, double bandwidth) {
    const std::int64_t key = std::int64_t{from_leaf} * leaves_.hosts.parts() + to_leaf;
    const auto [found, is_new] = pairs_.emplace(key, links());
    if (is_new) seconds_per_byte_.push_back(seconds_per_byte_at(bandwidth));
    return found->second;
}

}  // namespace coll_topo
