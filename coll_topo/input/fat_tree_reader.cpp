// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/fat_tree_reader.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/fabric/finite_field.hpp"
#include "coll_topo/fabric/full_mesh.hpp"
#include "coll_topo/fabric/latin_square.hpp"
#include "coll_topo/input/cable_speed.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/name_register.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/route_reader.hpp"
#include "coll_topo/input/wording.hpp"

#include <string>
#include <utility>

namespace coll_topo {

namespace {

// Larger fat trees would have more links than a file may have.
constexpr int largest_order = 97;
constexpr int most_ports = 202;

bool is_fat_tree(const Statement& statement) {
    return statement.rule->kind == StatementKind::latin_square_name ||
           statement.rule->kind == StatementKind::full_mesh_name;
}

/// The only fat tree of the file.
Expected<const Statement*> find_fat_tree(std::span<const Statement> statements) {
    const Statement* found = nullptr;
    for (const Statement& statement : statements) {
        if (!is_fat_tree(statement)) continue;
        if (found) {
            return statement.word.error("second fat tree; a file describes one fabric, and the first is at " +
                                        found->word.where().text());
        }
        found = &statement;
    }
    return found;
}

Expected<SwitchLink> read_cable(const Statement& statement) {
    SwitchLink cable{0, 0, 1, default_fat_tree_bandwidth, default_fat_tree_latency};
    RETURN_IF_ERROR(read_cable_speed(statement, cable.bandwidth, cable.latency));
    return cable;
}

/// The value of HostsPerLeaf=, by default `full`.
Expected<int> read_hosts_per_leaf(const Statement& statement, int full, std::int64_t most) {
    if (!statement.has("HostsPerLeaf")) return full;
    ASSIGN_OR_RETURN(const auto hosts, parse_integer(statement.value("HostsPerLeaf"), 1, most, "HostsPerLeaf"));
    return static_cast<int>(hosts);
}

Expected<NameTable> read_hosts(const Located& nodes, std::int64_t leaves, int hosts_per_leaf) {
    NameRegister hosts("host");
    RETURN_IF_ERROR(for_each_name(nodes, [&](std::string_view name, const Located& item) -> Expected<void> {
        RETURN_IF_ERROR(hosts.add(name, item));
        return {};
    }));
    if (hosts.names().size() == leaves * hosts_per_leaf) return hosts.take_names();
    return nodes.error("Nodes= gives " + counted(hosts.names().size(), "host", "hosts") + ", but " +
                       std::to_string(leaves) + " leaves with HostsPerLeaf=" + std::to_string(hosts_per_leaf) +
                       " have " + std::to_string(leaves * hosts_per_leaf));
}

Expected<Fabric> read_latin_square(const Statement& statement, const SwitchLink& cable) {
    const Located text = statement.value("Order");
    ASSIGN_OR_RETURN(const auto order, parse_integer(text, 2, largest_order, "Order"));
    if (prime_of_power(static_cast<int>(order)) == 0) {
        return text.error("Order must be a prime number or a power of one, such as 3, 4 or 5, not " +
                          in_quotes(text.text));
    }
    const std::int64_t leaves = latin_square_leaves(order);
    ASSIGN_OR_RETURN(const auto per_leaf,
                     read_hosts_per_leaf(statement, static_cast<int>(order) + 1, most_names / leaves));
    ASSIGN_OR_RETURN(auto hosts, read_hosts(statement.value("Nodes"), leaves, per_leaf));
    return Fabric{std::move(hosts), latin_square(static_cast<int>(order), per_leaf, cable), {}, 0, 0};
}

Expected<Fabric> read_full_mesh(const Statement& statement, const SwitchLink& cable) {
    const Located text = statement.value("Ports");
    ASSIGN_OR_RETURN(const auto ports, parse_integer(text, 6, most_ports, "Ports"));
    if (ports % 2 != 0) return text.error("Ports must be even, not " + in_quotes(text.text));
    const FullMesh mesh = full_mesh_of_ports(static_cast<int>(ports));
    const int full = static_cast<int>(ports) / 2;  // the other half of the ports of a leaf lead to spines
    ASSIGN_OR_RETURN(const auto per_leaf, read_hosts_per_leaf(statement, full, full));
    ASSIGN_OR_RETURN(auto hosts, read_hosts(statement.value("Nodes"), mesh.leaves(), per_leaf));
    return Fabric{std::move(hosts), full_mesh(mesh, per_leaf, cable), {}, 0, 0};
}

}  // namespace

Expected<Fabric> read_fat_tree(std::span<const Statement> statements) {
    ASSIGN_OR_RETURN(const Statement* const statement, find_fat_tree(statements));
    RETURN_IF_ERROR(check_name(statement->name));
    ASSIGN_OR_RETURN(const auto cable, read_cable(*statement));
    const bool latin = statement->rule->kind == StatementKind::latin_square_name;
    ASSIGN_OR_RETURN(auto fabric, latin ? read_latin_square(*statement, cable) : read_full_mesh(*statement, cable));
    RETURN_IF_ERROR(read_routes(statements, fabric.hosts, std::get<SwitchGraph>(fabric.network)));
    return fabric;
}

}  // namespace coll_topo
