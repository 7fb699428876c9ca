// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/visiting_trees.hpp"

#include "coll_topo/algorithm/tree/box_trees.hpp"
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

using Hosts = std::vector<std::int32_t>;

/// The host of a place that is nearer to the root, where it has an extra host.
int upper_host(const Grid& grid, int root, int place) {
    const int host_of_root = grid.host(root);
    return grid.place_of(host_of_root) == place ? host_of_root : place;
}

HostTree over_box(const Grid& grid, int root, const BoxTrees& trees, int tree) {
    HostTree found{Hosts(grid.hosts(), -1), Hosts(grid.hosts(), -1)};
    const int host_of_root = grid.host(root);
    for (int place = 0; place < grid.places(); ++place) {
        const int upper = upper_host(grid, root, place), above = trees.parent(tree, place);
        if (above >= 0) found.above[upper] = upper_host(grid, root, above);
        const int lower = upper == place ? grid.extra_host_of(place) : place;
        if (lower >= 0) found.above[lower] = upper;
    }
    std::vector<int> children;
    trees.add_children(tree, grid.place_of(host_of_root), children);
    if (!children.empty()) found.again[host_of_root] = children.front();
    return found;
}

/// All hosts from that of the root on, as cables join them, one way round or the other; extra hosts follow their
/// proxies, and the hosts of the root's leaf the root.
Hosts circle(const Grid& grid, int root, bool backwards) {
    Hosts hosts;
    const auto add = [&](int host) {
        if (host >= 0 && (hosts.empty() || hosts.back() != host)) hosts.push_back(host);
    };
    if (grid.switched()) {
        for (const std::int32_t rank : grid.ranks_by_switches()) add(grid.host(rank));
    } else {
        const GridCycle cycle(grid);
        for (int position = 0; position < grid.places(); ++position) {
            add(cycle.place(position));
            add(grid.extra_host_of(cycle.place(position)));
        }
    }
    const int host_of_root = grid.host(root);
    std::ranges::rotate(hosts, std::ranges::find(hosts, host_of_root));
    auto rest = hosts.begin() + 1;
    if (grid.switched()) {
        const int leaf = grid.leaves().leaf(host_of_root);
        // Hosts of the leaf before the root are the last ones now.
        const auto elsewhere = [&](std::int32_t host) { return grid.leaves().leaf(host) != leaf; };
        rest = std::find_if(rest, hosts.end(), elsewhere);
        const auto again = std::find_if_not(rest, hosts.end(), elsewhere);
        const auto count = hosts.end() - again;
        std::rotate(rest, again, hosts.end());
        rest += count;
    }
    if (backwards) {
        std::reverse(hosts.begin() + 1, rest);
        std::reverse(rest, hosts.end());
    }
    return hosts;
}

/// Hosts of the circle one after the other. Through switches each visit but the first goes round within a leaf, so that
/// the cables between leaves carry no more.
HostTree round_circle(const Grid& grid, const Hosts& hosts) {
    HostTree found{Hosts(grid.hosts(), -1), Hosts(grid.hosts(), -1)};
    const std::size_t count = hosts.size();
    for (std::size_t i = 1; i < count; ++i) found.above[hosts[i]] = hosts[i - 1];
    if (!grid.switched()) {
        if (count > 1) found.again[hosts[0]] = hosts[1];
        return found;
    }
    const auto leaf = [&](std::size_t i) { return grid.leaves().leaf(hosts[i]); };
    for (std::size_t begin = 0; begin + 1 < count;) {
        // A host alone on its leaf goes round with the next ones, and the last ones with those before.
        std::size_t end = begin + 2;
        while (end < count && (leaf(end) == leaf(end - 1) || end + 1 == count)) ++end;
        found.again[hosts[begin]] = hosts[end - 1];
        begin = end;
    }
    return found;
}

std::vector<HostTree> trees_over_hosts(const Grid& grid, int root, int lanes, VisitingTrees::Shape shape) {
    std::vector<HostTree> found;
    if (shape == VisitingTrees::Shape::box) {
        const BoxTrees trees(grid, grid.place_of(grid.host(root)), lanes);
        for (int tree = 0; tree < trees.trees(); ++tree) found.push_back(over_box(grid, root, trees, tree));
        return found;
    }
    for (int way = 0; way < std::min(lanes, 2); ++way)
        found.push_back(round_circle(grid, circle(grid, root, way == 1)));
    return found;
}

}  // namespace

