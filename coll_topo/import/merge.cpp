// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/merge.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/network_changes.hpp"
#include "coll_topo/import/text_changes.hpp"
#include "coll_topo/import/topology_text.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/input/topology_grammar.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace coll_topo::importing {

namespace {

bool is_network(StatementKind kind) {
    return kind != StatementKind::host_link && kind != StatementKind::host_address && kind != StatementKind::machine &&
           kind != StatementKind::route;
}

using Pair = std::pair<std::string, std::string>;  // lower, upper

class Merger {
public:
    Merger(std::string_view text, const std::string& name, const Fabric& before, const Fabric& now)
        : text_(text), name_(name), before_(before), now_(now), changes_(text) {}

    Expected<std::string> merge() {
        RETURN_IF_ERROR(source_.read_text(text_, name_));
        for (int i = 0; i < source_.lines(); ++i) {
            ASSIGN_OR_RETURN(const auto statement, parse_statement(source_.line(i), topology_grammar()));
            if (!is_network(statement.rule->kind)) continue;
            if (statement.word.where().file != name_) {
                return statement.word.error("the network has changed, and this is in an included file; move it to " +
                                            name_);
            }
            statements_.push_back({statement, source_.line(i)});
        }
        const bool by_statement =
            !now_.torus() && std::all_of(statements_.begin(), statements_.end(), [](const auto& one) {
                const StatementKind kind = one.statement.rule->kind;
                return kind == StatementKind::switch_name || kind == StatementKind::link;
            });
        RETURN_IF_ERROR(by_statement ? merge_switches() : replace_network());
        return changes_.result();
    }

private:
    struct Placed {
        Statement statement;
        Located line;
    };

    /// With the line, if there is nothing else in it.
    void erase(const Placed& one) {
        const std::size_t begin = changes_.offset(one.line.where()), end = changes_.end_of(one.line);
        const std::size_t next = text_.find_first_not_of(" \t\r", end);
        const bool alone = next < text_.size() && text_[next] == '\n' && (begin == 0 || text_[begin - 1] == '\n');
        changes_.replace(begin, alone ? next + 1 : end, "");
    }

    /// Another kind of network, or one that a single statement describes: new lines in the place of the first.
    Expected<void> replace_network() {
        Fabric network = now_;
        network.host_bandwidth = network.host_latency = 0;
        if (before_.torus() && now_.torus()) network.network = with_old_speeds(*before_.torus(), *now_.torus());
        for (const Placed& one : statements_) erase(one);
        std::string lines = topology_text(network);
        lines.pop_back();
        const Located& first = statements_.front().line;
        changes_.replace(changes_.offset(first.where()), changes_.end_of(first), std::move(lines));
        return {};
    }

    Expected<void> merge_switches() {
        collect();
        std::size_t last_switch = 0, last_link = 0;
        for (const Placed& one : statements_) {
            const bool is_switch = one.statement.rule->kind == StatementKind::switch_name;
            RETURN_IF_ERROR(is_switch ? merge_switch(one) : merge_link(one));
            (is_switch ? last_switch : last_link) = changes_.end_of(one.line);
        }
        const NameTable& old_switches = std::get<SwitchGraph>(before_.network).switches;
        std::string lines;
        for (int index = 0; index < graph().switches.size(); ++index) {
            const std::string name(graph().switches.name(index));
            if (described_.count(name) > 0 || old_switches.find(name) != NameTable::missing) continue;
            const auto hosts = hosts_.find(name);
            lines += "SwitchName=" + name;
            lines += (hosts == hosts_.end() ? "" : " Nodes=" + hostlist_text(hosts->second)) + '\n';
        }
        changes_.add_lines_after(last_switch, lines);
        std::vector<SwitchLink> links;
        for (const SwitchLink& link : graph().links) {
            if (covered_.count(pair_of(link)) == 0) links.push_back(with_old_speed(link));
        }
        changes_.add_lines_after(std::max(last_link, last_switch), link_lines(graph().switches, std::move(links)));
        return {};
    }

    /// A torus of the same shape keeps its name and speeds, another one its name.
    static Torus with_old_speeds(const Torus& old, const Torus& now) {
        const bool same_shape = std::equal(
            old.dimensions().begin(), old.dimensions().end(), now.dimensions().begin(), now.dimensions().end(),
            [](const auto& a, const auto& b) { return a.size == b.size && a.wrapped == b.wrapped; });
        return {old.name(), same_shape ? old.dimensions() : now.dimensions(), old.tie()};
    }

    const SwitchGraph& graph() const { return std::get<SwitchGraph>(now_.network); }
    Pair pair_of(const SwitchLink& link) const {
        return {std::string(graph().switches.name(link.from)), std::string(graph().switches.name(link.to))};
    }

