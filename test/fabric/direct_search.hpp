// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::test {

/// Shortest ways up and then down to a leaf, found by looking at every link again until nothing changes.
class DirectSearch {
public:
    DirectSearch(const SwitchGraph& graph, int leaf) : graph_(graph), hops_(graph.switches.size(), -1), phase_(hops_) {
        hops_[leaf] = phase_[leaf] = 0;
        for (const int phase : {0, 1, 2}) {
            for (bool changed = true; changed;) changed = step(phase);
        }
    }

    int hops(int at) const { return hops_[at]; }

    /// The links that lead on from a switch, ascending.
    std::vector<int> links(int at) const {
        std::vector<int> found;
        for (int link = 0; link < static_cast<int>(graph_.links.size()); ++link) {
            const SwitchLink& ends = graph_.links[link];
            const bool up = ends.from == at;
            if (!up && ends.to != at) continue;
            const int there = up ? ends.to : ends.from;
            if (phase_[there] < 0 || hops_[there] + 1 != hops_[at]) continue;
            if (phase_[at] == 0 && (up || phase_[there] != 0)) continue;
            if (phase_[at] == 1 && (!up || phase_[there] == 2)) continue;
            found.push_back(link);
        }
        return found;
    }

private:
    bool step(int phase) {
        bool changed = false;
        const auto reach = [&](int at, int from) {
            if (hops_[from] < 0 || (phase_[at] >= 0 && phase_[at] < phase)) return;
            if (hops_[at] >= 0 && hops_[at] <= hops_[from] + 1) return;
            hops_[at] = hops_[from] + 1;
            phase_[at] = phase;
            changed = true;
        };
        for (const SwitchLink& link : graph_.links) {
            if (phase != 1) reach(link.to, link.from);
            if (phase != 0) reach(link.from, link.to);
        }
        return changed;
    }

    const SwitchGraph& graph_;
    std::vector<int> hops_, phase_;
};

/// Switches in up to four levels with links between them at random, also past a level; hosts at the lowest and here and
/// there above. Some have parts that no link joins.
inline SwitchGraph random_switches(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&random](unsigned bound) { return static_cast<int>(random() % bound); };
    SwitchGraph graph;
    std::vector<std::pair<int, int>> levels;  // first switch, number
    for (int level = 0, count = 1 + below(4); level < count; ++level) {
        levels.emplace_back(graph.switches.size(), 1 + below(level == 0 ? 8 : 5));
        for (int i = 0; i < levels.back().second; ++i) {
            const int index = graph.switches.add("s" + std::to_string(graph.switches.size()));
            if (level == 0 || below(6) == 0) graph.leaf_of_host.insert(graph.leaf_of_host.end(), 1 + below(3), index);
        }
    }
    const int density = 1 + below(4);
    for (std::size_t lower = 0; lower < levels.size(); ++lower) {
        for (std::size_t upper = lower + 1; upper < levels.size(); ++upper) {
            for (int i = 0; i < levels[lower].second; ++i) {
                for (int j = 0; j < levels[upper].second; ++j) {
                    if (below(upper == lower + 1 ? 4 : 20) >= (upper == lower + 1 ? density : 1)) continue;
                    graph.links.push_back({levels[lower].first + i, levels[upper].first + j, 1 + below(4), 1e9, 1e-6});
                }
            }
        }
    }
    std::shuffle(graph.links.begin(), graph.links.end(), random);
    return graph;
}

}  // namespace coll_topo::test
