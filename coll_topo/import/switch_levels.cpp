// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/switch_levels.hpp"

#include "coll_topo/base/text.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace coll_topo::importing {

namespace {

constexpr int unreached = -1;

/// By switch: the cables on the shortest way from the nearest of some switches.
std::vector<int> distances(const Neighbours& neighbours, std::vector<int> from) {
    std::vector<int> distance(neighbours.size(), unreached);
    for (const int start : from) distance[start] = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        for (const Neighbour& next : neighbours[from[i]]) {
            if (distance[next.index] != unreached) continue;
            distance[next.index] = distance[from[i]] + 1;
            from.push_back(next.index);
        }
    }
    return distance;
}

/// Whether no cable joins two switches of one height, and every switch without hosts is above another.
bool are_levels(const Wiring& wiring, const std::vector<int>& hosts, const std::vector<int>& height) {
    std::vector<char> has_lower(height.size(), 0);
    for (const SwitchCables& cables : wiring.switch_cables) {
        if (height[cables.a] == height[cables.b]) return false;
        has_lower[height[cables.a] > height[cables.b] ? cables.a : cables.b] = 1;
    }
    for (std::size_t i = 0; i < height.size(); ++i) {
        if (height[i] != unreached && has_lower[i] == 0 && hosts[i] == 0) return false;
    }
    return true;
}

/// Hosts of switches that have others below.
int hosts_above_leaves(const Wiring& wiring, const std::vector<int>& hosts, const std::vector<int>& height) {
    std::vector<char> is_above(hosts.size(), 0);
    for (const SwitchCables& cables : wiring.switch_cables) {
        is_above[height[cables.a] > height[cables.b] ? cables.a : cables.b] = 1;
    }
    int found = 0;
    for (std::size_t i = 0; i < hosts.size(); ++i) found += is_above[i] != 0 ? hosts[i] : 0;
    return found;
}

/// Leaves are switches with more than so many hosts, for the least number that gives levels; most hosts are theirs.
std::optional<std::vector<int>> levels_above_leaves(const Wiring& wiring, const Neighbours& neighbours,
                                                    const std::vector<int>& hosts) {
    constexpr std::size_t most_trials = 50;
    std::set<int> counts(hosts.begin(), hosts.end());
    counts.insert(0);
    const int total = std::accumulate(hosts.begin(), hosts.end(), 0);
    std::size_t trials = 0;
    for (const int few : counts) {
        std::vector<int> leaves;
        int of_leaves = 0;
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            if (hosts[i] <= few) continue;
            leaves.push_back(static_cast<int>(i));
            of_leaves += hosts[i];
        }
        if (2 * of_leaves <= total || ++trials > most_trials) break;
        std::vector<int> height = distances(neighbours, leaves);
        if (are_levels(wiring, hosts, height)) return height;
    }
    return std::nullopt;
}

/// Leaves of different depth: the nearer the farthest leaf is, the higher a switch.
std::optional<std::vector<int>> levels_below_middle(const Wiring& wiring, const Neighbours& neighbours,
                                                    const std::vector<int>& hosts) {
    constexpr std::size_t most_switches = 5000;  // seconds, as each leaf asks for its distance from all switches
    if (hosts.size() > most_switches) return std::nullopt;
    std::vector<int> height(hosts.size(), unreached);
    for (std::size_t leaf = 0; leaf < hosts.size(); ++leaf) {
        if (hosts[leaf] == 0) continue;
        const std::vector<int> distance = distances(neighbours, {static_cast<int>(leaf)});
        for (std::size_t i = 0; i < height.size(); ++i) height[i] = std::max(height[i], distance[i]);
    }
    for (int& one : height) {
        if (one != unreached) one = static_cast<int>(hosts.size()) - one;
    }
    if (!are_levels(wiring, hosts, height)) return std::nullopt;
    return height;
}

int farthest(const std::vector<int>& distance) {
    return static_cast<int>(std::max_element(distance.begin(), distance.end()) - distance.begin());
}

/// A switch in the middle of the longest of the shortest ways, or near it.
int middle(const Neighbours& neighbours, int start) {
    const int a = farthest(distances(neighbours, {start}));
    const std::vector<int> from_a = distances(neighbours, {a});
    const int b = farthest(from_a);
    const std::vector<int> from_b = distances(neighbours, {b});
    int best = a;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (from_a[i] == unreached || from_a[i] + from_b[i] != from_a[b]) continue;
        if (std::max(from_a[i], from_b[i]) < std::max(from_a[best], from_b[best])) best = static_cast<int>(i);
    }
    return best;
}

/// An order without circles for any network: parts of it that are not connected have one middle each. Neighbours at the
/// same distance are told apart by their numbers.
std::vector<int> order_from_middle(const Neighbours& neighbours) {
    const int size = static_cast<int>(neighbours.size());
    std::vector<int> roots;
    std::vector<int> reached(neighbours.size(), unreached);
    for (int i = 0; i < size; ++i) {
        if (reached[i] != unreached) continue;
        roots.push_back(middle(neighbours, i));
        const std::vector<int> part = distances(neighbours, {roots.back()});
        for (int j = 0; j < size; ++j) reached[j] = std::max(reached[j], part[j]);
    }
    std::vector<int> sorted(neighbours.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return reached[a] > reached[b]; });
    std::vector<int> order(neighbours.size());
    for (int i = 0; i < size; ++i) order[sorted[i]] = i;
    return order;
}

}  // namespace

SwitchLevels find_levels(const Wiring& wiring) {
    const Neighbours neighbours = neighbours_of(wiring);
    const std::vector<int> hosts = hosts_of_switches(wiring);
    SwitchLevels levels;
    const auto above = levels_above_leaves(wiring, neighbours, hosts);
    if (above) {
        levels.height = *above;
        levels.hosts_above_leaves = hosts_above_leaves(wiring, hosts, levels.height);
        if (levels.hosts_above_leaves == 0) return levels;
    }
    if (auto below = levels_below_middle(wiring, neighbours, hosts)) {
        const int others = hosts_above_leaves(wiring, hosts, *below);
        if (!above || others < levels.hosts_above_leaves) {
            levels.height = *std::move(below);
            levels.hosts_above_leaves = others;
        }
    } else if (!above) {
        levels.height = order_from_middle(neighbours);
        levels.by_hosts = false;
    }
    return levels;
}

bool has_plain_levels(const Wiring& wiring) {
    const std::vector<int> hosts = hosts_of_switches(wiring);
    std::vector<int> leaves;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        if (hosts[i] > 0) leaves.push_back(static_cast<int>(i));
    }
    return are_levels(wiring, hosts, distances(neighbours_of(wiring), leaves));
}

void direct_upwards(Wiring& wiring) {
    if (wiring.is_directed) return;
    const SwitchLevels levels = find_levels(wiring);
    for (SwitchCables& cables : wiring.switch_cables) {
        if (levels.height[cables.a] > levels.height[cables.b]) std::swap(cables.a, cables.b);
    }
    wiring.is_directed = true;
    if (!levels.by_hosts) {
        add_note(wiring.notes,
                 "the switches fit no family that coll_topo knows (torus, mesh, levels of switches; of a "
                 "torus, one switch may be missing, or three cables): "
                 "they are written as up/down routing orders them, from the middle outwards; messages "
                 "of other routings take other ways, and no algorithm is fitted to the wiring");
    } else if (levels.hosts_above_leaves > 0) {
        add_note(wiring.notes, counted(levels.hosts_above_leaves, "host is", "hosts are") +
                                   " connected to switches that have others below them");
    }
}

}  // namespace coll_topo::importing
