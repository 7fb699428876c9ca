// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/leaf_trees.hpp"

#include "coll_topo/algorithm/by_rank/ring_orders.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace coll_topo {
namespace {

/// Of the root's leaf, 0, and the others, which are numbered level by level below 1: from which one a leaf is entered.
constexpr std::size_t leaf_above(std::size_t leaf) {
    return leaf / 2;
}

/// The first leaf that is entered from this one.
constexpr std::size_t first_below(std::size_t leaf) {
    return leaf == 0 ? 1 : 2 * leaf;
}

/// From which place of the leaf above a leaf is entered.
constexpr std::size_t place_above(std::size_t leaf, std::size_t places_above) {
    return (leaf == 1 ? 1 : places_above / 2 + leaf % 2) % places_above;
}

/// The place within the same leaf that is above one that is not the first.
constexpr std::size_t place_above_within(std::size_t leaf, std::size_t place) {
    return leaf == 0 ? place - 1 : (place - 1) / 2;
}

/// If `unwanted` is at this place, it changes with the one of the others but the first that sends about as much.
void evade(std::vector<std::int32_t>& hosts, const std::vector<int>& sends, std::size_t place, std::int32_t unwanted) {
    if (hosts[place] != unwanted) return;
    const auto difference = [&](std::size_t other) { return std::abs(sends[other] - sends[place]); };
    std::size_t best = place;
    for (std::size_t other = 1; other < hosts.size(); ++other) {
        if (other != place && (best == place || difference(other) < difference(best))) best = other;
    }
    std::swap(hosts[place], hosts[best]);
}

}  // namespace

LeafTrees::LeafTrees(const Grid& grid, int root, std::span<const RanksOfHosts> lanes)
    : grid_(grid),
      host_of_root_(grid.host(root)),
      lanes_(lanes),
      rank_sends_(grid.ranks(), 0),
      host_sends_(grid.hosts(), 0) {
    const std::array ways = {hosts_by_leaf(false), hosts_by_leaf(true)};
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const std::vector<Hosts>& leaves = ways[lane % 2];
        orders_.emplace_back(lanes[lane].entries[leaves[0].back()].size(), leaves);
        for (const std::int32_t parent : lanes[lane].parents) {
            if (parent >= 0) ++rank_sends_[parent];
        }
    }
    constexpr int passes = 2;
    for (int pass = 0; pass < passes; ++pass) {
        for (int lane = 0; lane < static_cast<int>(orders_.size()); ++lane) {
            for (int visit = 0; visit < static_cast<int>(orders_[lane].size()); ++visit) balance(lane, visit, pass > 0);
        }
    }
}

/// Changes the places of hosts in a visit, whose sends count already or not yet.
void LeafTrees::balance(int lane, int visit, bool counts) {
    for (std::size_t leaf = 0; leaf < orders_[lane][visit].size(); ++leaf) {
        const std::vector<int> sends = sends_of(lane, visit, leaf);
        if (counts) add(lane, visit, leaf, sends, -1);
        put_in_turn(lane, visit, leaf, sends);
        add(lane, visit, leaf, sends, 1);
    }
}

/// The hosts of each leaf, that of the root first, then by switches or the other way round. The host of the root is the
/// first of its leaf. A host alone on its leaf joins another leaf's.
std::vector<LeafTrees::Hosts> LeafTrees::hosts_by_leaf(bool backwards) const {
    std::vector<Hosts> leaves(grid_.leaves().hosts.parts());
    Hosts order;  // of leaves
    for (const std::int32_t host : hosts_by_switches(grid_)) {
        const int leaf = grid_.leaves().leaf(host);
        if (leaves[leaf].empty()) order.push_back(leaf);
        leaves[leaf].push_back(host);
    }
    std::ranges::rotate(order, std::ranges::find(order, grid_.leaves().leaf(host_of_root_)));
    if (backwards) std::reverse(order.begin() + 1, order.end());
    std::vector<Hosts> units;
    for (const std::int32_t leaf : order) {
        Hosts& hosts = leaves[leaf];
        if (leaf == order.front()) {
            std::ranges::rotate(hosts, std::ranges::find(hosts, host_of_root_));
        } else if (backwards) {
            std::ranges::reverse(hosts);
        }
        const bool joins = !units.empty() && (hosts.size() == 1 || units.back().size() == 1);
        if (!joins) units.emplace_back();
        units.back().insert(units.back().end(), hosts.begin(), hosts.end());
    }
    return units;
}

