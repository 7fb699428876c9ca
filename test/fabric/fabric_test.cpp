// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/fabric.hpp"

#include "coll_topo/fabric/full_mesh.hpp"
#include "coll_topo/fabric/latin_square.hpp"

#include <gtest/gtest.h>
#include <functional>
#include <initializer_list>
#include <set>

namespace coll_topo {
namespace {

NameTable names(std::initializer_list<const char*> list) {
    NameTable table;
    for (const char* name : list) table.add(name);
    return table;
}

std::vector<TorusDimension> two_by_two() {
    return {{2, true, 1e9, 1e-6}, {2, false, 2e9, 2e-6}};
}

Fabric small_torus() {
    return {names({"a", "b", "c", "d"}), Torus("t0", two_by_two(), Tie::parity), {}, 0, 0};
}

Fabric small_tree() {
    SwitchGraph graph{names({"leaf1", "leaf2", "top"}), {0, 1, 1}, {{0, 2, 1, 1e9, 1e-6}, {1, 2, 1, 1e9, 1e-6}}};
    return {names({"a", "b", "c"}), graph, {}, 0, 0};
}

TEST(Fabric, SummarisesATorus) {
    Fabric fabric = small_torus();
    EXPECT_EQ("torus t0, 2x2, wrapped yn, 4 hosts", fabric.summary());
    fabric.hosts = names({"a"});
    fabric.cell_of_host = {3};
    EXPECT_EQ("torus t0, 2x2, wrapped yn, 1 host in 4 cells", fabric.summary());
}

TEST(Fabric, SummarisesSwitches) {
    Fabric fabric = small_tree();
    EXPECT_EQ("tree of 3 switches, 3 hosts", fabric.summary());
    auto& graph = std::get<SwitchGraph>(fabric.network);
    graph.switches.add("other");
    EXPECT_EQ("network of 4 switches, 3 hosts", fabric.summary());
    graph.links.push_back({0, 3, 1, 0, 0});
    EXPECT_EQ(
        "leaf-spine fat tree: 2 leaves, 2 spines, 3 hosts, at most 2 at each leaf, 2 groups of leaves with the same "
        "spines",
        fabric.summary());
    graph.routes = {{0, 1, 0, 0}};
    graph.links.pop_back();
    EXPECT_EQ("network of 4 switches, 3 hosts, 1 given route", fabric.summary());
}

TEST(Fabric, SummaryNamesTheFatTreeThatIsRecognised) {
    const auto summary = [](const SwitchGraph& graph) { return Fabric{{}, graph, {}, 0, 0}.summary(); };
    SwitchGraph plane = latin_square(3, 4, {});
    EXPECT_EQ(
        "Latin-square fat tree of order 3 (projective plane recognised): 13 leaves, 13 spines, 52 hosts, 4 at each "
        "leaf",
        summary(plane));
    plane.leaf_of_host.pop_back();
    EXPECT_EQ(
        "Latin-square fat tree of order 3 (projective plane recognised): 13 leaves, 13 spines, 51 hosts, at most 4 at "
        "each leaf",
        summary(plane));
    EXPECT_EQ("full mesh of 4 corners in 3 layers: 12 leaves, 6 spines, 36 hosts, 3 at each leaf",
              summary(full_mesh(full_mesh_of_ports(6), 3, {})));
}

TEST(Fabric, DigestDependsOnAllThatATorusIs) {
    const std::vector<std::function<void(Fabric&)>> changes = {
        [](Fabric&) {},
        [](Fabric& fabric) {
            fabric.hosts = names({"a", "b", "c", "e"});
        },
        [](Fabric& fabric) {
            fabric.hosts = names({"b", "a", "c", "d"});
        },
        [](Fabric& fabric) {
            fabric.hosts = names({"ab", "c", "d"});
        },
        [](Fabric& fabric) {
            fabric.cell_of_host = {1, 0, 2, 3};
        },
        [](Fabric& fabric) { fabric.host_bandwidth = 1; },
        [](Fabric& fabric) { fabric.host_latency = 1; },
        [](Fabric& fabric) { fabric.network = Torus("t0", two_by_two(), Tie::positive); },
        [](Fabric& fabric) {
            fabric.network = Torus("t0", {{4, true, 1e9, 1e-6}}, Tie::parity);
        },
        [](Fabric& fabric) {
            auto dimensions = two_by_two();
            dimensions[1].wrapped = true;
            fabric.network = Torus("t0", dimensions, Tie::parity);
        },
        [](Fabric& fabric) {
            auto dimensions = two_by_two();
            dimensions[1].bandwidth = 3e9;
            fabric.network = Torus("t0", dimensions, Tie::parity);
        },
        [](Fabric& fabric) {
            auto dimensions = two_by_two();
            dimensions[0].latency = 3e-6;
            fabric.network = Torus("t0", dimensions, Tie::parity);
        },
        [](Fabric& fabric) { fabric.network = small_tree().network; },
    };
    std::set<std::uint64_t> digests;
    for (const auto& change : changes) {
        Fabric fabric = small_torus();
        change(fabric);
        digests.insert(fabric.digest());
    }
    EXPECT_EQ(changes.size(), digests.size());
}

TEST(Fabric, DigestDependsOnAllThatSwitchesAre) {
    const std::vector<std::function<void(SwitchGraph&)>> changes = {
        [](SwitchGraph&) {},
        [](SwitchGraph& graph) { graph.switches.add("other"); },
        [](SwitchGraph& graph) { graph.leaf_of_host[0] = 1; },
        [](SwitchGraph& graph) { graph.links.pop_back(); },
        [](SwitchGraph& graph) { graph.links[0].from = 1; },
        [](SwitchGraph& graph) { graph.links[0].to = 1; },
        [](SwitchGraph& graph) { graph.links[0].count = 2; },
        [](SwitchGraph& graph) { graph.links[0].bandwidth = 2e9; },
        [](SwitchGraph& graph) { graph.links[0].latency = 2e-6; },
    };
    std::set<std::uint64_t> digests;
    for (const auto& change : changes) {
        Fabric fabric = small_tree();
        change(std::get<SwitchGraph>(fabric.network));
        digests.insert(fabric.digest());
    }
    EXPECT_EQ(changes.size(), digests.size());
}

TEST(Fabric, DigestIsTheSameForTheSameMeaning) {
    EXPECT_EQ(small_torus().digest(), small_torus().digest());
    Fabric renamed = small_torus();
    renamed.network = Torus("other", two_by_two(), Tie::parity);
    EXPECT_EQ(small_torus().digest(), renamed.digest());
    Fabric spelled_out = small_torus();
    spelled_out.cell_of_host = {0, 1, 2, 3};
    EXPECT_EQ(small_torus().digest(), spelled_out.digest());
}

}  // namespace
}  // namespace coll_topo
