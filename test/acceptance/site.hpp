// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/import/topology_text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "test/acceptance/random_faults.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::acceptance {

inline const std::string cable = " Bandwidth=1GB/s Latency=10us\n";

/// The networks on which faults are tried.
inline const std::vector<std::pair<std::string, std::string>> networks = {
    {"torus 4x4", "TorusName=t Dims=4x4 Nodes=n[00-15]" + cable},
    {"torus 2x2x2", "TorusName=t Dims=2x2x2 Nodes=n[0-7]" + cable},
    {"torus 5x3", "TorusName=t Dims=5x3 Nodes=n[00-14]" + cable},
    {"tree 4x4",
     "SwitchName=leaf1 Nodes=n[00-03]\nSwitchName=leaf2 Nodes=n[04-07]\nSwitchName=leaf3 Nodes=n[08-11]\n"
     "SwitchName=leaf4 Nodes=n[12-15]\nLink From=leaf[1-4] To=spine[1-4]" +
         cable},
    {"tapered tree",
     "SwitchName=leaf1 Nodes=n[00-05]\nSwitchName=leaf2 Nodes=n[06-11]\n"
     "SwitchName=leaf3 Nodes=n[12-17]\nLink From=leaf[1-3] To=spine[1-3]" +
         cable},
};

/// A cluster that is to be as a file says, and its tests.
struct Site {
    explicit Site(const std::string& text) : fabric(read(text)), graph(fabric) {
        std::vector<int> hosts(static_cast<std::size_t>(fabric.hosts.size()));
        std::iota(hosts.begin(), hosts.end(), 0);
        plan = make_cable_plan(fabric, graph, hosts);
    }

    static Fabric read(const std::string& text) {
        auto file = read_topology_text(text, "test.conf");
        if (!file) ADD_FAILURE() << file.error().text();
        return std::move(file->fabric);
    }

    CableVerdict judge(const DrawnFault& drawn, double noise, std::uint64_t seed) const {
        return judge_cables(plan, fabric, graph, measure_with(drawn, noise, seed, plan, fabric, graph));
    }

    std::string text(const CableVerdict& verdict) const {
        std::string said;
        for (const Finding& finding : verdict.findings) {
            said += fault_text(finding.fault, fabric, graph);
            for (const Fault& other : finding.or_else) said += " OR " + fault_text(other, fabric, graph);
            said += "; ";
        }
        for (const SlowKind& kind : verdict.slow_kinds) said += "kind " + std::to_string(kind.test) + "; ";
        for (const int host : verdict.silent) said += "silent " + std::to_string(host) + "; ";
        return said + std::to_string(verdict.not_explained.size()) + " not explained";
    }

    std::string text(const DrawnFault& drawn) const {
        if (drawn.fault) return fault_text(*drawn.fault, fabric, graph);
        return drawn.silent >= 0 ? "silent " + std::to_string(drawn.silent) : "kind " + std::to_string(drawn.slow_kind);
    }

    Fabric fabric;
    LinkGraph graph;
    CablePlan plan;
};

}  // namespace coll_topo::acceptance
