// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/import.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/ibnetdiscover.hpp"
#include "coll_topo/import/lldp.hpp"
#include "coll_topo/input/wording.hpp"

#include <set>

namespace coll_topo::importing {

namespace {

using CableReader = Expected<CableList> (*)(std::string_view, const std::string&);

template <CableReader read>
Expected<RecognisedNetwork> from_cables(std::string_view text, const std::string& file,
                                        const ImportSettings& settings) {
    ASSIGN_OR_RETURN(const auto cables, read(text, file));
    ASSIGN_OR_RETURN(auto wiring, join_hosts(cables, file, settings.naming));
    return recognise(std::move(wiring), settings.torus);
}

/// Hosts do not see cables between switches. If no switch tells of them either, one above all of them is assumed.
void assume_top(Wiring& wiring) {
    if (!wiring.switch_cables.empty() || wiring.switches.size() < 2) return;
    const int switches = static_cast<int>(wiring.switches.size());
    const std::set<std::string> names(wiring.switches.begin(), wiring.switches.end());
    std::string top = "top";
    while (names.count(top) > 0) top += "-top";
    wiring.switches.push_back(top);
    for (int index = 0; index < switches; ++index) wiring.switch_cables.push_back({index, switches, 1, 0});
    wiring.is_directed = true;
    add_note(wiring.notes,
             "hosts do not see cables between switches: one switch above all of them is assumed; lines of "
             "lldpctl on the switches themselves would tell");
}

Expected<RecognisedNetwork> from_lldp(std::string_view text, const std::string& file, const ImportSettings& settings) {
    ASSIGN_OR_RETURN(const auto cables, read_neighbour_lines(text, file));
    ASSIGN_OR_RETURN(auto wiring, join_hosts(cables, file, settings.naming));
    assume_top(wiring);
    return recognise(std::move(wiring), settings.torus);
}

Expected<RecognisedNetwork> from_slurm_topology(std::string_view text, const std::string& file,
                                                const ImportSettings& settings) {
    ASSIGN_OR_RETURN(const auto topology, read_slurm_topology(text, file));
    return network_of(topology, settings.slurm_nodes);
}

/// The topology with the name that is asked for, or else the only one, or the first that is cluster_default.
Expected<const SlurmTopology*> choose(const std::vector<SlurmTopology>& topologies, const std::string& name,
                                      const std::string& file) {
    std::string names;
    for (const SlurmTopology& topology : topologies) {
        const bool is_default = topology.is_default || topologies.size() == 1;
        if (name.empty() ? is_default : topology.name == name) return &topology;
        names += (names.empty() ? "" : ", ") + topology.name;
    }
    const std::string wrong =
        name.empty() ? "none of the topologies is cluster_default" : "no topology " + in_quotes(name);
    return failure(wrong + "; --topology NAME takes one of: " + names, {file, 1});
}

Expected<RecognisedNetwork> from_slurm_yaml(std::string_view text, const std::string& file,
                                            const ImportSettings& settings) {
    ASSIGN_OR_RETURN(const auto topologies, read_slurm_yaml(text, file));
    ASSIGN_OR_RETURN(const auto* const topology, choose(topologies, settings.topology, file));
    return network_of(*topology, settings.slurm_nodes);
}

Expected<RecognisedNetwork> from_slurm_conf(std::string_view text, const std::string& file, const ImportSettings&) {
    ASSIGN_OR_RETURN(const auto nodes, read_slurm_conf(text, file));
    if (nodes.is_3d_torus) return network_of_3d_torus(nodes, file);
    return failure(
        "slurm.conf tells of a network only with TopologyPlugin=topology/3d_torus; import topology.conf or "
        "topology.yaml, and give this file by --slurm-conf",
        {file, 1});
}

constexpr SourceKind kinds[] = {
    {"ibnetdiscover", "what ibnetdiscover prints", is_ibnetdiscover, from_cables<read_ibnetdiscover>},
    {"ibnetdiscover-ports", "what ibnetdiscover --ports prints", is_ibnetdiscover_ports,
     from_cables<read_ibnetdiscover_ports>},
    {"lldp", "neighbours of hosts, as import --collect gathers them", is_neighbour_lines, from_lldp},
    {"slurm-topology", "topology.conf of Slurm, or what scontrol show topology prints", is_slurm_topology,
     from_slurm_topology},
    {"slurm-yaml", "topology.yaml of Slurm", is_slurm_yaml, from_slurm_yaml},
    {"slurm-conf", "slurm.conf with topology/3d_torus", is_slurm_conf, from_slurm_conf},
};

}  // namespace

std::span<const SourceKind> source_kinds() {
    return kinds;
}

const SourceKind* kind_of_source(std::string_view text) {
    for (const SourceKind& kind : kinds) {
        if (kind.recognise(text)) return &kind;
    }
    return nullptr;
}

}  // namespace coll_topo::importing
