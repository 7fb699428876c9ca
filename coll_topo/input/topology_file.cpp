// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/topology_file.hpp"

#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/switch_reader.hpp"
#include "coll_topo/input/topology_grammar.hpp"
#include "coll_topo/input/torus_reader.hpp"

#include <span>
#include <utility>

namespace coll_topo {

namespace {

bool is_of_torus(StatementKind kind) {
    return kind == StatementKind::torus_name || kind == StatementKind::node_name;
}
bool is_of_switches(StatementKind kind) {
    return kind == StatementKind::switch_name || kind == StatementKind::link;
}

Expected<std::vector<Statement>> parse_statements(const SourceText& source) {
    std::vector<Statement> statements;
    statements.reserve(source.lines());
    for (int index = 0; index < source.lines(); ++index) {
        const auto statement = parse_statement(source.line(index));
        if (!statement) return tl::unexpected<Error>(statement.error());
        statements.push_back(*statement);
    }
    return statements;
}

/// Reads the network by the kind of its statements, which must all be of one kind.
Expected<Fabric> read_network(std::span<const Statement> statements, const SourceText& source) {
    const Statement* torus = nullptr;
    const Statement* node = nullptr;
    const Statement* graph = nullptr;
    for (const Statement& statement : statements) {
        const StatementKind kind = statement.rule->kind;
        if (!torus && kind == StatementKind::torus_name) torus = &statement;
        if (!node && kind == StatementKind::node_name) node = &statement;
        if (!graph && is_of_switches(kind)) graph = &statement;
        const Statement* other = is_of_torus(kind) ? graph : is_of_switches(kind) ? (torus ? torus : node) : nullptr;
        if (!other) continue;
        return statement.word.error(std::string(statement.rule->name) + " in a file with " +
                                    std::string(other->rule->name) + " at " + other->word.where().text() +
                                    "; a file describes one fabric, a torus or switches");
    }
    if (torus) return read_torus(statements);
    if (graph) return read_switches(statements);
    if (node) return node->word.error("NodeName without TorusName");
    return failure("the file describes no network; expected TorusName= or SwitchName= lines", source.beginning());
}

Expected<void> read_host_link(const Statement& statement, Fabric& fabric) {
    if (!statement.has(Key::bandwidth) && !statement.has(Key::latency)) {
        return statement.word.error("HostLink needs Bandwidth= or Latency=");
    }
    if (statement.has(Key::bandwidth)) {
        const auto bandwidth = parse_bandwidth(statement.value(Key::bandwidth));
        if (!bandwidth) return tl::unexpected<Error>(bandwidth.error());
        fabric.host_bandwidth = *bandwidth;
    }
    if (statement.has(Key::latency)) {
        const auto latency = parse_latency(statement.value(Key::latency));
        if (!latency) return tl::unexpected<Error>(latency.error());
        fabric.host_latency = *latency;
    }
    return {};
}

Expected<void> read_host_links(std::span<const Statement> statements, Fabric& fabric) {
    const Statement* first = nullptr;
    for (const Statement& statement : statements) {
        if (statement.rule->kind != StatementKind::host_link) continue;
        if (first) return statement.word.error("second HostLink; the first is at " + first->word.where().text());
        first = &statement;
        const auto done = read_host_link(statement, fabric);
        if (!done) return done;
    }
    return {};
}

/// One note is enough: files made by a tool have LinkSpeed on every line.
std::vector<Error> notes_on(std::span<const Statement> statements) {
    for (const Statement& statement : statements) {
        if (statement.rule->kind != StatementKind::switch_name || !statement.has(Key::link_speed)) continue;
        return {{"LinkSpeed is ignored, as Slurm does, because it has no unit; speeds come from Link and HostLink",
                 statement.value(Key::link_speed).where()}};
    }
    return {};
}

Expected<TopologyFile> read_topology(const SourceText& source) {
    const auto statements = parse_statements(source);
    if (!statements) return tl::unexpected<Error>(statements.error());
    auto fabric = read_network(*statements, source);
    if (!fabric) return tl::unexpected<Error>(fabric.error());
    const auto done = read_host_links(*statements, *fabric);
    if (!done) return tl::unexpected<Error>(done.error());
    return TopologyFile{std::move(*fabric), notes_on(*statements)};
}

}  // namespace

Expected<TopologyFile> read_topology_file(const std::string& path) {
    SourceText source;
    const auto read = source.read_file(path);
    if (!read) return tl::unexpected<Error>(read.error());
    return read_topology(source);
}

Expected<TopologyFile> read_topology_text(std::string_view text, const std::string& name) {
    SourceText source;
    const auto read = source.read_text(text, name);
    if (!read) return tl::unexpected<Error>(read.error());
    return read_topology(source);
}

}  // namespace coll_topo
