// SPDX-License-Identifier: BSD-3-Clause
#include "test/import/sample_network.hpp"

#include "coll_topo/fabric/latin_square.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/import/link_speed.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <random>

namespace coll_topo::importing {

int SampleNetwork::add_switch(const std::string& name) {
    switches.push_back({name});
    return static_cast<int>(switches.size()) - 1;
}

int SampleNetwork::add_adapter(const std::string& host, const std::string& device) {
    adapters.push_back({host, device});
    return static_cast<int>(adapters.size()) - 1;
}

void SampleNetwork::join_switches(int a, int b, int count, const std::string& speed) {
    for (int i = 0; i < count; ++i) {
        const int from = ++switches[a].ports, to = ++switches[b].ports;
        cables.push_back({{true, a, from}, {true, b, to}, speed});
    }
}

void SampleNetwork::attach(int adapter, int to, const std::string& speed) {
    const int from = ++switches[to].ports, port = ++adapters[adapter].ports;
    cables.push_back({{true, to, from}, {false, adapter, port}, speed});
}

void SampleNetwork::add_hosts(int to, const std::string& stem, int first, int count, const std::string& speed) {
    for (int i = first; i < first + count; ++i)
        attach(add_adapter(fmt::format("{}{:03}", stem, i), "HCA-1"), to, speed);
}

SampleNetwork fat_tree_2_levels() {
    SampleNetwork network;
    const int spines[] = {network.add_switch("spine1"), network.add_switch("spine2")};
    for (int i = 0; i < 4; ++i) {
        const int leaf = network.add_switch(fmt::format("MF0;leaf{}:MSB7700/U1", i + 1));
        network.add_hosts(leaf, "n", 1 + 18 * i, 18, "4xEDR");
        for (const int spine : spines) network.join_switches(leaf, spine, 9, "4xEDR");
    }
    return network;
}

SampleNetwork fat_tree_3_levels() {
    SampleNetwork network;
    const int cores[] = {network.add_switch("core1"), network.add_switch("core2")};
    for (int pod = 0; pod < 2; ++pod) {
        const int spines[] = {network.add_switch(fmt::format("spine{}", 2 * pod + 1)),
                              network.add_switch(fmt::format("spine{}", 2 * pod + 2))};
        for (const int spine : spines) {
            for (const int core : cores) network.join_switches(spine, core, 10, "4xHDR");
        }
        for (int i = 0; i < 2; ++i) {
            const int leaf = network.add_switch(fmt::format("leaf{}", 2 * pod + i + 1));
            network.add_hosts(leaf, "n", 1 + 20 * (2 * pod + i), 20, "4xHDR");
            for (const int spine : spines) network.join_switches(leaf, spine, 10, "4xHDR");
        }
    }
    return network;
}

SampleNetwork fat_tree_of_rails() {
    SampleNetwork network;
    for (int rail = 0; rail < 2; ++rail) {
        const int spine = network.add_switch(fmt::format("spine{}", rail + 1));
        for (int i = 0; i < 4; ++i) {
            network.join_switches(network.add_switch(fmt::format("leaf{}-rail{}", i + 1, rail + 1)), spine, 4, "4xNDR");
        }
    }
    for (int host = 0; host < 32; ++host) {
        for (int rail = 0; rail < 2; ++rail) {
            const int adapter = network.add_adapter(fmt::format("gpu{:02}", host), fmt::format("mlx5_{}", rail));
            network.attach(adapter, rail * 5 + 1 + host / 8, "4xNDR");
        }
    }
    return network;
}

SampleNetwork switch_torus() {
    SampleNetwork network;
    for (int i = 0; i < 32; ++i) {
        network.add_hosts(network.add_switch(fmt::format("sw{:02}", i)), "t", 4 * i, 4, "4xEDR");
    }
    for (int i = 0; i < 32; ++i) {
        const int x = i % 4, y = i / 4 % 4, z = i / 16;
        network.join_switches(i, (x + 1) % 4 + 4 * y + 16 * z, 2, "4xEDR");
        network.join_switches(i, x + 4 * ((y + 1) % 4) + 16 * z, 2, "4xEDR");
        if (z == 0) network.join_switches(i, i + 16, 4, "4xEDR");
    }
    return network;
}

SampleNetwork latin_square_3() {
    const SwitchGraph graph = latin_square(3, 4, {});
    SampleNetwork network;
    for (int i = 0; i < graph.switches.size(); ++i) network.add_switch(fmt::format("rack{:02}", i));
    for (std::size_t host = 0; host < graph.leaf_of_host.size(); ++host) {
        network.add_hosts(graph.leaf_of_host[host], "h", static_cast<int>(host), 1, "4xHDR");
    }
    for (const SwitchLink& link : graph.links) network.join_switches(link.from, link.to, 1, "4xHDR");
    return network;
}

SampleNetwork odd_devices() {
    SampleNetwork network;
    const int leaves[] = {network.add_switch("leaf1"), network.add_switch("leaf2")};
    const int spines[] = {network.add_switch("spine1"), network.add_switch("spine2")};
    for (const int leaf : leaves) {
        network.add_hosts(leaf, "n", 1 + 4 * leaf, 4, "2xHDR");
        for (const int spine : spines) network.join_switches(leaf, spine, leaf == 1 && spine == 3 ? 1 : 2, "4xHDR");
    }
    network.attach(network.add_adapter("Mellanox", "Technologies Aggregation Node"), spines[0], "4xHDR");
    network.attach(network.add_adapter("MF0;leaf1:SX6036G/U1", ""), leaves[0], "4xQDR");
    network.attach(network.add_adapter("storage1", "HCA-1"), leaves[1], "4xHDR");
    return network;
}

namespace {

std::string speed_word(double bandwidth) {
    for (const std::string width : {"1x", "2x", "4x", "8x", "12x"}) {
        for (const std::string speed : {"QDR", "EDR", "HDR", "NDR", "XDR"}) {
            if (link_speed(width, speed) == bandwidth) return width + speed;
        }
    }
    return "4xEDR";
}

std::vector<int> permutation(int size, std::mt19937_64& random) {
    std::vector<int> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    return order;
}

}  // namespace

SampleNetwork shuffled(const Fabric& fabric, std::uint64_t seed, std::map<std::string, std::string>& old_name) {
    std::mt19937_64 random(seed);
    const LinkGraph graph(fabric);
    const Torus* const torus = fabric.torus();
    const int vertices = torus ? fabric.hosts.size() : graph.vertices() - fabric.hosts.size();
    SampleNetwork network;
    std::vector<int> place(vertices);
    for (const int index : permutation(vertices, random)) {
        const std::string name = fmt::format("sw-{:x}", random());
        place[index] = network.add_switch(name);
        if (!torus) old_name[name] = graph.name(graph.vertex_of_switch(index));
    }
    for (const int host : permutation(fabric.hosts.size(), random)) {
        const std::string name = fmt::format("h{:x}", random());
        old_name[name] = std::string(fabric.hosts.name(host));
        const int leaf = torus ? host : std::get<SwitchGraph>(fabric.network).leaf_of_host[host];
        const double bandwidth = fabric.host_bandwidth > 0 ? fabric.host_bandwidth : 12.5e9;
        network.attach(network.add_adapter(name, "mlx5_0"), place[leaf], speed_word(bandwidth));
    }
    const auto is_between_switches = [&](int vertex) { return torus ? vertex < vertices : vertex >= graph.hosts(); };
    const int offset = torus ? 0 : graph.hosts();
    for (const int link : permutation(static_cast<int>(graph.links().size()), random)) {
        const Link& one = graph.links()[link];
        // Directions come in pairs; of a torus each direction stands at the cell that it leaves.
        if (one.from > one.to || !is_between_switches(one.from) || !is_between_switches(one.to)) continue;
        network.join_switches(place[one.from - offset], place[one.to - offset], 1, speed_word(one.bandwidth));
    }
    return network;
}

std::vector<std::string> named_cables(const Fabric& fabric, const std::map<std::string, std::string>& renamed,
                                      bool with_host_speed) {
    const LinkGraph graph(fabric);
    const auto name = [&](int vertex) {
        std::string text = graph.name(vertex);
        // The router of a host stands for the host where hosts have cables of their own.
        const std::string router = ".router";
        if (text.ends_with(router)) text.resize(text.size() - router.size());
        const auto found = renamed.find(text);
        return found == renamed.end() ? text : found->second;
    };
    std::vector<std::string> cables;
    for (const Link& link : graph.links()) {
        const bool of_host = link.from < graph.hosts() || link.to < graph.hosts();
        const bool counts = !(of_host && graph.hosts_have_cables());
        const std::string from = name(link.from), to = name(link.to);
        if (from == to) continue;
        cables.push_back(from + " " + to + (counts || with_host_speed ? fmt::format(" {:.6g}", link.bandwidth) : ""));
    }
    std::sort(cables.begin(), cables.end());
    return cables;
}

}  // namespace coll_topo::importing
