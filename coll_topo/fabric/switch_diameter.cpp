// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_diameter.hpp"

#include "coll_topo/fabric/leaf_groups.hpp"
#include "coll_topo/fabric/switch_links.hpp"
#include "coll_topo/fabric/switch_routing.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace coll_topo {
namespace {

/// One host for each leaf, and one leaf for each set of leaves that are equally far from all others. Leaves to which
/// routes are given stand alone.
struct Leaves {
    Leaves(const SwitchGraph& graph, const SwitchLinks& links, bool in_tree)
        : first_host(graph.switches.size(), -1), in_tree(in_tree) {
        std::vector<char> has_route(graph.leaf_of_host.size(), 0);
        for (const GivenRoute& route : graph.routes) has_route[route.host] = 1;
        const std::vector<std::int32_t> group_of = leaf_groups(graph);
        for (std::size_t host = 0; host < graph.leaf_of_host.size(); ++host) {
            int& first = first_host[graph.leaf_of_host[host]];
            if (first < 0) first = static_cast<int>(host);
        }
        std::vector<char> seen(graph.switches.size(), 0);  // by group
        for (int index = 0; index < graph.switches.size(); ++index) {
            if (first_host[index] < 0) continue;
            all.push_back(index);
            if (has_route[first_host[index]]) {
                with_routes.push_back(index);
                continue;
            }
            const bool has_twins = links.down_count(index) == 0;
            ends_in_leaves = ends_in_leaves && has_twins;
            if (has_twins && seen[group_of[index]]) continue;
            if (has_twins) seen[group_of[index]] = 1;
            different.push_back(index);
        }
    }

    std::vector<int> first_host;  // by switch; -1: none
    std::vector<int> all;
    std::vector<int> different, with_routes;
    bool in_tree;                // links make no circle, in whatever direction
    bool ends_in_leaves = true;  // no leaf has switches below
};

/// Finds how far leaves are from all others when messages go up and then down, as SwitchRouting has it.
class Distances {
public:
    Distances(const SwitchGraph& graph, const SwitchLinks& links, const Leaves& leaves)
        : graph_(graph), links_(links), leaves_(leaves), hops_(graph.switches.size(), -1) {}

    /// Links between a leaf and the one farthest from it. All are joined.
    int farthest(int leaf) {
        for (const int index : reached_) hops_[index] = -1;
        reached_.clear();
        left_ = static_cast<int>(leaves_.all.size());
        farthest_ = 0;
        farthest_leaf_ = leaf;
        reach(leaf, 0);
        for (std::size_t i = 0; i < reached_.size(); ++i) {
            for (const int link : links_.up(reached_[i])) reach(graph_.links[link].to, hops_[reached_[i]] + 1);
            steps_ += static_cast<std::int64_t>(links_.up_count(reached_[i])) + 1;
        }
        spread(false);
        if (left_ > 0) spread(true);
        return farthest_;
    }

    /// By switch: the fewest links down to it from one that is above all; -1 if that one is not above it.
    const std::vector<int>& below(int top) {
        hops_.assign(hops_.size(), -1);
        reached_.clear();
        left_ = static_cast<int>(leaves_.all.size());
        reach(top, 0);
        for (std::size_t i = 0; i < reached_.size(); ++i) {
            for (const int link : links_.down(reached_[i])) reach(graph_.links[link].from, hops_[reached_[i]] + 1);
        }
        return hops_;
    }

    /// A leaf as far as farthest() has said.
    int farthest_leaf() const { return farthest_leaf_; }

    bool reached_all() const { return left_ == 0; }
    std::int64_t steps() const { return steps_; }

private:
    void reach(int index, int hops) {
        if (hops_[index] >= 0) return;
        hops_[index] = hops;
        reached_.push_back(index);
        if (leaves_.first_host[index] < 0) return;
        --left_;
        if (hops <= farthest_) return;
        farthest_ = hops;
        farthest_leaf_ = index;
    }

    /// From all that are reached, nearest first, down to those below, or in any direction.
    void spread(bool any) {
        for (std::vector<int>& at : at_distance_) at.clear();
        const auto put = [&](int index) {
            const auto hops = static_cast<std::size_t>(hops_[index]);
            if (at_distance_.size() <= hops) at_distance_.resize(hops + 1);
            at_distance_[hops].push_back(index);
        };
        for (const int index : reached_) put(index);
        const auto go = [&](int to, int hops) {
            const std::size_t before = reached_.size();
            reach(to, hops);
            if (reached_.size() > before) put(to);
        };
        for (std::size_t hops = 0; hops < at_distance_.size() && left_ > 0; ++hops) {
            for (std::size_t i = 0; i < at_distance_[hops].size() && left_ > 0; ++i) {
                const int at = at_distance_[hops][i], next = static_cast<int>(hops) + 1;
                for (const int link : links_.down(at)) go(graph_.links[link].from, next);
                steps_ += static_cast<std::int64_t>(links_.down_count(at));
                if (!any) continue;
                for (const int link : links_.up(at)) go(graph_.links[link].to, next);
                steps_ += static_cast<std::int64_t>(links_.up_count(at));
            }
        }
    }

