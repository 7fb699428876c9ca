// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/visiting_trees.hpp"

#include "coll_topo/algorithm/tree/box_trees.hpp"
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

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

/// One after the other along a cycle through the grid, one way round or the other; extra hosts follow their proxies.
HostTree along_cycle(const Grid& grid, int root, bool backwards) {
    Hosts hosts;
    const GridCycle cycle(grid);
    for (int position = 0; position < grid.places(); ++position) {
        hosts.push_back(cycle.place(position));
        const int extra = grid.extra_host_of(cycle.place(position));
        if (extra >= 0) hosts.push_back(extra);
    }
    std::ranges::rotate(hosts, std::ranges::find(hosts, grid.host(root)));
    if (backwards) std::reverse(hosts.begin() + 1, hosts.end());
    HostTree found{Hosts(grid.hosts(), -1), Hosts(grid.hosts(), -1)};
    for (std::size_t i = 1; i < hosts.size(); ++i) found.above[hosts[i]] = hosts[i - 1];
    if (hosts.size() > 1) found.again[hosts[0]] = hosts[1];
    return found;
}

/// `turn` of `turns` says which host comes first.
void take_turns(std::span<std::int32_t> hosts, int turn, int turns) {
    std::ranges::rotate(hosts, hosts.begin() + static_cast<std::ptrdiff_t>(hosts.size()) * turn / turns);
}

/// The hosts of each leaf, that of the root first, then by switches, in every second lane the other way round. The host
/// of the root is the first of its leaf; the others take turns. A host alone on its leaf joins another leaf's.
std::vector<Hosts> hosts_by_leaf(const Grid& grid, int root, int lane, int lanes) {
    const bool backwards = lane % 2 == 1;
    std::vector<Hosts> leaves(grid.leaves().hosts.parts());
    Hosts order;  // of leaves
    for (const std::int32_t rank : grid.ranks_by_switches()) {
        const int host = grid.host(rank), leaf = grid.leaves().leaf(host);
        if (leaves[leaf].empty()) order.push_back(leaf);
        if (leaves[leaf].empty() || leaves[leaf].back() != host) leaves[leaf].push_back(host);
    }
    const int host_of_root = grid.host(root);
    std::ranges::rotate(order, std::ranges::find(order, grid.leaves().leaf(host_of_root)));
    if (backwards) std::reverse(order.begin() + 1, order.end());
    std::vector<Hosts> units;
    for (const std::int32_t leaf : order) {
        Hosts& hosts = leaves[leaf];
        if (leaf == order.front()) {
            std::ranges::rotate(hosts, std::ranges::find(hosts, host_of_root));
            take_turns(std::span(hosts).subspan(1), lane, lanes);
        } else {
            if (backwards) std::ranges::reverse(hosts);
            take_turns(hosts, lane / 2, (lanes + 1) / 2);
        }
        const bool joins = !units.empty() && (hosts.size() == 1 || units.back().size() == 1);
        if (!joins) units.emplace_back();
        units.back().insert(units.back().end(), hosts.begin(), hosts.end());
    }
    return units;
}

/// In a binary tree of members that are numbered level by level, the one above each but the first.
constexpr std::size_t above_in_binary(std::size_t member) {
    return (member - 1) / 2;
}

/// The hosts of the root's leaf are a chain, as the root is always the first; those of others, which take turns, a
/// binary tree. At one or two ends of that other leaves begin, and at another one further visits of the leaf, so that
/// these load no more of the cables between leaves. The leaves but the root's are a binary tree too, below the second
/// host of its chain; of two lanes that go opposite ways, those that have none below in one have two in the other.
HostTree by_leaf(const Grid& grid, const std::vector<Hosts>& leaves) {
    HostTree found{Hosts(grid.hosts(), -1), Hosts(grid.hosts(), -1)};
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const Hosts& hosts = leaves[leaf];
        for (std::size_t i = 1; i < hosts.size(); ++i) {
            found.above[hosts[i]] = hosts[leaf == 0 ? i - 1 : above_in_binary(i)];
        }
        if (hosts.size() > 1) found.again[hosts.front()] = hosts.back();
        if (leaf == 0) continue;
        const Hosts& upper = leaves[leaf == 1 ? 0 : 1 + above_in_binary(leaf - 1)];
        const std::size_t end = leaf == 1 ? 1 : upper.size() / 2 + leaf % 2;
        found.above[hosts.front()] = upper[end % upper.size()];
    }
    return found;
}

