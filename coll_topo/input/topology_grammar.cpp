// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/topology_grammar.hpp"

#include <algorithm>

namespace coll_topo {

namespace {

constexpr KeyRule switch_keys[] = {{Key::nodes, false}, {Key::switches, false}, {Key::link_speed, false}};
constexpr KeyRule torus_keys[] = {{Key::dims, true},       {Key::wrap, false},    {Key::nodes, false},
                                  {Key::bandwidth, false}, {Key::latency, false}, {Key::tie, false}};
constexpr KeyRule node_keys[] = {{Key::coord, true}};
constexpr KeyRule link_keys[] = {
    {Key::from, true}, {Key::to, true}, {Key::count, false}, {Key::bandwidth, false}, {Key::latency, false}};
constexpr KeyRule route_keys[] = {{Key::at, true}, {Key::to, true}, {Key::via, true}, {Key::cable, false}};
constexpr KeyRule latin_square_keys[] = {{Key::order, true},
                                         {Key::hosts_per_leaf, false},
                                         {Key::nodes, true},
                                         {Key::bandwidth, false},
                                         {Key::latency, false}};
constexpr KeyRule full_mesh_keys[] = {{Key::ports, true},
                                      {Key::hosts_per_leaf, false},
                                      {Key::nodes, true},
                                      {Key::bandwidth, false},
                                      {Key::latency, false}};
constexpr KeyRule host_link_keys[] = {{Key::bandwidth, false}, {Key::latency, false}};
constexpr KeyRule machine_keys[] = {{Key::message_time, false},
                                    {Key::shared_message_time, false},
                                    {Key::local_bandwidth, false},
                                    {Key::reduce_bandwidth, false},
                                    {Key::copy_bandwidth, false}};

constexpr StatementRule statements[] = {
    {StatementKind::switch_name, "SwitchName", true, switch_keys},
    {StatementKind::torus_name, "TorusName", true, torus_keys},
    {StatementKind::node_name, "NodeName", true, node_keys},
    {StatementKind::link, "Link", false, link_keys},
    {StatementKind::route, "Route", false, route_keys},
    {StatementKind::latin_square_name, "LatinSquareName", true, latin_square_keys},
    {StatementKind::full_mesh_name, "FullMeshName", true, full_mesh_keys},
    {StatementKind::host_link, "HostLink", false, host_link_keys},
    {StatementKind::machine, "Machine", false, machine_keys},
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
