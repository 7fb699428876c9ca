// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/topology_file.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/cable_speed.hpp"
#include "coll_topo/input/fat_tree_reader.hpp"
#include "coll_topo/input/machine_reader.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/switch_reader.hpp"
#include "coll_topo/input/topology_grammar.hpp"
#include "coll_topo/input/torus_reader.hpp"

#include <span>
#include <utility>

namespace coll_topo {

namespace {

enum class Family { none, torus, switches, fat_tree };

Family family_of(StatementKind kind) {
    switch (kind) {
        case StatementKind::torus_name:
        case StatementKind::node_name:
            return Family::torus;
        case StatementKind::switch_name:
        case StatementKind::link:
            return Family::switches;
        case StatementKind::latin_square_name:
        case StatementKind::full_mesh_name:
            return Family::fat_tree;
        case StatementKind::route:  // through switches that a file names, or that it generates
        case StatementKind::host_link:
        case StatementKind::host_address:
        case StatementKind::machine:
        case StatementKind::rule:  // of other grammars
        case StatementKind::foreign:
            break;
    }
    return Family::none;
}

Expected<std::vector<Statement>> parse_statements(const SourceText& source) {
    std::vector<Statement> statements;
    statements.reserve(source.lines());
    for (int index = 0; index < source.lines(); ++index) {
        ASSIGN_OR_RETURN(const auto statement, parse_statement(source.line(index), topology_grammar()));
        statements.push_back(statement);
    }
    return statements;
}

Expected<void> check_no_routes(std::span<const Statement> statements) {
    for (const Statement& statement : statements) {
        if (statement.rule->kind == StatementKind::route) {
            return statement.word.error("Route in a file without switches; a torus says by Tie= how messages go");
        }
    }
    return {};
}

/// Reads the network by the family of its statements, which must all be of one.
Expected<Fabric> read_network(std::span<const Statement> statements, const SourceText& source,
                              std::vector<Error>& doubts) {
    const Statement* first = nullptr;
    bool has_torus = false;
    for (const Statement& statement : statements) {
        const Family own = family_of(statement.rule->kind);
        if (own == Family::none) continue;
        has_torus = has_torus || statement.rule->kind == StatementKind::torus_name;
        if (!first) first = &statement;
        if (own == family_of(first->rule->kind)) continue;
        return statement.word.error(std::string(statement.rule->name) + " in a file with " +
                                    std::string(first->rule->name) + " at " + first->word.where().text() +
                                    "; a file describes one fabric: a torus, switches, or a generated fat tree");
    }
    const Family family = first ? family_of(first->rule->kind) : Family::none;
    if (family == Family::torus || family == Family::none) {
        RETURN_IF_ERROR(check_no_routes(statements));
    }
    switch (family) {
        case Family::torus:
            return has_torus ? read_torus(statements) : first->word.error("NodeName without TorusName");
        case Family::switches:
            return read_switches(statements, doubts);
        case Family::fat_tree:
            return read_fat_tree(statements);
        case Family::none:
            break;
    }
    return failure(
        "the file describes no network; expected TorusName=, SwitchName=, LatinSquareName= or FullMeshName= "
        "lines",
        source.beginning());
}

Expected<void> read_host_link(const Statement& statement, Fabric& fabric) {
    return read_cable_speed(statement, fabric.host_bandwidth, fabric.host_latency);
}

/// Reads the statement of a kind of which there may be one.
Expected<void> read_only_one(std::span<const Statement> statements, StatementKind kind, Fabric& fabric,
                             Expected<void> (*read)(const Statement&, Fabric&)) {
    const Statement* first = nullptr;
    for (const Statement& statement : statements) {
        if (statement.rule->kind != kind) continue;
        if (first) {
            return statement.word.error("second " + std::string(statement.rule->name) + "; the first is at " +
                                        first->word.where().text());
        }
        first = &statement;
        RETURN_IF_ERROR(read(statement, fabric));
    }
    return {};
}

/// One note is enough: files made by a tool have LinkSpeed on every line.
std::vector<Error> notes_on(std::span<const Statement> statements) {
    for (const Statement& statement : statements) {
        if (statement.rule->kind != StatementKind::switch_name || !statement.has("LinkSpeed")) continue;
        return {{"LinkSpeed is ignored, as Slurm does, because it has no unit; speeds come from Link and HostLink",
                 statement.value("LinkSpeed").where()}};
    }
    return {};
}

Expected<TopologyFile> read_topology(const SourceText& source) {
    ASSIGN_OR_RETURN(const auto statements, parse_statements(source));
    std::vector<Error> notes;
    ASSIGN_OR_RETURN(auto fabric, read_network(statements, source, notes));
    const auto doubts = static_cast<int>(notes.size());
    RETURN_IF_ERROR(read_only_one(statements, StatementKind::host_link, fabric, read_host_link));
    RETURN_IF_ERROR(read_only_one(statements, StatementKind::machine, fabric, read_machine));
    ASSIGN_OR_RETURN(auto addresses, read_host_addresses(statements, fabric.hosts));
    for (Error& note : notes_on(statements)) notes.push_back(std::move(note));
    return TopologyFile{std::move(fabric), std::move(notes), doubts, std::move(addresses)};
}

}  // namespace

Expected<TopologyFile> read_topology_file(const std::string& path) {
    SourceText source;
    RETURN_IF_ERROR(source.read_file(path));
    return read_topology(source);
}

Expected<TopologyFile> read_topology_text(std::string_view text, const std::string& name) {
    SourceText source;
    RETURN_IF_ERROR(source.read_text(text, name));
    return read_topology(source);
}

bool assume_bandwidth(Fabric& fabric) {
    bool assumed = false;
    const auto assume = [&assumed](double& bandwidth) {
        if (bandwidth > 0) return;
        bandwidth = default_torus_bandwidth;
        assumed = true;
    };
    if (auto* graph = std::get_if<SwitchGraph>(&fabric.network)) {
        for (SwitchLink& link : graph->links) assume(link.bandwidth);
        if (graph->links.empty()) assume(fabric.host_bandwidth);
    }
    return assumed;
}

}  // namespace coll_topo
