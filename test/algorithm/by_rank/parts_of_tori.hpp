// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/message_ways.hpp"
#include "test/grid/torus_fixture.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::test {

/// Some hosts of a torus.
struct PartOfTorus {
    std::string what;
    std::vector<int> sizes, hosts;
};

inline Grid grid_of(const PartOfTorus& part, int ranks_per_host = 1) {
    return Grid::from_torus(equal_torus(part.sizes), ranks_on(part.hosts, ranks_per_host)).value();
}

/// How many of the messages that take these links cross the busiest one, those before `first` left out.
inline int most_on_a_link(const MessageWays& ways, const std::vector<int>& links, int first = 0) {
    std::vector<int> crossed(ways.links());
    for (const int link : links) ++crossed[link];
    return *std::max_element(crossed.begin() + first, crossed.end());
}

inline std::vector<int> first_hosts(int count) {
    std::vector<int> hosts(count);
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

inline std::vector<int> drawn_hosts(int count, int of) {
    std::vector<int> hosts = first_hosts(of);
    std::mt19937 random(7);
    for (int i = 0; i < count; ++i) std::swap(hosts[i], hosts[i + static_cast<int>(random() % (of - i))]);
    hosts.resize(count);
    std::ranges::sort(hosts);
    return hosts;
}

/// Such as jobs get where they cannot have a box.
inline std::vector<PartOfTorus> parts_of_tori() {
    return {{"27 of 8x8", {8, 8}, first_hosts(27)},
            {"100 of 8x8x8", {8, 8, 8}, first_hosts(100)},
            {"20 scattered ones of 6x6", {6, 6}, drawn_hosts(20, 36)},
            {"64 scattered ones of 8x8x8", {8, 8, 8}, drawn_hosts(64, 512)}};
}

}  // namespace coll_topo::test