    /// What there is now, and what was known of its speed.
    void collect() {
        for (std::size_t host = 0; host < graph().leaf_of_host.size(); ++host) {
            hosts_[std::string(graph().switches.name(graph().leaf_of_host[host]))].emplace_back(
                now_.hosts.name(static_cast<int>(host)));
        }
        for (const SwitchLink& link : graph().links) count_[pair_of(link)] = link.count;
        const auto& old = std::get<SwitchGraph>(before_.network);
        for (const SwitchLink& link : old.links) {
            old_[{std::string(old.switches.name(link.from)), std::string(old.switches.name(link.to))}] = link;
        }
    }

    SwitchLink with_old_speed(SwitchLink link) const {
        const auto known = old_.find(pair_of(link));
        if (known == old_.end()) return link;
        link.bandwidth = known->second.bandwidth > 0 ? known->second.bandwidth : link.bandwidth;
        link.latency = known->second.latency > 0 ? known->second.latency : link.latency;
        return link;
    }

    static Expected<std::vector<std::string>> names(const Located& list) {
        std::vector<std::string> found;
        if (list.text.data() == nullptr) return found;
        RETURN_IF_ERROR(for_each_name(list, [&](std::string_view name, const Located&) -> Expected<void> {
            found.emplace_back(name);
            return {};
        }));
        return found;
    }

    Expected<void> merge_switch(const Placed& one) {
        const std::string name(one.statement.name.text);
        if (graph().switches.find(name) == NameTable::missing) {
            erase(one);
            return {};
        }
        ASSIGN_OR_RETURN(auto nodes, names(one.statement.value("Nodes")));
        ASSIGN_OR_RETURN(const auto children, names(one.statement.value("Switches")));
        const std::vector<std::string> hosts = hosts_.count(name) > 0 ? hosts_[name] : std::vector<std::string>();
        std::vector<std::string> left;
        for (const std::string& child : children) {
            const auto count = count_.find({child, name});
            if (count == count_.end()) continue;
            left.push_back(child);
            if (count->second == 1) covered_.insert({child, name});
        }
        const bool same_hosts = std::set(nodes.begin(), nodes.end()) == std::set(hosts.begin(), hosts.end());
        described_.insert(name);
        if (same_hosts && left.size() == children.size()) return {};
        std::string statement = "SwitchName=" + name;
        if (!hosts.empty()) {
            // The order that a person chose counts: hosts that are still there first.
            std::erase_if(nodes,
                          [&](const auto& node) { return std::find(hosts.begin(), hosts.end(), node) == hosts.end(); });
            for (const std::string& host : hosts) {
                if (std::find(nodes.begin(), nodes.end(), host) == nodes.end()) nodes.push_back(host);
            }
            statement += " Nodes=" + hostlist_text(nodes);
            for (const std::string& child : left) covered_.erase({child, name});
        } else if (!left.empty()) {
            statement += " Switches=" + hostlist_text(left);
        }
        changes_.replace(changes_.offset(one.line.where()), changes_.end_of(one.line), std::move(statement));
        return {};
    }

    Expected<void> merge_link(const Placed& one) {
        ASSIGN_OR_RETURN(const auto lower, names(one.statement.value("From")));
        ASSIGN_OR_RETURN(const auto upper, names(one.statement.value("To")));
        std::vector<Pair> pairs;
        bool all_true = true;
        for (const std::string& from : lower) {
            for (const std::string& to : upper) {
                pairs.emplace_back(from, to);
                const auto now = count_.find(pairs.back());
                all_true = all_true && now != count_.end() && now->second == old_.at(pairs.back()).count;
            }
        }
        if (all_true) {
            covered_.insert(pairs.begin(), pairs.end());
        } else {
            erase(one);
        }
        return {};
    }

    std::string_view text_;
    const std::string& name_;
    const Fabric& before_;
    const Fabric& now_;
    TextChanges changes_;
    SourceText source_;
    std::vector<Placed> statements_;
    std::map<std::string, std::vector<std::string>> hosts_;  // by switch
    std::map<Pair, int> count_;
    std::map<Pair, SwitchLink> old_;
    std::set<std::string> described_;  // switches with a statement
    std::set<Pair> covered_;           // pairs with a statement
};

}  // namespace

Expected<std::string> merged_text(std::string_view text, const std::string& name, const Fabric& before,
                                  const Fabric& now) {
    if (network_changes(before, now).empty()) return std::string(text);
    auto merged = Merger(text, name, before, now).merge();
    RETURN_IF_ERROR(merged);
    const auto read = read_topology_text(*merged, name);
    if (!read) {
        return failure("with the changes of the network the file is wrong, correct it by hand: " + read.error().message,
                       read.error().where);
    }
    if (!network_changes(read->fabric, now).empty()) {
        return failure("the changes cannot be put into this file; import the network anew", {name});
    }
    return merged;
}

}  // namespace coll_topo::importing
