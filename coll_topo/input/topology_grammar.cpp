// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/topology_grammar.hpp"

#include "coll_topo/input/machine_reader.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace coll_topo {

namespace {

constexpr KeyRule switch_keys[] = {{"Nodes"}, {"Switches"}, {"LinkSpeed"}};
constexpr KeyRule torus_keys[] = {{"Dims", Need::always}, {"Wrap"}, {"Nodes"}, {"Bandwidth"}, {"Latency"}, {"Tie"}};
constexpr KeyRule node_keys[] = {{"Coord", Need::always}};
constexpr KeyRule link_keys[] = {{"From", Need::always}, {"To", Need::always}, {"Count"}, {"Bandwidth"}, {"Latency"}};
constexpr KeyRule route_keys[] = {{"At", Need::always}, {"To", Need::always}, {"Via", Need::always}, {"Cable"}};
constexpr KeyRule latin_square_keys[] = {
    {"Order", Need::always}, {"HostsPerLeaf"}, {"Nodes", Need::always}, {"Bandwidth"}, {"Latency"}};
constexpr KeyRule full_mesh_keys[] = {
    {"Ports", Need::always}, {"HostsPerLeaf"}, {"Nodes", Need::always}, {"Bandwidth"}, {"Latency"}};
constexpr KeyRule host_address_keys[] = {{"Node", Need::always}, {"Address", Need::always}};
constexpr KeyRule host_link_keys[] = {{"Bandwidth", Need::one_of}, {"Latency", Need::one_of}};
constexpr auto machine_key_rules = [] {
    std::array<KeyRule, std::size(machine_keys)> rules;
    std::ranges::transform(machine_keys, rules.begin(), [](const MachineKey& key) {
        return KeyRule{key.name, Need::one_of};
    });
    return rules;
}();

constexpr StatementRule statements[] = {
    {StatementKind::switch_name, "SwitchName", true, switch_keys},
    {StatementKind::torus_name, "TorusName", true, torus_keys},
    {StatementKind::node_name, "NodeName", true, node_keys},
    {StatementKind::link, "Link", false, link_keys},
    {StatementKind::route, "Route", false, route_keys},
    {StatementKind::latin_square_name, "LatinSquareName", true, latin_square_keys},
    {StatementKind::full_mesh_name, "FullMeshName", true, full_mesh_keys},
    {StatementKind::host_link, "HostLink", false, host_link_keys},
    {StatementKind::host_address, "HostAddress", false, host_address_keys},
    {StatementKind::machine, "Machine", false, machine_key_rules},
};
static_assert(std::ranges::all_of(statements,
                                  [](const StatementRule& rule) { return rule.keys.size() <= Statement::most_keys; }));

constexpr std::string_view block_plugin =
    "Slurm's topology/block; of Slurm's files only those of topology/tree (SwitchName) can be used";
constexpr std::string_view ring_plugin =
    "Slurm's topology/ring; of Slurm's files only those of topology/tree (SwitchName) can be used";
constexpr ForeignWord foreign_words[] = {{"BlockName", block_plugin},
                                         {"BlockSizes", block_plugin},
                                         {"RingName", ring_plugin},
                                         {"Rule", "a file of rules, see coll-topo-rules.conf(5)"}};

constexpr Grammar grammar = {statements, foreign_words};

}  // namespace

const Grammar& topology_grammar() {
    return grammar;
}

}  // namespace coll_topo
