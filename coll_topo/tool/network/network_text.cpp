// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_text.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/fabric/switch_links.hpp"
#include "coll_topo/tool/network/fat_tree_text.hpp"
#include "coll_topo/tool/network/name_lines.hpp"
#include "coll_topo/tool/output/units.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string>
#include <vector>

namespace coll_topo::tool {

namespace {

constexpr int most_named_hosts = 400;

std::string speed_text(double bandwidth, double latency) {
    return bandwidth_text(bandwidth) + ", " + duration_text(latency);
}

void write_dimensions(std::ostream& out, const Torus& torus) {
    for (std::size_t d = 0; d < torus.dimensions().size(); ++d) {
        const TorusDimension& dimension = torus.dimensions()[d];
        out << fmt::format("  dimension {}: size {}, {}, {}\n", d + 1, dimension.size,
                           dimension.wrapped ? "ends joined" : "ends open",
                           speed_text(dimension.bandwidth, dimension.latency));
    }
}

/// A line without blanks at its end.
void write_line(std::ostream& out, const std::string& line) {
    out << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
}

/// One plane, first dimension to the right, second down; `first` is its first cell. "==" joins neighbours; "=" at both
/// ends of a line, and "|" above and below a column, say that its ends are joined, too.
void write_plane(std::ostream& out, const std::vector<std::string>& names, const Torus& torus, std::int64_t first) {
    const TorusDimension& to_right = torus.dimensions()[0];
    const int rows = torus.dimensions().size() > 1 ? torus.dimensions()[1].size : 1;
    const bool joined_down = rows > 1 && torus.dimensions()[1].wrapped;
    const bool joined_right = to_right.wrapped && to_right.size > 1;
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size());
    std::string bars = "   ";
    for (int column = 0; column < to_right.size; ++column) bars += fmt::format("{:^{}}", "|", width + 2);
    if (joined_down) write_line(out, bars);
    for (int row = 0; row < rows; ++row) {
        if (row > 0) write_line(out, bars);
        std::string line;
        for (int column = 0; column < to_right.size; ++column) {
            line += "=" + fmt::format("{:=^{}}", names[first + column + row * to_right.size], width) + "=";
        }
        if (!joined_right) {
            line.replace(0, line.find_first_not_of('='), line.find_first_not_of('='), ' ');
            line.erase(line.find_last_not_of('=') + 1);
        }
        write_line(out, "   " + line);
    }
    if (joined_down) write_line(out, bars);
}

void write_torus(std::ostream& out, const Torus& torus, const Fabric& fabric) {
    write_dimensions(out, torus);
    if (torus.cells() > most_named_hosts) return;
    const LinkGraph network(fabric);
    std::vector<std::string> names;
    for (std::int64_t cell = 0; cell < torus.cells(); ++cell) {
        std::string name = network.name(network.vertex_of_cell(cell));
        if (name.ends_with(".router")) name.resize(name.size() - std::string_view(".router").size());
        names.push_back(std::move(name));
    }
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size() + 2);
    if (5 + width * torus.dimensions()[0].size > line_width) {
        out << "  too wide to be drawn here; --svg FILE draws it\n";
        return;
    }
    const std::int64_t plane =
        torus.dimensions()[0].size * std::int64_t{torus.dimensions().size() > 1 ? torus.dimensions()[1].size : 1};
    for (std::int64_t first = 0; first < torus.cells(); first += plane) {
        out << "\n";
        if (plane < torus.cells()) {
            std::string place;
            for (int d = 2; d < static_cast<int>(torus.dimensions().size()); ++d) {
                place += (place.empty() ? "" : ",") + std::to_string(torus.coordinate(first, d));
            }
            out << "  plane *,*," << place << "\n";
        }
        write_plane(out, names, torus, first);
    }
}

void write_switch(std::ostream& out, const SwitchGraph& graph, const SwitchLinks& links, int index,
                  const std::vector<std::string>& hosts, bool named) {
    out << "  " << graph.switches.name(index);
    if (!hosts.empty()) out << ": " << counted(static_cast<long long>(hosts.size()), "host", "hosts");
    out << "\n";
    if (!hosts.empty() && named) write_names(out, "   ", hosts);
    std::vector<std::string> above;
    for (const int number : links.up(index)) {
        const SwitchLink& link = graph.links[number];
        above.emplace_back(graph.switches.name(link.to));
        if (link.count > 1) above.back() += fmt::format(" (x{})", link.count);
    }
    if (above.empty()) return;
    write_names(out, "    up to:", above);
}

void write_switches(std::ostream& out, const SwitchGraph& graph, const NameTable& names) {
    write_fat_tree(out, graph);
    const SwitchLinks links(graph);
    std::vector<std::vector<std::string>> hosts(graph.switches.size());
    for (int host = 0; host < names.size(); ++host) hosts[graph.leaf_of_host[host]].emplace_back(names.name(host));
    for (int index = 0; index < graph.switches.size(); ++index) {
        write_switch(out, graph, links, index, hosts[index], names.size() <= most_named_hosts);
    }
}

}  // namespace

void write_network_text(std::ostream& out, const Fabric& fabric) {
    out << wrapped(fabric.summary(), 4);
    if (fabric.has_host_link()) {
        out << "  hosts: "
            << (fabric.host_bandwidth > 0 ? bandwidth_text(fabric.host_bandwidth) : "bandwidth as the links") << ", "
            << (fabric.host_latency > 0 ? duration_text(fabric.host_latency) : "latency as the links") << "\n";
    }
    if (const Torus* torus = fabric.torus()) {
        write_torus(out, *torus, fabric);
    } else {
        write_switches(out, std::get<SwitchGraph>(fabric.network), fabric.hosts);
    }
}

}  // namespace coll_topo::tool
