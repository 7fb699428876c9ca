// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/network_changes.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/fabric/link_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace coll_topo::importing {

namespace {

using Ends = std::pair<std::string, std::string>;

Ends sorted_ends(std::string a, std::string b) {
    return a < b ? Ends(std::move(a), std::move(b)) : Ends(std::move(b), std::move(a));
}

/// Each direction of a cable is a link of its own; those of a host do not count.
NamedCables cables_of_torus(const Fabric& fabric) {
    const LinkGraph graph(fabric);
    NamedCables cables;
    const auto cell_name = [&](int vertex) {
        std::string name = graph.name(vertex);
        const std::string router = ".router";
        return name.ends_with(router) ? name.substr(0, name.size() - router.size()) : name;
    };
    for (int host = 0; host < fabric.hosts.size(); ++host) cables.leaf_of_host[std::string(fabric.hosts.name(host))];
    for (const Link& link : graph.links()) {
        const bool of_host = graph.hosts_have_cables() && (link.from < graph.hosts() || link.to < graph.hosts());
        if (!of_host && link.from < link.to) ++cables.switches[sorted_ends(cell_name(link.from), cell_name(link.to))];
    }
    return cables;
}

/// By switch: the numbers that `named` gives to what is connected below: hosts, or switches that have been found.
using Below = std::vector<std::vector<int>>;

Below hosts_below(const SwitchGraph& graph, const NameTable& hosts, const NameTable& numbers) {
    Below below(graph.switches.size());
    for (std::size_t host = 0; host < graph.leaf_of_host.size(); ++host) {
        const int number = numbers.find(hosts.name(static_cast<int>(host)));
        if (number != NameTable::missing) below[graph.leaf_of_host[host]].push_back(number);
    }
    return below;
}

/// The old switch that has most of these below it, if that is not one of `taken`; -1: none.
int most_in_common(const std::vector<int>& members, const std::vector<std::vector<int>>& holders_of_member,
                   const std::vector<char>& taken) {
    std::map<int, int> common;
    int best = -1;
    for (const int member : members) {
        for (const int holder : holders_of_member[member]) {
            if (taken[holder] != 0) continue;
            const int count = ++common[holder];
            if (best < 0 || count > common[best]) best = holder;
        }
    }
    return best;
}

class Namer {
public:
    Namer(const SwitchGraph& old, SwitchGraph& graph)
        : old_(old), graph_(graph), match_(graph.switches.size(), -1), taken_(old.switches.size(), 0) {
        for (int index = 0; index < graph.switches.size(); ++index) {
            const int same = old.switches.find(graph.switches.name(index));
            if (same != NameTable::missing) take(index, same);
        }
    }

    void name_leaves(const Below& old_hosts, const Below& hosts, int count) { match(old_hosts, hosts, count); }

    /// Upper switches, level by level.
    void name_uppers() {
        for (bool found = true; found;) {
            Below old_below(old_.switches.size()), below(graph_.switches.size());
            for (const SwitchLink& link : old_.links) old_below[link.to].push_back(link.from);
            for (const SwitchLink& link : graph_.links) {
                if (match_[link.from] >= 0) below[link.to].push_back(match_[link.from]);
            }
            found = match(old_below, below, old_.switches.size());
        }
    }

    void rename() {
        NameTable names;
        for (int index = 0; index < graph_.switches.size(); ++index) {
            const std::string own(match_[index] >= 0 ? old_.switches.name(match_[index]) : graph_.switches.name(index));
            for (std::string name = own; names.add(name) == NameTable::missing;) name += "-new";
        }
        graph_.switches = std::move(names);
    }

private:
    void take(int index, int old) {
        match_[index] = old;
        taken_[old] = 1;
    }

    bool match(const Below& old_below, const Below& below, int members) {
        std::vector<std::vector<int>> holders(members);
        for (std::size_t old = 0; old < old_below.size(); ++old) {
            for (const int member : old_below[old]) holders[member].push_back(static_cast<int>(old));
        }
        bool found = false;
        for (std::size_t index = 0; index < below.size(); ++index) {
            if (match_[index] >= 0 || below[index].empty()) continue;
            const int old = most_in_common(below[index], holders, taken_);
            if (old < 0) continue;
            take(static_cast<int>(index), old);
            found = true;
        }
        return found;
    }

    const SwitchGraph& old_;
    SwitchGraph& graph_;
    std::vector<int> match_;
    std::vector<char> taken_;
};

template <typename Map, typename Describe>
void compare(const Map& before, const Map& now, const Describe& describe, std::vector<std::string>& changes) {
    for (const auto& [key, value] : before) {
        const auto found = now.find(key);
        if (found == now.end() || found->second != value) {
            changes.push_back(describe(key, &value, found == now.end() ? nullptr : &found->second));
        }
    }
    for (const auto& [key, value] : now) {
        if (before.find(key) == before.end()) changes.push_back(describe(key, nullptr, &value));
    }
}

}  // namespace

NamedCables named_cables_of(const Fabric& fabric) {
    if (fabric.torus()) return cables_of_torus(fabric);
    const auto& graph = std::get<SwitchGraph>(fabric.network);
    NamedCables cables;
    for (int host = 0; host < fabric.hosts.size(); ++host) {
        cables.leaf_of_host[std::string(fabric.hosts.name(host))] =
            std::string(graph.switches.name(graph.leaf_of_host[host]));
    }
    for (const SwitchLink& link : graph.links) {
        cables.switches[sorted_ends(std::string(graph.switches.name(link.from)),
                                    std::string(graph.switches.name(link.to)))] += link.count;
    }
    return cables;
}

void take_switch_names(const Fabric& named, SwitchGraph& graph, const NameTable& hosts) {
    const auto* const old = std::get_if<SwitchGraph>(&named.network);
    if (!old) return;
    Namer namer(*old, graph);
    namer.name_leaves(hosts_below(*old, named.hosts, named.hosts), hosts_below(graph, hosts, named.hosts),
                      named.hosts.size());
    namer.name_uppers();
    namer.rename();
}

std::vector<std::string> network_changes(const Fabric& before, const Fabric& now) {
    const NamedCables old = named_cables_of(before), current = named_cables_of(now);
    std::vector<std::string> changes;
    if ((before.torus() != nullptr) != (now.torus() != nullptr)) {
        changes.push_back("it was: " + before.summary() + "; it is: " + now.summary());
        return changes;
    }
    compare(
        old.leaf_of_host, current.leaf_of_host,
        [](const std::string& host, const std::string* was, const std::string* is) {
            if (!was) return "host " + host + " is new" + (is->empty() ? "" : ", at " + *is);
            return "host " + host + (is ? " is at " + *is + ", and was at " + *was : " is gone");
        },
        changes);
    compare(
        old.switches, current.switches,
        [](const Ends& ends, const int* was, const int* is) {
            const std::string between = ends.first + " and " + ends.second;
            if (!was) return counted(*is, "new cable", "new cables") + " between " + between;
            if (!is)
                return "no cable between " + between + " any more, there " + (*was == 1 ? "was " : "were ") +
                       std::to_string(*was);
            return counted(*is, "cable", "cables") + " between " + between + ", and " + std::to_string(*was) +
                   " before";
        },
        changes);
    return changes;
}

}  // namespace coll_topo::importing