    const SwitchGraph& graph_;
    const SwitchLinks& links_;
    const Leaves& leaves_;
    std::vector<int> hops_;  // by switch
    std::vector<int> reached_;
    std::vector<std::vector<int>> at_distance_;  // of spread()
    int left_ = 0;                               // leaves not yet reached
    int farthest_ = 0;
    int farthest_leaf_ = -1;
    std::int64_t steps_ = 0;
};

/// By switch: how far below a switch that is above all leaves; empty if there is none.
std::vector<int> depths(const SwitchGraph& graph, const SwitchLinks& links, Distances& distances) {
    constexpr int most_tried = 4;
    for (int index = 0, tried = 0; index < graph.switches.size() && tried < most_tried; ++index) {
        if (links.up_count(index) > 0) continue;
        ++tried;
        const std::vector<int>& below = distances.below(index);
        if (distances.reached_all()) return below;
    }
    return {};
}

/// Looks at the ways to the leaves to which no routes are given.
void look_without_routes(const SwitchGraph& graph, const SwitchLinks& links, Leaves& leaves, std::int64_t most_steps,
                         SwitchDiameter& diameter) {
    if (leaves.different.empty()) return;
    Distances distances(graph, links, leaves);
    if (leaves.in_tree && leaves.with_routes.empty()) {
        // Only one way joins two leaves, and the one farthest from any is an end of the longest.
        distances.farthest(leaves.different.front());
        diameter.links = distances.farthest(distances.farthest_leaf());
        return;
    }
    const std::vector<int> depth = depths(graph, links, distances);
    int deepest = 0;
    if (!depth.empty()) {
        std::ranges::stable_sort(leaves.different, std::ranges::greater(), [&](int leaf) { return depth[leaf]; });
        deepest = depth[leaves.different.front()];
    }
    for (const int leaf : leaves.different) {
        // Two leaves are no farther apart than by way of the switch above all.
        if (!depth.empty() && leaves.ends_in_leaves && depth[leaf] + deepest <= diameter.links) break;
        if (distances.steps() > most_steps) {
            diameter.exact = false;
            return;
        }
        diameter.links = std::max(diameter.links, distances.farthest(leaf));
    }
}

/// Follows the routes from all leaves to each host that a route is given for, and joins them as they meet.
class RouteLengths {
public:
    explicit RouteLengths(const SwitchGraph& graph) : routing_(graph), hops_(graph.switches.size(), -1) {}

    /// Links from a switch to a host; -1 if routes do not lead there.
    int from(int at, int host, int leaf) {
        way_.clear();
        for (; at != leaf && hops_[at] < 0; ++steps_) {
            const auto use = way_.size() <= hops_.size() ? routing_.next(at, host) : std::nullopt;
            if (!use) return -1;
            way_.push_back(at);
            at = routing_.other_end(at, use->link);
        }
        int hops = at == leaf ? 0 : hops_[at];
        for (; !way_.empty(); way_.pop_back()) {
            hops_[way_.back()] = ++hops;
            known_.push_back(way_.back());
        }
        return hops;
    }

    void forget() {
        for (const int index : known_) hops_[index] = -1;
        known_.clear();
    }

    std::int64_t steps() const { return steps_; }

private:
    SwitchRouting routing_;
    std::vector<int> hops_;  // by switch, to the host in hand
    std::vector<int> known_;
    std::vector<int> way_;
    std::int64_t steps_ = 0;
};

void look_along_routes(const SwitchGraph& graph, const Leaves& leaves, std::int64_t most_steps,
                       SwitchDiameter& diameter) {
    constexpr std::int64_t links_in_a_step = 16;  // about as many are looked at
    RouteLengths lengths(graph);
    for (const int to : leaves.with_routes) {
        if (lengths.steps() * links_in_a_step > most_steps) {
            diameter.exact = false;
            return;
        }
        for (const int from : leaves.all) {
            const int hops = lengths.from(from, leaves.first_host[to], to);
            diameter.joined = diameter.joined && hops >= 0;
            diameter.links = std::max(diameter.links, hops);
        }
        lengths.forget();
    }
}

}  // namespace

SwitchDiameter find_switch_diameter(const SwitchGraph& graph, std::int64_t most_steps) {
    const std::vector<std::int32_t> part = joined_parts(graph);
    for (const std::int32_t leaf : graph.leaf_of_host) {
        if (part[leaf] != part[graph.leaf_of_host.front()]) return {false, 0, true};
    }
    const SwitchLinks links(graph);
    const bool all_joined = std::ranges::all_of(part, [&](std::int32_t one) { return one == part.front(); });
    Leaves leaves(graph, links, all_joined && static_cast<int>(graph.links.size()) + 1 == graph.switches.size());
    SwitchDiameter diameter;
    look_without_routes(graph, links, leaves, most_steps, diameter);
    look_along_routes(graph, leaves, most_steps, diameter);
    return diameter;
}

}  // namespace coll_topo
