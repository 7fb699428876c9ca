// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/test_search.hpp"

#include "coll_topo/acceptance/switch_tests.hpp"
#include "coll_topo/acceptance/torus_tests.hpp"

#include <map>
#include <utility>

namespace coll_topo::acceptance {

namespace {

/// Tests that send the same messages, as fast, are one, for all their links.
std::vector<CableTest> merged(std::vector<CableTest> tests) {
    std::map<std::pair<double, std::vector<std::pair<int, int>>>, std::size_t> place;
    std::vector<CableTest> kept;
    for (CableTest& test : tests) {
        std::vector<std::pair<int, int>> hosts;
        for (const Message& message : test.messages) hosts.emplace_back(message.from, message.to);
        const auto [found, is_new] = place.emplace(std::pair(test.bandwidth, std::move(hosts)), kept.size());
        if (is_new) {
            kept.push_back(std::move(test));
        } else {
            std::vector<int>& links = kept[found->second].links;
            links.insert(links.end(), test.links.begin(), test.links.end());
        }
    }
    return kept;
}

}  // namespace

std::vector<CableTest> find_cable_tests(const Fabric& fabric, LinkGraph& graph, const LinkCapacities& capacities,
                                        const std::vector<int>& hosts) {
    if (fabric.torus() != nullptr) return merged(find_torus_tests(fabric, graph, capacities, hosts));
    return merged(find_switch_tests(std::get<SwitchGraph>(fabric.network), graph, capacities, hosts));
}

}  // namespace coll_topo::acceptance
