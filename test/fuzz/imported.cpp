// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/import.hpp"
#include "coll_topo/import/lldp.hpp"
#include "coll_topo/import/network_changes.hpp"
#include "coll_topo/import/topology_text.hpp"
#include "coll_topo/input/slurm_address.hpp"
#include "coll_topo/input/topology_file.hpp"

#include "test/fuzz/error_place.hpp"
#include "test/fuzz/readers.hpp"

#include <algorithm>

namespace coll_topo::fuzz {

namespace {

constexpr std::int64_t most_hosts = 2000;  // writing and reading again takes as long as the rest

/// What is imported can be written and read, and is the same network then.
std::string complaint_about(std::string_view kind_name, std::string_view bytes) {
    const auto kinds = importing::source_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.name == kind_name; });
    kind->recognise(bytes);
    const auto network = kind->read(bytes, text_name, {});
    if (!network) return misplaced(network.error(), bytes);
    for (const Error& note : network->notes) {
        if (note.message.empty()) return "a note without a message";
    }
    if (network->fabric.hosts.size() > most_hosts) return {};
    const std::string text = importing::topology_text(network->fabric);
    const auto again = read_topology_text(text, text_name);
    if (!again) return "writes what cannot be read: " + again.error().text() + "\n" + text;
    const auto changes = importing::network_changes(network->fabric, again->fabric);
    return changes.empty() ? "" : "writes another network: " + changes.front() + "\n" + text;
}

}  // namespace

std::string ibnetdiscover_complaint(std::string_view bytes) {
    return complaint_about("ibnetdiscover", bytes);
}

std::string ibnetdiscover_ports_complaint(std::string_view bytes) {
    return complaint_about("ibnetdiscover-ports", bytes);
}

std::string lldp_complaint(std::string_view bytes) {
    const auto line = importing::neighbour_line(bytes, "n1", [](const auto&) { return importing::InterfaceFacts{}; });
    if (!line && line.error().message.empty()) return "an error without a message";
    return complaint_about("lldp", line ? *line : bytes);
}

std::string slurm_topology_complaint(std::string_view bytes) {
    return complaint_about("slurm-topology", bytes);
}

std::string slurm_yaml_complaint(std::string_view bytes) {
    return complaint_about("slurm-yaml", bytes);
}

std::string slurm_conf_complaint(std::string_view bytes) {
    return complaint_about("slurm-conf", bytes);
}

/// Lines of an address, a blank and a pattern.
std::string slurm_address_complaint(std::string_view bytes) {
    std::vector<SlurmAddress> nodes;
    while (!bytes.empty()) {
        const std::string_view line = bytes.substr(0, bytes.find('\n'));
        bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
        const std::size_t blank = std::min(line.rfind(' '), line.size());
        auto address = parse_slurm_address(line.substr(0, blank), line.substr(std::min(blank + 1, line.size())));
        if (!address && address.error().message.empty()) return "an error without a message";
        if (address && !address->node.empty()) nodes.push_back(*std::move(address));
    }
    const auto fabric = tree_of_addresses(nodes);
    if (!fabric) return fabric.error().message.empty() ? "an error without a message" : "";
    const auto& graph = std::get<SwitchGraph>(fabric->network);
    if (fabric->hosts.size() != static_cast<int>(nodes.size())) return "another number of hosts";
    if (!find_cycle(graph).empty()) return "a switch above itself";
    for (const std::int32_t leaf : graph.leaf_of_host) {
        if (leaf < 0 || leaf >= graph.switches.size()) return "a host without a switch";
    }
    return "";
}

}  // namespace coll_topo::fuzz
