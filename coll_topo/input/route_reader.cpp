// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/route_reader.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/fabric/switch_routing.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo {

namespace {

constexpr std::size_t most_routes = std::size_t{1} << 22;

class RouteReader {
public:
    RouteReader(const NameTable& hosts, SwitchGraph& graph);
    Expected<void> add(const Statement& statement);
    Expected<void> finish();

private:
    struct Given {
        GivenRoute route;
        Located origin;  // the statement
    };

    Expected<std::vector<int>> find_hosts(const Located& list) const;
    Expected<std::vector<int>> find_switches(const Located& list) const;
    Expected<void> add_at(int at, int via, const std::vector<int>& hosts, const Statement& statement);
    Expected<int> read_cable(const Statement& statement, int link) const;
    tl::unexpected<Error> lost_error(const LostMessages& lost) const;

    const NameTable& hosts_;
    SwitchGraph& graph_;
    std::map<std::pair<int, int>, int> link_of_pair_;  // lower and upper switch
    std::vector<Given> given_;
};

RouteReader::RouteReader(const NameTable& hosts, SwitchGraph& graph) : hosts_(hosts), graph_(graph) {
    for (std::size_t link = 0; link < graph.links.size(); ++link) {
        link_of_pair_.emplace(std::pair(graph.links[link].from, graph.links[link].to), static_cast<int>(link));
    }
}

Expected<std::vector<int>> find(const Located& list, NameForm form, const NameTable& names, const std::string& kind) {
    std::vector<int> found;
    const auto visit = [&](std::string_view name, const Located& item) -> Expected<void> {
        found.push_back(names.find(name));
        if (found.back() != NameTable::missing) return {};
        return item.error("there is no " + kind + ' ' + in_quotes(name) + " in this file");
    };
    RETURN_IF_ERROR(for_each_name(list, visit, form));
    return found;
}

Expected<std::vector<int>> RouteReader::find_hosts(const Located& list) const {
    return find(list, NameForm::plain, hosts_, "host");
}

/// Those of generated fat trees have coordinates in their names.
Expected<std::vector<int>> RouteReader::find_switches(const Located& list) const {
    return find(list, NameForm::with_coordinates, graph_.switches, "switch");
}

Expected<void> RouteReader::add(const Statement& statement) {
    ASSIGN_OR_RETURN(const auto at, find_switches(statement.value("At")));
    ASSIGN_OR_RETURN(const auto to, find_hosts(statement.value("To")));
    ASSIGN_OR_RETURN(const auto via, find_switches(statement.value("Via")));
    if (via.size() > 1) return statement.value("Via").error("Via= takes one switch");
    for (const int index : at) {
        RETURN_IF_ERROR(add_at(index, via.front(), to, statement));
    }
    return {};
}

Expected<void> RouteReader::add_at(int at, int via, const std::vector<int>& hosts, const Statement& statement) {
    const auto up = link_of_pair_.find({at, via}), down = link_of_pair_.find({via, at});
    if (up == link_of_pair_.end() && down == link_of_pair_.end()) {
        return statement.value("Via").error("no cable between switches " + in_quotes(graph_.switches.name(at)) +
                                            " and " + in_quotes(graph_.switches.name(via)));
    }
    const int link = (up != link_of_pair_.end() ? up : down)->second;
    ASSIGN_OR_RETURN(const auto cable, read_cable(statement, link));
    if (given_.size() + hosts.size() > most_routes) {
        return statement.word.error("more than " + std::to_string(most_routes) +
                                    " routes, counting each switch in At= "
                                    "with each host in To=");
    }
    for (const int host : hosts) {
        if (graph_.leaf_of_host[host] == at) {
            return statement.value("To").error("host " + in_quotes(hosts_.name(host)) + " is connected to switch " +
                                               in_quotes(graph_.switches.name(at)) + ", which needs no route to it");
        }
        given_.push_back({{at, host, link, cable}, statement.word});
    }
    return {};
}

/// The number of a cable from 0; -1 if the statement has none.
Expected<int> RouteReader::read_cable(const Statement& statement, int link) const {
    if (!statement.has("Cable")) return -1;
    ASSIGN_OR_RETURN(const auto cable, parse_integer(statement.value("Cable"), 1, graph_.links[link].count, "Cable"));
    return static_cast<int>(cable) - 1;
}

Expected<void> RouteReader::finish() {
    std::stable_sort(given_.begin(), given_.end(), [](const Given& a, const Given& b) { return a.route < b.route; });
    const auto twice = std::adjacent_find(given_.begin(), given_.end(), [](const Given& a, const Given& b) {
        return a.route.at == b.route.at && a.route.host == b.route.host;
    });
    if (twice != given_.end()) {
        return (twice + 1)->origin.error(
            "second route from switch " + in_quotes(graph_.switches.name(twice->route.at)) + " to host " +
            in_quotes(hosts_.name(twice->route.host)) + "; the first is at " + twice->origin.where().text());
    }
    for (const Given& given : given_) graph_.routes.push_back(given.route);
    const auto lost = find_lost_messages(graph_);
    if (lost) return lost_error(*lost);
    return {};
}

tl::unexpected<Error> RouteReader::lost_error(const LostMessages& lost) const {
    constexpr std::size_t most_shown = 8;
    const GivenRoute first{lost.switches.front(), lost.host, 0, 0};
    const auto given =
        std::lower_bound(given_.begin(), given_.end(), first,
                         [](const Given& entry, const GivenRoute& route) { return entry.route < route; });
    const std::string host = in_quotes(hosts_.name(lost.host));
    if (!lost.circle) {
        return given->origin.error("messages to host " + host + " end at switch " +
                                   in_quotes(graph_.switches.name(lost.switches.back())) +
                                   ", from which no cables lead to the host; connect the switches, or leave out the "
                                   "route");
    }
    std::string way;
    for (std::size_t index = 0; index < std::min(lost.switches.size(), most_shown); ++index) {
        way += in_quotes(graph_.switches.name(lost.switches[index])) + ", ";
    }
    way += lost.switches.size() > most_shown ? "others" : in_quotes(graph_.switches.name(lost.switches.front()));
    return given->origin.error("messages to host " + host + " go in a circle: " + way +
                               "; give a Route at one of these switches that leads out of it");
}

}  // namespace

Expected<void> read_routes(std::span<const Statement> statements, const NameTable& hosts, SwitchGraph& graph) {
    const auto is_route = [](const Statement& statement) { return statement.rule->kind == StatementKind::route; };
    if (std::none_of(statements.begin(), statements.end(), is_route)) return {};
    RouteReader reader(hosts, graph);
    for (const Statement& statement : statements) {
        if (!is_route(statement)) continue;
        RETURN_IF_ERROR(reader.add(statement));
    }
    return reader.finish();
}

}  // namespace coll_topo
