// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/hostlist.hpp"
#include "test/import/sample_network.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace coll_topo::importing {

namespace {

using End = SampleNetwork::End;

/// A GUID for each device, and for each port of an adapter.
std::uint64_t guid(const End& end) {
    return end.is_switch ? 0x0002c90200410000U + static_cast<std::uint64_t>(end.index)
                         : 0x0002c90300100000U + 0x10U * static_cast<std::uint64_t>(end.index);
}

std::uint64_t port_guid(const End& end) {
    return guid(end) + (end.is_switch ? 0 : static_cast<std::uint64_t>(end.port));
}

int lid(const End& end) {
    return end.is_switch ? 1 + end.index : 1000 + end.index;
}

struct Port {
    End own, far;
    std::string speed;
};

class Printer {
public:
    explicit Printer(const SampleNetwork& network) : network_(network) {
        switches_.resize(network.switches.size());
        adapters_.resize(network.adapters.size());
        for (const SampleNetwork::Cable& cable : network.cables) {
            ports(cable.a).push_back({cable.a, cable.b, cable.speed});
            ports(cable.b).push_back({cable.b, cable.a, cable.speed});
        }
        for (auto* const all : {&switches_, &adapters_}) {
            for (auto& own : *all) {
                std::sort(own.begin(), own.end(), [](const Port& a, const Port& b) { return a.own.port < b.own.port; });
            }
        }
    }

    std::string blocks() const {
        std::string text =
            "#\n# Topology file: generated on Tue Nov 24 10:00:00 2026\n#\n"
            "# Initiated from node 0002c90300100000 port 0002c90300100001\n";
        for (std::size_t i = 0; i < switches_.size(); ++i) {
            const End own{true, static_cast<int>(i)};
            text += fmt::format(
                "\nvendid=0x2c9\ndevid=0xcb20\nsysimgguid=0x{0:x}\nswitchguid=0x{0:x}({0:x})\n"
                "Switch\t36 {1}\t\t# \"{2}\" enhanced port 0 lid {3} lmc 0\n",
                guid(own), id(own), name(own), lid(own));
            for (const Port& port : switches_[i]) {
                text += fmt::format("[{}]\t{}[{}]{}\t\t# \"{}\" lid {} {}\n", port.own.port, id(port.far),
                                    port.far.port, far_guid(port.far), name(port.far), lid(port.far), port.speed);
            }
        }
        for (std::size_t i = 0; i < adapters_.size(); ++i) {
            const End own{false, static_cast<int>(i)};
            text += fmt::format(
                "\nvendid=0x2c9\ndevid=0x1017\nsysimgguid=0x{0:x}\ncaguid=0x{0:x}\n"
                "Ca\t{1} {2}\t\t# \"{3}\"\n",
                guid(own), std::max<std::size_t>(1, adapters_[i].size()), id(own), name(own));
            for (const Port& port : adapters_[i]) {
                text += fmt::format("[{}]({:x}) \t{}[{}]\t\t# lid {} lmc 0 \"{}\" lid {} {}\n", port.own.port,
                                    port_guid(port.own), id(port.far), port.far.port, lid(own), name(port.far),
                                    lid(port.far), port.speed);
            }
        }
        return text;
    }

    std::string lines() const {
        std::string text;
        for (const auto* const all : {&switches_, &adapters_}) {
            for (const auto& own : *all) {
                for (auto port = own.rbegin(); port != own.rend(); ++port) {
                    text += fmt::format("{} - {} ( '{}' - '{}' )\n",
                                        end(port->own) + " " + port->speed.substr(0, port->speed.find('x') + 1) + " " +
                                            port->speed.substr(port->speed.find('x') + 1),
                                        end(port->far), name(port->own), name(port->far));
                }
            }
        }
        text += fmt::format("{} 4x SDR{:36}'{}'\n", end({true, 0, 36}), "", name({true, 0}));
        return text;
    }

private:
    std::vector<Port>& ports(const End& end) { return (end.is_switch ? switches_ : adapters_)[end.index]; }

    static std::string id(const End& end) {
        return fmt::format("\"{}-{:016x}\"", end.is_switch ? "S" : "H", guid(end));
    }

    static std::string far_guid(const End& end) { return end.is_switch ? "" : fmt::format("({:x}) ", port_guid(end)); }

    static std::string end(const End& end) {
        return fmt::format("{:>2} {:>5} {:>2} 0x{:016x}", end.is_switch ? "SW" : "CA", lid(end), end.port,
                           port_guid(end));
    }

    std::string name(const End& end) const {
        if (end.is_switch) return network_.switches[end.index].name;
        const SampleNetwork::Adapter& adapter = network_.adapters[end.index];
        return adapter.host + (adapter.device.empty() ? "" : " " + adapter.device);
    }

    const SampleNetwork& network_;
    std::vector<std::vector<Port>> switches_, adapters_;
};

}  // namespace

std::string ibnetdiscover_text(const SampleNetwork& network) {
    return Printer(network).blocks();
}

std::string ibnetdiscover_ports_text(const SampleNetwork& network) {
    return Printer(network).lines();
}

namespace {

/// topology.yaml(5) of a wrapped torus of at most three dimensions.
std::string slurm_torus_text(const Fabric& fabric, std::map<std::string, std::string>& old_name) {
    std::array<int, 3> sizes = {1, 1, 1};
    const auto& dimensions = fabric.torus()->dimensions();
    for (std::size_t d = 0; d < dimensions.size(); ++d) sizes[d] = dimensions[d].size;
    std::vector<std::string> hosts;
    for (int host = 0; host < fabric.hosts.size(); ++host) {
        hosts.push_back(fmt::format("node{}", (host * 7919 + 1) % 100003));
        old_name[hosts.back()] = std::string(fabric.hosts.name(host));
    }
    return fmt::format(
        "- topology: t\n  torus3d:\n    toruses:\n      - name: cube\n        dims: {{x: {}, y: {}, z: {}}}\n"
        "        nodes: {}\n",
        sizes[0], sizes[1], sizes[2], hostlist_text(hosts));
}

}  // namespace

std::string slurm_topology_text(const Fabric& fabric, std::map<std::string, std::string>& old_name) {
    if (fabric.torus()) return slurm_torus_text(fabric, old_name);
    const auto& graph = std::get<SwitchGraph>(fabric.network);
    std::vector<std::vector<std::string>> hosts(graph.switches.size()), below(graph.switches.size());
    for (std::size_t host = 0; host < graph.leaf_of_host.size(); ++host) {
        hosts[graph.leaf_of_host[host]].emplace_back(fabric.hosts.name(static_cast<int>(host)));
    }
    const auto name = [&](int index) {
        std::string text = fmt::format("switch{}", (index * 7919) % 100003);
        old_name[text] = std::string(graph.switches.name(index));
        return text;
    };
    for (const SwitchLink& link : graph.links) below[link.to].push_back(name(link.from));
    std::string text;
    for (int i = 0; i < graph.switches.size(); ++i) {
        text += fmt::format("SwitchName={} {}={}\n", name(i), hosts[i].empty() ? "Switches" : "Nodes",
                            hostlist_text(hosts[i].empty() ? below[i] : hosts[i]));
    }
    return text;
}

}  // namespace coll_topo::importing
