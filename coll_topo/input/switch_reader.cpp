// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/switch_reader.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/cable_speed.hpp"
#include "coll_topo/input/doubtful_switches.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/name_register.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/route_reader.hpp"
#include "coll_topo/input/wording.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coll_topo {

namespace {

constexpr std::size_t most_links = std::size_t{1} << 20;
constexpr std::int64_t most_cables = 65535;  // between two switches
constexpr std::int64_t most_cables_in_all = std::int64_t{1} << 22;

class SwitchReader {
public:
    Expected<Fabric> read(std::span<const Statement> statements, std::vector<Error>& doubts);

private:
    Expected<void> declare(const Statement& statement);
    Expected<void> declare_upper(const Located& list);
    Expected<void> add_hosts(const Statement& statement);
    Expected<void> add_children(const Statement& statement);
    Expected<void> add_link_statement(const Statement& statement);
    Expected<void> add_link(const SwitchLink& link, const Located& origin, bool from_link_statement);
    Expected<std::vector<int>> find_switches(const Located& list) const;
    Expected<void> check_order() const;
    std::vector<Error> find_doubts(int first_implied) const;

    struct Origin {
        Located text;
        bool link_statement;
    };

    NameRegister switches_{"switch"};
    NameRegister hosts_{"host"};
    SwitchGraph graph_;
    std::vector<Origin> origins_;  // by link
    std::unordered_map<std::uint64_t, int> link_of_pair_;
    std::int64_t cables_ = 0;
};

/// Switches are declared before anything refers to them, so that the order of the lines is free.
Expected<Fabric> SwitchReader::read(std::span<const Statement> statements, std::vector<Error>& doubts) {
    const auto for_all = [&](StatementKind kind, auto&& step) -> Expected<void> {
        for (const Statement& statement : statements) {
            if (statement.rule->kind != kind) continue;
            RETURN_IF_ERROR(step(statement));
        }
        return {};
    };
    const auto declare_ends = [&](const Statement& line) { return declare_upper(line.value("To")); };
    RETURN_IF_ERROR(for_all(StatementKind::switch_name, [&](const Statement& line) { return declare(line); }));
    const int first_implied = switches_.names().size();
    RETURN_IF_ERROR(for_all(StatementKind::link, declare_ends));
    RETURN_IF_ERROR(for_all(StatementKind::switch_name, [&](const Statement& line) { return add_hosts(line); }));
    RETURN_IF_ERROR(for_all(StatementKind::switch_name, [&](const Statement& line) { return add_children(line); }));
    RETURN_IF_ERROR(for_all(StatementKind::link, [&](const Statement& line) { return add_link_statement(line); }));
    if (hosts_.names().size() == 0) {
        return statements.front().word.error("no hosts; give Nodes= to the switches that hosts are connected to");
    }

    graph_.switches = switches_.take_names();
    RETURN_IF_ERROR(check_order());
    doubts = find_doubts(first_implied);
    RETURN_IF_ERROR(read_routes(statements, hosts_.names(), graph_));
    return Fabric{hosts_.take_names(), std::move(graph_), {}, 0, 0};
}

Expected<void> SwitchReader::declare(const Statement& statement) {
    RETURN_IF_ERROR(check_name(statement.name));
    if (statement.has("Nodes") && statement.has("Switches")) {
        return statement.value("Switches").error("a switch has Nodes= or Switches=, not both");
    }
    RETURN_IF_ERROR(switches_.add(statement.name.text, statement.name));
    return {};
}

/// A spine has nothing to say of its own; being the upper end of a Link declares it.
Expected<void> SwitchReader::declare_upper(const Located& list) {
    return for_each_name(list, [&](std::string_view name, const Located& item) -> Expected<void> {
        if (switches_.names().find(name) != NameTable::missing) return {};
        RETURN_IF_ERROR(switches_.add(name, item));
        return {};
    });
}

Expected<void> SwitchReader::add_hosts(const Statement& statement) {
    if (!statement.has("Nodes")) return {};
    const int leaf = switches_.names().find(statement.name.text);
    return for_each_name(statement.value("Nodes"), [&](std::string_view name, const Located& item) -> Expected<void> {
        RETURN_IF_ERROR(hosts_.add(name, item));
        graph_.leaf_of_host.push_back(leaf);
        return {};
    });
}

Expected<void> SwitchReader::add_children(const Statement& statement) {
    if (!statement.has("Switches")) return {};
    const int parent = switches_.names().find(statement.name.text);
    const Located list = statement.value("Switches");
    ASSIGN_OR_RETURN(const auto children, find_switches(list));
    for (const int child : children) {
        RETURN_IF_ERROR(add_link({child, parent, 1, 0, 0}, list, false));
    }
    return {};
}

Expected<void> SwitchReader::add_link_statement(const Statement& statement) {
    SwitchLink link;
    if (statement.has("Count")) {
        ASSIGN_OR_RETURN(const auto count, parse_integer(statement.value("Count"), 1, most_cables, "Count"));
        link.count = static_cast<int>(count);
    }
    RETURN_IF_ERROR(read_cable_speed(statement, link.bandwidth, link.latency));
    ASSIGN_OR_RETURN(const auto lower, find_switches(statement.value("From")));
    ASSIGN_OR_RETURN(const auto upper, find_switches(statement.value("To")));
    for (const int from : lower) {
        for (const int to : upper) {
            link.from = from;
            link.to = to;
            RETURN_IF_ERROR(add_link(link, statement.word, true));
        }
    }
    return {};
}

Expected<void> SwitchReader::add_link(const SwitchLink& link, const Located& origin, bool from_link_statement) {
    if (graph_.links.size() >= most_links) {
        return origin.error("more than " + std::to_string(most_links) + " pairs of switches with links");
    }
    cables_ += link.count;
    if (cables_ > most_cables_in_all) {
        return origin.error("more than " + std::to_string(most_cables_in_all) + " cables between switches");
    }
    const std::uint64_t pair = static_cast<std::uint64_t>(link.from) << 32 | static_cast<std::uint32_t>(link.to);
    const auto [place, is_new] = link_of_pair_.try_emplace(pair, static_cast<int>(graph_.links.size()));
    if (is_new) {
        graph_.links.push_back(link);
        origins_.push_back({origin, from_link_statement});
        return {};
    }
    Origin& first = origins_[place->second];
    if (from_link_statement && !first.link_statement) {
        // A Link line tells the speed of what Switches= has connected before.
        graph_.links[place->second] = link;
        first = {origin, true};
        return {};
    }
    return origin.error("switches " + in_quotes(switches_.names().name(link.from)) + " and " +
                        in_quotes(switches_.names().name(link.to)) + " are connected twice; first at " +
                        first.text.where().text() + "; for parallel cables, use Link with Count=");
}

Expected<std::vector<int>> SwitchReader::find_switches(const Located& list) const {
    std::vector<int> found;
    RETURN_IF_ERROR(for_each_name(list, [&](std::string_view name, const Located& item) -> Expected<void> {
        found.push_back(switches_.names().find(name));
        if (found.back() != NameTable::missing) return {};
        return item.error("switch " + in_quotes(name) +
                          " is not defined; expected a line SwitchName=" + std::string(name));
    }));
    return found;
}

std::vector<Error> SwitchReader::find_doubts(int first_implied) const {
    std::vector<const char*> statement_of_link;
    for (const Origin& origin : origins_) statement_of_link.push_back(origin.text.text.data());
    return doubtful_switches(graph_, switches_, first_implied, statement_of_link);
}

Expected<void> SwitchReader::check_order() const {
    constexpr std::size_t most_shown = 8;
    const std::vector<int> cycle = find_cycle(graph_);
    if (cycle.empty()) return {};
    std::string text;
    for (std::size_t index = 0; index < cycle.size() && index < most_shown; ++index) {
        text += in_quotes(graph_.switches.name(graph_.links[cycle[index]].from)) + " is below ";
    }
    const bool all_shown = cycle.size() <= most_shown;
    text += all_shown ? in_quotes(graph_.switches.name(graph_.links[cycle[0]].from)) : std::string("others");
    return origins_[cycle[0]].text.error("switches in a circle: " + text);
}

}  // namespace

Expected<Fabric> read_switches(std::span<const Statement> statements, std::vector<Error>& doubts) {
    return SwitchReader().read(statements, doubts);
}

}  // namespace coll_topo