/// How much is sent to other hosts from each place of a leaf.
std::vector<int> LeafTrees::sends_of(int lane, int visit, std::size_t leaf) const {
    const std::vector<Hosts>& leaves = orders_[lane][visit];
    const std::size_t places = leaves[leaf].size();
    std::vector<int> sends(places, 0);
    for (std::size_t place = 1; place < places; ++place) ++sends[place_above_within(leaf, place)];
    if (visit == 0) {
        for (std::size_t below = first_below(leaf); below < leaves.size() && leaf_above(below) == leaf; ++below) {
            ++sends[place_above(below, places)];
        }
    }
    const int first_host = leaves[leaf].front();
    if (visit + 1 < static_cast<int>(lanes_[lane].entries[first_host].size())) ++sends.back();
    return sends;
}

/// Those that have sent least get the places that send most. A visit must not begin at the host at which the one before
/// ends.
void LeafTrees::put_in_turn(int lane, int visit, std::size_t leaf, const std::vector<int>& sends) {
    // A rank that combines takes longer than the cable of its host.
    constexpr int weight_of_ranks = 2;
    Hosts& hosts = orders_[lane][visit][leaf];
    const std::ptrdiff_t first = leaf == 0 ? 1 : 0;  // that of the root stays
    const auto& entries = lanes_[lane].entries;
    std::vector<std::size_t> places(hosts.size());
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin() + first, places.end(),
                     [&](std::size_t one, std::size_t other) { return sends[one] > sends[other]; });
    std::vector<std::pair<int, std::int32_t>> by_sends;  // until now
    for (const std::int32_t host : hosts) {
        by_sends.emplace_back(weight_of_ranks * rank_sends_[entries[host][visit]] + host_sends_[host], host);
    }
    std::stable_sort(by_sends.begin() + first, by_sends.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    for (std::size_t i = 0; i < places.size(); ++i) hosts[places[i]] = by_sends[i].second;
    const auto& visits = orders_[lane];
    if (visit > 0) evade(hosts, sends, 0, visits[visit - 1][leaf].back());
    if (visit + 1 < static_cast<int>(visits.size())) {
        evade(hosts, sends, hosts.size() - 1, visits[visit + 1][leaf].front());
    }
}

/// Counts so many times what a leaf sends.
void LeafTrees::add(int lane, int visit, std::size_t leaf, const std::vector<int>& sends, int times) {
    const Hosts& hosts = orders_[lane][visit][leaf];
    for (std::size_t place = 0; place < hosts.size(); ++place) {
        host_sends_[hosts[place]] += times * sends[place];
        rank_sends_[lanes_[lane].entries[hosts[place]][visit]] += times * sends[place];
    }
}

HostTree LeafTrees::tree(int lane) const {
    const auto& orders = orders_[lane];
    std::vector<HostTree::Visit> tree;
    for (std::size_t visit = 0; visit < orders.size(); ++visit) {
        HostTree::Visit& now = tree.emplace_back(Hosts(grid_.hosts(), -1), Hosts(grid_.hosts(), -1));
        const std::vector<Hosts>& leaves = orders[visit];
        for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
            const Hosts& hosts = leaves[leaf];
            for (std::size_t i = 1; i < hosts.size(); ++i) now.above[hosts[i]] = hosts[place_above_within(leaf, i)];
            if (visit > 0) {
                now.again[hosts.front()] = orders[visit - 1][leaf].back();
            } else if (leaf > 0) {
                const Hosts& upper = leaves[leaf_above(leaf)];
                now.above[hosts.front()] = upper[place_above(leaf, upper.size())];
            }
        }
    }
    // The first visit of the root's host is the root itself, so that it may have one more.
    tree.emplace_back(Hosts(), Hosts(grid_.hosts(), -1)).again[host_of_root_] = orders.back()[0].back();
    return HostTree(std::move(tree));
}

}  // namespace coll_topo
