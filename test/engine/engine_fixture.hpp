// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/engine/engine.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace coll_topo::test {

inline std::string source_file(const std::string& path) {
    const char* source = std::getenv("srcdir");
    return (source == nullptr ? "." : std::string(source)) + "/" + path;
}

using Topology = std::unique_ptr<coll_topo_topology, void (*)(coll_topo_topology*)>;
using Communicator = std::unique_ptr<coll_topo_communicator, void (*)(coll_topo_communicator*)>;

inline Topology sample(const std::string& name) {
    coll_topo_topology* topology = nullptr;
    std::array<char, 512> message{};
    EXPECT_EQ(coll_topo_topology_load(source_file("share/topologies/" + name).c_str(), &topology, message.data(),
                                      message.size()),
              COLL_TOPO_OK)
        << message.data();
    return {topology, coll_topo_topology_free};
}

inline coll_topo_settings settings() {
    coll_topo_settings all{};
    for (int& algorithm : all.algorithm) algorithm = -1;
    return all;
}

/// `hosts`: by rank.
inline Communicator communicator_on(const Topology& topology, const std::vector<int>& hosts,
                                    const coll_topo_settings& chosen = settings()) {
    std::vector<coll_topo_location> locations;
    for (const int host : hosts)
        locations.push_back({host, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND, COLL_TOPO_UNBOUND, 0});
    coll_topo_communicator* made = nullptr;
    std::array<char, 512> message{};
    coll_topo_communicator_create(topology.get(), locations.data(), static_cast<int>(locations.size()), 0, &chosen,
                                  &made, message.data(), message.size());
    return {made, coll_topo_communicator_free};
}

/// One rank on each host, or all on host 0.
inline Communicator communicator(const Topology& topology, int ranks, const coll_topo_settings& chosen = settings(),
                                 bool within_host = false) {
    std::vector<int> hosts(ranks, 0);
    if (!within_host) std::iota(hosts.begin(), hosts.end(), 0);
    return communicator_on(topology, hosts, chosen);
}

/// Settings under which this algorithm serves a collective.
inline coll_topo_settings settings_with(const std::string& algorithm, int collective) {
    coll_topo_settings all = settings();
    for (int row = 0; row < coll_topo_algorithms(); ++row) {
        if (coll_topo_algorithm_name(row) == algorithm) all.algorithm[collective] = row;
    }
    EXPECT_GE(all.algorithm[collective], 0) << algorithm;
    return all;
}

inline coll_topo_plan* choose(const Communicator& communicator, int collective, int root, bool commutative = true) {
    coll_topo_plan* plan = nullptr;
    const char* explanation = nullptr;
    EXPECT_EQ(coll_topo_choose(communicator.get(), collective, 4096, root, commutative ? 1 : 0, &explanation, &plan),
              COLL_TOPO_OK);
    return plan;
}

}  // namespace coll_topo::test