/// One for each lane.
std::vector<HostTree> trees_over_hosts(const Grid& grid, int root, int lanes, VisitingTrees::Shape shape) {
    std::vector<HostTree> found;
    if (shape == VisitingTrees::Shape::box) {
        const BoxTrees trees(grid, grid.place_of(grid.host(root)), lanes);
        for (int lane = 0; lane < lanes; ++lane) found.push_back(over_box(grid, root, trees, lane % trees.trees()));
        return found;
    }
    for (int lane = 0; lane < lanes; ++lane) {
        found.push_back(grid.switched() ? by_leaf(grid, hosts_by_leaf(grid, root, lane, lanes))
                                        : along_cycle(grid, root, lane % 2 == 1));
    }
    return found;
}

int kinds_of_trees(const Grid& grid, int root, int lanes, VisitingTrees::Shape shape) {
    if (shape == VisitingTrees::Shape::circle) return std::min(lanes, 2);
    return BoxTrees(grid, grid.place_of(grid.host(root)), lanes).trees();
}

}  // namespace

int VisitingTrees::variants(const Grid& grid, int root, int lanes, Shape shape) {
    const int kinds = kinds_of_trees(grid, root, lanes, shape);
    return (lanes + kinds - 1) / kinds;
}

VisitingTrees::VisitingTrees(const Grid& grid, int root, int lanes, Shape shape, int visits, bool root_serves_host)
    : grid_(grid),
      root_(root),
      shape_(shape),
      root_serves_host_(root_serves_host),
      kinds_(kinds_of_trees(grid, root, lanes, shape)),
      trees_(trees_over_hosts(grid, root, lanes, shape)) {
    const int of_kind = variants(grid, root, lanes, shape);
    for (int lane = 0; lane < lanes; ++lane) {
        visits_.push_back(visits / of_kind + (lane / kinds_ < visits % of_kind ? 1 : 0));
    }
}

/// Ranks of a host, but for the root, that get data over the network: on the host of the root the same share of them.
int VisitingTrees::entries(int host, int lane) const {
    const int ranks = static_cast<int>(grid_.ranks_of_host(host).size());
    if (!is_of_root(host)) return std::min(visits_[lane], ranks);
    const int before = std::accumulate(visits_.begin(), visits_.begin() + lane, 0), after = before + visits_[lane];
    const int share = after * (ranks - 1) / ranks - before * (ranks - 1) / ranks;
    return std::clamp(share, root_serves_host_ ? 0 : 1, ranks - 1);
}

/// By how many ranks a lane goes on after those before it, those of the same tree first, so that all ranks of a host
/// are as often entries.
int VisitingTrees::turned(int host, int lane) const {
    const int ranks = static_cast<int>(grid_.ranks_of_host(host).size()) - (is_of_root(host) ? 1 : 0);
    const bool all = entries(host, lanes() - 1) == ranks;  // the last lanes visit least often
    int turns = 0;
    for (int kind = 0; kind <= lane % kinds_; ++kind) {
        for (int before = kind; before < lanes() && before != lane; before += kinds_) {
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
    const HostTree& hosts = trees_[lane];
    std::vector<std::vector<std::int32_t>> entries_of(grid_.hosts());  // by visit
    std::vector<std::int32_t> parents(grid_.ranks(), -1);
    for (int host = 0; host < grid_.hosts(); ++host) {
        const std::vector<std::int32_t> ranks = ranks_in_turn(host, lane);
        const int first = static_cast<int>(ranks.size()), entry_count = entries(host, lane),
                  local = first - entry_count;
        if (is_of_root(host)) entries_of[host].push_back(root_);
        entries_of[host].insert(entries_of[host].end(), ranks.begin() + local, ranks.end());
        for (int i = 0; i < local; ++i) {
            if (entry_count == 0)
                parents[ranks[i]] = i == 0 ? root_ : ranks[i - 1];
            else
                parents[ranks[i]] = ranks[i < entry_count ? local + i : i - entry_count];
        }
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
