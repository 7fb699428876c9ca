// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/torus_reader.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/name_register.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coll_topo {

namespace {

constexpr std::int64_t most_cells = most_names;

/// Sizes of the dimensions, such as 4x4x2.
Expected<std::vector<TorusDimension>> parse_dims(const Located& text) {
    std::vector<TorusDimension> dimensions;
    std::int64_t cells = 1;
    for (const Located& part : split(text, 'x')) {
        ASSIGN_OR_RETURN(const auto size, parse_integer(part, 1, most_cells, "the size of a dimension"));
        cells *= size;
        if (cells > most_cells) return text.error("torus of more than " + std::to_string(most_cells) + " cells");
        dimensions.push_back({static_cast<int>(size), true, default_torus_bandwidth, default_torus_latency});
    }
    return dimensions;
}

std::string one_per_dimension(std::size_t dimensions) {
    return "one for each of the " + counted(static_cast<long long>(dimensions), "dimension", "dimensions");
}

Expected<void> parse_wrap(const Located& text, std::vector<TorusDimension>& dimensions) {
    if (text.text.size() != dimensions.size()) {
        return text.error("Wrap= has " + counted(static_cast<long long>(text.text.size()), "letter", "letters") +
                          ", expected " + one_per_dimension(dimensions.size()));
    }
    for (std::size_t index = 0; index < dimensions.size(); ++index) {
        const Located letter = text.part(index, 1);
        const bool yes = same_word(letter.text, "y");
        if (!yes && !same_word(letter.text, "n"))
            return letter.error("expected y or n, found " + in_quotes(letter.text));
        dimensions[index].wrapped = yes;
    }
    return {};
}

/// Reads one value for all dimensions, or one for each, into a member of TorusDimension.
Expected<void> parse_speeds(const Located& text, std::string_view key, std::vector<TorusDimension>& dimensions) {
    const std::vector<Located> parts = split(text, ',');
    if (parts.size() != 1 && parts.size() != dimensions.size()) {
        return text.error(std::string(key) + "= has " + std::to_string(parts.size()) + " values, expected one or " +
                          one_per_dimension(dimensions.size()));
    }
    for (std::size_t index = 0; index < dimensions.size(); ++index) {
        const Located& part = parts.size() == 1 ? parts[0] : parts[index];
        ASSIGN_OR_RETURN(const auto value, key == "Bandwidth" ? parse_bandwidth(part) : parse_latency(part));
        (key == "Bandwidth" ? dimensions[index].bandwidth : dimensions[index].latency) = value;
    }
    return {};
}

Expected<Tie> parse_tie(const Located& text) {
    constexpr std::pair<std::string_view, Tie> ties[] = {
        {"positive", Tie::positive}, {"negative", Tie::negative}, {"parity", Tie::parity}};
    std::vector<std::string_view> names;
    for (const auto& [name, tie] : ties) {
        if (same_word(text.text, name)) return tie;
        names.push_back(name);
    }
    return text.error("unknown Tie " + in_quotes(text.text) + "; expected " + alternatives(names));
}

Expected<Torus> parse_torus(const Statement& statement) {
    RETURN_IF_ERROR(check_name(statement.name));
    ASSIGN_OR_RETURN(auto dimensions, parse_dims(statement.value("Dims")));
    if (statement.has("Wrap")) {
        RETURN_IF_ERROR(parse_wrap(statement.value("Wrap"), dimensions));
    }
    for (const std::string_view key : {"Bandwidth", "Latency"}) {
        if (!statement.has(key)) continue;
        RETURN_IF_ERROR(parse_speeds(statement.value(key), key, dimensions));
    }
    Tie tie = Tie::parity;
    if (statement.has("Tie")) {
        ASSIGN_OR_RETURN(tie, parse_tie(statement.value("Tie")));
    }
    return Torus(std::string(statement.name.text), std::move(dimensions), tie);
}

/// The only TorusName of the file.
Expected<const Statement*> find_torus(std::span<const Statement> statements) {
    const Statement* torus = nullptr;
    for (const Statement& statement : statements) {
        if (statement.rule->kind != StatementKind::torus_name) continue;
        if (torus) {
            return statement.word.error("second TorusName; a file describes one fabric, and the first is at " +
                                        torus->word.where().text());
        }
        torus = &statement;
    }
    return torus;
}

/// Hosts in the order of the cells, from Nodes=.
Expected<void> place_in_order(const Torus& torus, const Located& nodes, NameRegister& hosts) {
    RETURN_IF_ERROR(for_each_name(nodes, [&](std::string_view name, const Located& item) -> Expected<void> {
        RETURN_IF_ERROR(hosts.add(name, item));
        return {};
    }));
    if (hosts.names().size() == torus.cells()) return {};
    return nodes.error("Nodes= gives " + counted(hosts.names().size(), "host", "hosts") + " for " +
                       counted(torus.cells(), "cell", "cells") +
                       "; to leave cells empty, use NodeName= Coord= lines instead");
}

Expected<std::int64_t> parse_coord(const Torus& torus, const Located& text) {
    const std::vector<Located> parts = split(text, ',');
    const std::vector<TorusDimension>& dimensions = torus.dimensions();
    if (parts.size() != dimensions.size()) {
        return text.error("Coord= has " + counted(static_cast<long long>(parts.size()), "number", "numbers") +
                          ", expected " + one_per_dimension(dimensions.size()));
    }
    std::vector<int> coordinates;
    for (std::size_t index = 0; index < parts.size(); ++index) {
        ASSIGN_OR_RETURN(const auto value,
                         parse_integer(parts[index], 0, dimensions[index].size - 1, "the coordinate"));
        coordinates.push_back(static_cast<int>(value));
    }
    return torus.cell(coordinates);
}

/// Hosts at the coordinates that NodeName lines give; the cell of each in the order of the file.
Expected<std::vector<std::int64_t>> place_by_coordinates(const Torus& torus, std::span<const Statement> statements,
                                                         NameRegister& hosts) {
    std::vector<std::int64_t> cell_of_host;
    std::vector<std::int32_t> host_of_cell(torus.cells(), NameTable::missing);
    for (const Statement& statement : statements) {
        if (statement.rule->kind != StatementKind::node_name) continue;
        RETURN_IF_ERROR(check_name(statement.name));
        ASSIGN_OR_RETURN(const int host, hosts.add(statement.name.text, statement.name));
        const Located coord = statement.value("Coord");
        ASSIGN_OR_RETURN(const auto cell, parse_coord(torus, coord));
        std::int32_t& occupant = host_of_cell[cell];
        if (occupant != NameTable::missing) {
            return coord.error("coordinates " + in_quotes(coord.text) + " are given twice; first for host " +
                               in_quotes(hosts.names().name(occupant)) + " at " +
                               hosts.origin(occupant).where().text());
        }
        occupant = host;
        cell_of_host.push_back(cell);
    }
    return cell_of_host;
}

bool is_identity(const std::vector<std::int64_t>& cell_of_host, const Torus& torus) {
    for (std::size_t host = 0; host < cell_of_host.size(); ++host) {
        if (cell_of_host[host] != static_cast<std::int64_t>(host)) return false;
    }
    return static_cast<std::int64_t>(cell_of_host.size()) == torus.cells();
}

}  // namespace

Expected<Fabric> read_torus(std::span<const Statement> statements) {
    ASSIGN_OR_RETURN(const Statement* const statement, find_torus(statements));
    ASSIGN_OR_RETURN(auto torus, parse_torus(*statement));

    NameRegister hosts("host");
    std::vector<std::int64_t> cell_of_host;
    const Statement* node = nullptr;
    for (const Statement& candidate : statements) {
        if (!node && candidate.rule->kind == StatementKind::node_name) node = &candidate;
    }
    if (statement->has("Nodes")) {
        const Located nodes = statement->value("Nodes");
        if (node) {
            return node->word.error("NodeName, but the hosts of the torus are given by Nodes= at " +
                                    nodes.where().text() + "; use one of the two");
        }
        RETURN_IF_ERROR(place_in_order(torus, nodes, hosts));
    } else {
        if (!node) return statement->word.error("torus without hosts; give Nodes=, or NodeName= Coord= lines");
        ASSIGN_OR_RETURN(auto placed, place_by_coordinates(torus, statements, hosts));
        if (!is_identity(placed, torus)) cell_of_host = std::move(placed);
    }
    return Fabric{hosts.take_names(), std::move(torus), std::move(cell_of_host), 0, 0};
}

}  // namespace coll_topo