int VisitingTrees::variants(const Grid& grid, int root, int lanes, Shape shape) {
    const int trees =
        shape == Shape::circle ? std::min(lanes, 2) : BoxTrees(grid, grid.place_of(grid.host(root)), lanes).trees();
    return (lanes + trees - 1) / trees;
}

VisitingTrees::VisitingTrees(const Grid& grid, int root, int lanes, Shape shape, int visits)
    : grid_(grid), root_(root), trees_(trees_over_hosts(grid, root, lanes, shape)) {
    const int trees = static_cast<int>(trees_.size()), of_tree = (lanes + trees - 1) / trees;
    for (int lane = 0; lane < lanes; ++lane) {
        visits_.push_back(visits / of_tree + (lane / trees < visits % of_tree ? 1 : 0));
    }
}

/// Ranks of a host, but for the root, that get data over the network.
int VisitingTrees::entries(int host, int lane) const {
    const int ranks = static_cast<int>(grid_.ranks_of_host(host).size());
    return std::min(visits_[lane], is_of_root(host) ? ranks - 1 : ranks);
}

/// By how many ranks a lane goes on after those before it, those of the same tree first, so that all ranks of a host
/// are as often entries.
int VisitingTrees::turned(int host, int lane) const {
    const int ranks = static_cast<int>(grid_.ranks_of_host(host).size()) - (is_of_root(host) ? 1 : 0);
    const int trees = static_cast<int>(trees_.size());
    const bool all = entries(host, lanes() - 1) == ranks;  // the last lanes visit least often
    int turns = 0;
    for (int before_tree = 0; before_tree <= tree(lane); ++before_tree) {
        for (int before = before_tree; before < lanes(); before += trees) {
            if (before_tree == tree(lane) && before >= lane) break;
            turns += all ? 1 : ranks - entries(host, before);
        }
    }
    return turns;
}

/// The ranks of a host but for the root, first those that get nothing over the network, then the entries by visit.
std::vector<std::int32_t> VisitingTrees::ranks_in_turn(int host, int lane) const {
    std::vector<std::int32_t> ranks;
    for (const std::int32_t rank : grid_.ranks_of_host(host)) {
        if (rank != root_) ranks.push_back(rank);
    }
    if (!ranks.empty()) std::ranges::rotate(ranks, ranks.begin() + turned(host, lane) % ranks.size());
    return ranks;
}

std::vector<std::int32_t> VisitingTrees::parents(int lane) const {
    const HostTree& hosts = trees_[tree(lane)];
    std::vector<std::vector<std::int32_t>> entries_of(grid_.hosts());  // by visit
    std::vector<std::int32_t> parents(grid_.ranks(), -1);
    for (int host = 0; host < grid_.hosts(); ++host) {
        const std::vector<std::int32_t> ranks = ranks_in_turn(host, lane);
        const int first = static_cast<int>(ranks.size()), entry_count = entries(host, lane),
                  local = first - entry_count;
        if (is_of_root(host)) entries_of[host].push_back(root_);
        entries_of[host].insert(entries_of[host].end(), ranks.begin() + local, ranks.end());
        for (int i = 0; i < local; ++i) parents[ranks[i]] = ranks[i < entry_count ? local + i : i - entry_count];
    }
    for (int host = 0; host < grid_.hosts(); ++host) {
        const auto& entries = entries_of[host];
        for (int visit = is_of_root(host) ? 1 : 0; visit < static_cast<int>(entries.size()); ++visit) {
            const bool further = visit > 0 && (hosts.again[host] >= 0 || is_of_root(host));
            // Alone, the host of the root has no other to come back from.
            const int from = !further ? hosts.above[host] : hosts.again[host] >= 0 ? hosts.again[host] : host;
            parents[entries[visit]] = entries_of[from][further ? visit - 1 : visit];
        }
    }
    return parents;
}

}  // namespace coll_topo
