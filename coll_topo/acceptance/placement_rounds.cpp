// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/placement_rounds.hpp"

#include "coll_topo/acceptance/link_load.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace coll_topo::acceptance {

namespace {

class PlacementRounds {
public:
    PlacementRounds(const Fabric& fabric, const LinkGraph& graph, const LinkCapacities& capacities,
                    const std::vector<CableTest>& tests)
        : switches_(std::get<SwitchGraph>(fabric.network)), graph_(graph), capacities_(capacities), tests_(tests) {
        for (int host = 0; host < graph.hosts(); ++host) hosts_of_leaf_[leaf(host)].push_back(host);
        for (std::size_t i = 0; i < tests.size(); ++i) {
            if (tests[i].messages.size() != 1) continue;
            for (const int link : tests[i].links) tests_of_link_[link].push_back(static_cast<int>(i));
        }
    }

    std::vector<Round> find(const Fabric& fabric) {
        if (hosts_of_leaf_.size() < 2) return {};
        Fabric moved = fabric;
        std::map<int, int> next;
        for (auto at = hosts_of_leaf_.begin(); at != hosts_of_leaf_.end(); ++at) {
            const auto after = std::next(at) == hosts_of_leaf_.end() ? hosts_of_leaf_.begin() : std::next(at);
            next[at->first] = after->first;
            before_[after->first] = at->first;
        }
        for (int& at : std::get<SwitchGraph>(moved.network).leaf_of_host) at = next[at];
        LinkGraph graph_if_moved(moved);
        for (std::size_t test = 0; test < tests_.size(); ++test) add(static_cast<int>(test), graph_if_moved);
        return std::move(rounds_);
    }

private:
    int leaf(int host) const { return switches_.leaf_of_host[static_cast<std::size_t>(host)]; }
    const Message& message(int test) const { return tests_[static_cast<std::size_t>(test)].messages.front(); }

    /// A leaf with fewer uplinks shows by their load which hosts are there.
    bool has_many_uplinks(int leaf) {
        const auto [known, is_new] = many_uplinks_.emplace(leaf, false);
        if (!is_new) return known->second;
        double above = 0, below = 0;
        for (std::size_t link = 0; link < graph_.links().size(); ++link) {
            const Link& ends = graph_.links()[link];
            if (ends.from == graph_.vertex_of_switch(leaf) && ends.to >= graph_.hosts()) {
                above += capacities_.of_link[link];
            } else if (ends.to == graph_.vertex_of_switch(leaf) && ends.from < graph_.hosts()) {
                below += capacities_.of_link[link];
            }
        }
        return known->second = above >= below;
    }

    /// The test, if it is of a message inside a leaf to a host that has none yet, with one that goes up.
    void add(int test, LinkGraph& graph_if_moved) {
        if (tests_[static_cast<std::size_t>(test)].messages.size() != 1) return;
        const Message& inside = message(test);
        const int at = leaf(inside.from);
        if (leaf(inside.to) != at || done_.contains(inside.to) || !has_many_uplinks(at)) return;
        // Of a host that would be at this leaf if all were one leaf further.
        std::vector<int> links;
        if (!graph_if_moved.route(hosts_of_leaf_[before_[at]].front(), inside.to, links) || links.size() < 3) return;
        for (const int other : tests_of_link_[links[1]]) {
            const Message& up = message(other);
            if (leaf(up.from) != at || up.from == inside.from || up.from == inside.to || leaf(up.to) == at) continue;
            place(test, other);
            done_.emplace(inside.to, true);
            return;
        }
    }

    /// In the first round that has room for both.
    void place(int first, int second) {
        for (std::size_t round = 0;; ++round) {
            if (round == rounds_.size()) {
                rounds_.emplace_back();
                loads_.emplace_back(capacities_);
            }
            if (!loads_[round].add(tests_[static_cast<std::size_t>(first)])) continue;
            if (loads_[round].add(tests_[static_cast<std::size_t>(second)])) {
                rounds_[round].insert(rounds_[round].end(), {first, second});
                std::sort(rounds_[round].begin(), rounds_[round].end());
                return;
            }
            loads_[round].remove(tests_[static_cast<std::size_t>(first)]);
        }
    }

    const SwitchGraph& switches_;
    const LinkGraph& graph_;
    const LinkCapacities& capacities_;
    const std::vector<CableTest>& tests_;
    std::map<int, std::vector<int>> hosts_of_leaf_;
    std::map<int, std::vector<int>> tests_of_link_;  // with one message
    std::map<int, int> before_;                      // the leaf before each
    std::map<int, bool> many_uplinks_;               // of leaves
    std::map<int, bool> done_;                       // hosts
    std::vector<Round> rounds_;
    std::vector<LinkLoad> loads_;  // by round
};

}  // namespace

std::vector<Round> placement_rounds(const Fabric& fabric, const LinkGraph& graph, const LinkCapacities& capacities,
                                    const std::vector<CableTest>& tests) {
    if (fabric.torus() != nullptr) return {};
    return PlacementRounds(fabric, graph, capacities, tests).find(fabric);
}

}  // namespace coll_topo::acceptance
