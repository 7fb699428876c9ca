// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/topology_text.hpp"

#include "coll_topo/input/hostlist.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace coll_topo::importing {

namespace {

/// Whether a file without Link lines says as much of it.
bool is_plain(const SwitchLink& link) {
    return link.count == 1 && link.bandwidth == 0 && link.latency == 0;
}

using Speed = std::tuple<int, double, double>;  // count, bandwidth, latency

std::string link_line(const std::vector<std::string>& from, const std::vector<std::string>& to, const Speed& speed) {
    const auto& [count, bandwidth, latency] = speed;
    std::string line = "Link From=" + hostlist_text(from) + " To=" + hostlist_text(to);
    if (count > 1) line += fmt::format(" Count={}", count);
    if (bandwidth > 0) line += " Bandwidth=" + exact_bandwidth(bandwidth);
    if (latency > 0) line += " Latency=" + exact_latency(latency);
    return line + '\n';
}

std::string switches_text(const SwitchGraph& graph, const NameTable& host_names) {
    std::vector<std::vector<std::string>> hosts(graph.switches.size()), below(graph.switches.size());
    for (std::size_t host = 0; host < graph.leaf_of_host.size(); ++host) {
        hosts[graph.leaf_of_host[host]].emplace_back(host_names.name(static_cast<int>(host)));
    }
    const bool plain = std::all_of(graph.links.begin(), graph.links.end(), is_plain);
    std::vector<SwitchLink> links;
    for (const SwitchLink& link : graph.links) {
        if (plain && hosts[link.to].empty())
            below[link.to].emplace_back(graph.switches.name(link.from));
        else
            links.push_back(link);
    }
    std::string text;
    for (int index = 0; index < graph.switches.size(); ++index) {
        text += fmt::format("SwitchName={}", graph.switches.name(index));
        if (!hosts[index].empty()) text += " Nodes=" + hostlist_text(hosts[index]);
        if (!below[index].empty()) text += " Switches=" + hostlist_text(below[index]);
        text += '\n';
    }
    return text + link_lines(graph.switches, std::move(links));
}

/// One value for all dimensions, or one for each.
std::string per_dimension(const Torus& torus, const std::function<std::string(const TorusDimension&)>& value) {
    std::vector<std::string> values;
    for (const TorusDimension& dimension : torus.dimensions()) values.push_back(value(dimension));
    const bool equal = std::all_of(values.begin(), values.end(), [&](const auto& one) { return one == values[0]; });
    return equal ? values[0] : fmt::format("{}", fmt::join(values, ","));
}

std::string torus_text(const Fabric& fabric, const Torus& torus) {
    std::vector<int> sizes;
    std::string wrap;
    for (const TorusDimension& dimension : torus.dimensions()) {
        sizes.push_back(dimension.size);
        wrap += dimension.wrapped ? 'y' : 'n';
    }
    std::string text =
        fmt::format("TorusName={} Dims={} Wrap={} Bandwidth={} Latency={}", torus.name(), fmt::join(sizes, "x"), wrap,
                    per_dimension(torus, [](const auto& one) { return exact_bandwidth(one.bandwidth); }),
                    per_dimension(torus, [](const auto& one) { return exact_latency(one.latency); }));
    if (torus.tie() != Tie::parity) text += torus.tie() == Tie::positive ? " Tie=positive" : " Tie=negative";
    if (fabric.cell_of_host.empty()) {
        std::vector<std::string> hosts;
        for (int host = 0; host < fabric.hosts.size(); ++host) hosts.emplace_back(fabric.hosts.name(host));
        return text + " \\\n    Nodes=" + hostlist_text(hosts) + '\n';
    }
    text += '\n';
    for (int host = 0; host < fabric.hosts.size(); ++host) {
        std::vector<int> coordinates;
        for (std::size_t d = 0; d < sizes.size(); ++d) {
            coordinates.push_back(torus.coordinate(fabric.cell(host), static_cast<int>(d)));
        }
        text += fmt::format("NodeName={} Coord={}\n", fabric.hosts.name(host), fmt::join(coordinates, ","));
    }
    return text;
}

}  // namespace

std::string exact_bandwidth(double bytes_per_second) {
    return fmt::format("{:.15g}GB/s", bytes_per_second / 1e9);
}

std::string exact_latency(double seconds) {
    return fmt::format("{:.15g}us", seconds * 1e6);
}

/// Lower switches with cables of the same speed to the same upper ones share a line.
std::string link_lines(const NameTable& switches, std::vector<SwitchLink> links) {
    std::stable_sort(links.begin(), links.end(),
                     [](const SwitchLink& a, const SwitchLink& b) { return a.from < b.from; });
    std::map<std::pair<std::vector<int>, Speed>, std::vector<std::string>> lower_of;
    std::vector<decltype(lower_of)::iterator> order;
    for (std::size_t begin = 0; begin < links.size();) {
        std::size_t end = begin;
        std::map<Speed, std::vector<int>> uppers;
        for (; end < links.size() && links[end].from == links[begin].from; ++end) {
            uppers[{links[end].count, links[end].bandwidth, links[end].latency}].push_back(links[end].to);
        }
        for (auto& [speed, upper] : uppers) {
            std::sort(upper.begin(), upper.end());
            const auto [place, is_new] = lower_of.try_emplace({upper, speed});
            if (is_new) order.push_back(place);
            place->second.emplace_back(switches.name(links[begin].from));
        }
        begin = end;
    }
    std::string text;
    for (const auto& place : order) {
        std::vector<std::string> upper;
        for (const int index : place->first.first) upper.emplace_back(switches.name(index));
        text += link_line(place->second, upper, place->first.second);
    }
    return text;
}

std::string host_address_lines(const NameTable& hosts, const AddressesOfHosts& addresses) {
    std::string text;
    for (int host = 0; host < hosts.size(); ++host) {
        const auto own = addresses.find(std::string(hosts.name(host)));
        if (own == addresses.end() || own->second.empty()) continue;
        std::vector<std::string> once;
        for (const std::string& address : own->second) {
            if (std::find(once.begin(), once.end(), address) == once.end()) once.push_back(address);
        }
        text += fmt::format("HostAddress Node={} Address={}\n", hosts.name(host), fmt::join(once, ","));
    }
    return text;
}

std::string topology_text(const Fabric& fabric) {
    std::string text = fabric.torus() ? torus_text(fabric, *fabric.torus())
                                      : switches_text(std::get<SwitchGraph>(fabric.network), fabric.hosts);
    if (!fabric.has_host_link()) return text;
    text += "HostLink";
    if (fabric.host_bandwidth > 0) text += " Bandwidth=" + exact_bandwidth(fabric.host_bandwidth);
    if (fabric.host_latency > 0) text += " Latency=" + exact_latency(fabric.host_latency);
    return text + '\n';
}

}  // namespace coll_topo::importing
