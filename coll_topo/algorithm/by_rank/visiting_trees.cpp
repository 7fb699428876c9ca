// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/visiting_trees.hpp"

#include "coll_topo/algorithm/by_rank/leaf_trees.hpp"
#include "coll_topo/algorithm/by_rank/packed_cycle.hpp"
#include "coll_topo/algorithm/by_rank/packed_trees.hpp"
#include "coll_topo/algorithm/tree/box_trees.hpp"
#include "coll_topo/algorithm/tree/grid_cycle.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace coll_topo {
namespace {

using Hosts = std::vector<std::int32_t>;

/// The host of a place that is nearer to the root, where it has an extra host.
int upper_host(const Grid& grid, int root, int place) {
    const int host_of_root = grid.host(root);
    return grid.place_of(host_of_root) == place ? host_of_root : place;
}

HostTree over_box(const Grid& grid, int root, const BoxTrees& trees, int tree) {
    HostTree::Visit found{Hosts(grid.hosts(), -1), Hosts(grid.hosts(), -1)};
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
    return HostTree({found});
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
    HostTree::Visit found{Hosts(grid.hosts(), -1), Hosts(grid.hosts(), -1)};
    for (std::size_t i = 1; i < hosts.size(); ++i) found.above[hosts[i]] = hosts[i - 1];
    if (hosts.size() > 1) found.again[hosts[0]] = hosts[1];
    return HostTree({found});
}

/// One for each lane.
std::vector<HostTree> packed_host_trees(const Grid& grid, int root, int lanes, Collective collective) {
    std::vector<HostTree> trees;
    const int host_of_root = grid.host(root);
    for (const HostParents& above : packed_trees(grid, host_of_root, lanes, collective)) {
        HostTree::Visit found{above, Hosts(grid.hosts(), -1)};
        const auto first = std::ranges::find(found.above, host_of_root);
        found.again[host_of_root] = static_cast<std::int32_t>(first - found.above.begin());
        trees.push_back(HostTree({std::move(found)}));
    }
    return trees;
}

int kinds_of_trees(const Grid& grid, int root, int lanes, VisitingTrees::Shape shape) {
    if (shape == VisitingTrees::Shape::packed) return lanes;
    if (shape == VisitingTrees::Shape::circle) return std::min(lanes, 2);
    return BoxTrees(grid, grid.place_of(grid.host(root)), lanes).trees();
}

/// Those of each lane, if the lanes of a kind of tree have so many together.
std::vector<int> visits_of_lanes(int lanes, int kinds, int visits) {
    const int of_kind = (lanes + kinds - 1) / kinds;
    std::vector<int> of_lanes;
    for (int lane = 0; lane < lanes; ++lane) {
        of_lanes.push_back(visits / of_kind + (lane / kinds < visits % of_kind ? 1 : 0));
    }
    return of_lanes;
}

}  // namespace

int VisitingTrees::variants(const Grid& grid, int root, int lanes, Shape shape) {
    const int kinds = kinds_of_trees(grid, root, lanes, shape);
    return (lanes + kinds - 1) / kinds;
}

bool VisitingTrees::can_be_packed(const Grid& grid) {
    constexpr int most_hosts = 512;
    return grid.hosts() <= most_hosts && lacks_cycle(grid);
}

VisitingTrees::VisitingTrees(const Grid& grid, int root, int lanes, Shape shape, int visits, Collective collective)
    : grid_(grid),
      root_(root),
      shape_(shape),
      collective_(collective),
      kinds_(kinds_of_trees(grid, root, lanes, shape)),
      visits_(visits_of_lanes(lanes, kinds_, visits)) {
    for (int lane = 0; lane < lanes; ++lane) within_.push_back(ranks_of_hosts(lane));
    trees_ = trees_over_hosts();
}

/// Ranks of a host, but for the root, that get data over the network: on the host of the root the same share of them.
int VisitingTrees::entries(int host, int lane) const {
    const int ranks = static_cast<int>(grid_.ranks_of_host(host).size());
    if (!is_of_root(host)) return std::min(visits_[lane], ranks);
    const int before = std::accumulate(visits_.begin(), visits_.begin() + lane, 0), after = before + visits_[lane];
    const int share = after * (ranks - 1) / ranks - before * (ranks - 1) / ranks;
    return std::min(std::max(share, collective_ == Collective::bcast ? 0 : 1), ranks - 1);
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

RanksOfHosts VisitingTrees::ranks_of_hosts(int lane) const {
    RanksOfHosts found;
    found.entries.resize(grid_.hosts());
    found.parents.assign(grid_.ranks(), -1);
    for (int host = 0; host < grid_.hosts(); ++host) {
        const std::vector<std::int32_t> ranks = ranks_in_turn(host, lane);
        const int entry_count = entries(host, lane), local = static_cast<int>(ranks.size()) - entry_count;
        if (is_of_root(host)) found.entries[host].push_back(root_);
        found.entries[host].insert(found.entries[host].end(), ranks.begin() + local, ranks.end());
        for (int i = 0; i < local; ++i) {
            if (entry_count == 0)
                found.parents[ranks[i]] = i == 0 ? root_ : ranks[i - 1];
            else
                found.parents[ranks[i]] = ranks[i < entry_count ? local + i : i - entry_count];
        }
    }
    return found;
}

/// One for each lane.
std::vector<HostTree> VisitingTrees::trees_over_hosts() const {
    std::vector<HostTree> found;
    if (shape_ == Shape::box) {
        const BoxTrees trees(grid_, grid_.place_of(grid_.host(root_)), lanes());
        for (int lane = 0; lane < lanes(); ++lane) found.push_back(over_box(grid_, root_, trees, lane % trees.trees()));
    } else if (shape_ == Shape::packed) {
        found = packed_host_trees(grid_, root_, lanes(), collective_);
    } else if (grid_.switched()) {
        const LeafTrees trees(grid_, root_, within_);
        for (int lane = 0; lane < lanes(); ++lane) found.push_back(trees.tree(lane));
    } else {
        for (int lane = 0; lane < lanes(); ++lane) found.push_back(along_cycle(grid_, root_, lane % 2 == 1));
    }
    return found;
}

std::vector<std::int32_t> VisitingTrees::parents(int lane) const {
    const HostTree& tree = trees_[lane];
    const auto& entries_of = within_[lane].entries;
    std::vector<std::int32_t> parents = within_[lane].parents;
    for (int host = 0; host < grid_.hosts(); ++host) {
        const auto& entries = entries_of[host];
        for (int visit = is_of_root(host) ? 1 : 0; visit < static_cast<int>(entries.size()); ++visit) {
            const auto& [above, again] = tree.visit(visit);
            const bool further = visit > 0 && (again[host] >= 0 || is_of_root(host));
            // Alone, the host of the root has no other to come back from.
            const int from = !further ? above[host] : again[host] >= 0 ? again[host] : host;
            parents[entries[visit]] = entries_of[from][further ? visit - 1 : visit];
        }
    }
    return parents;
}

}  // namespace coll_topo
