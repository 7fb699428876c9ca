// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/ways_to_leaf.hpp"

#include <algorithm>

namespace coll_topo {

WaysToLeaf::WaysToLeaf(const SwitchGraph& graph, const SwitchLinks& links, int leaf, bool has_twins, std::size_t& kept)
    : graph_(graph), links_of_(links), kept_(kept) {
    climb(leaf, has_twins);
}

/// Finds the switches from which the leaf can be reached going down, nearest first.
void WaysToLeaf::climb(int leaf, bool has_twins) {
    if (has_twins) {
        for (const int link : links_of_.up(leaf)) {
            if (find(graph_.links[link].to) == nullptr) add(graph_.links[link].to, 1, Phase::down);
        }
    } else {
        add(leaf, 0, Phase::down);
    }
    std::vector<std::pair<int, int>> leads_on;  // upper node, link
    for (std::size_t lower = 0; lower < nodes_.size(); ++lower) {
        const std::int32_t hops = nodes_[lower].hops + 1;
        for (const int link : links_of_.up(nodes_[lower].index)) {
            const int above = graph_.links[link].to;
            const Node* known = find(above);
            if (known == nullptr) known = &add(above, hops, Phase::down);
            if (known->hops == hops) leads_on.emplace_back(known - nodes_.data(), link);
        }
    }
    std::sort(leads_on.begin(), leads_on.end());
    for (Node& node : nodes_) node.begin = 0;
    for (const auto& [upper, link] : leads_on) {
        Node& node = nodes_[upper];
        if (node.count++ == 0) node.begin = static_cast<std::int32_t>(links_.size());
        links_.push_back(link);
    }
    kept_ += links_.size();
}

WaysToLeaf::Hop WaysToLeaf::from(int at) {
    Node* node = find(at);
    if (node == nullptr) {
        resolve(at);
        node = find(at);
    }
    if (node->phase == Phase::none && !complete_) {
        spread_in_any_direction();
        node = find(at);
    }
    if (node->all_up) return {node->hops, node->phase, links_of_.up(at)};
    if (node->begin < 0) list_any_links(*node);
    return {node->hops, node->phase, std::span<const int>(links_).subspan(node->begin, node->count)};
}

/// Finds the shortest way going up from a switch, and from those above it: first from those, as all of them are known
/// when a switch comes to the top of the stack again.
void WaysToLeaf::resolve(int at) {
    stack_.assign(1, at);
    while (!stack_.empty()) {
        const int index = stack_.back();
        const std::size_t before = stack_.size();
        if (find(index) == nullptr) {
            for (const int link : links_of_.up(index)) {
                if (find(graph_.links[link].to) == nullptr) stack_.push_back(graph_.links[link].to);
            }
            if (stack_.size() > before) continue;
            resolve_by_parents(index);
        }
        stack_.pop_back();
    }
}

void WaysToLeaf::resolve_by_parents(int at) {
    const std::span<const int> up = links_of_.up(at);
    const auto above = [&](int link) -> const Node& { return *find(graph_.links[link].to); };
    const auto begin = static_cast<std::int32_t>(links_.size());
    std::int32_t least = -1;
    for (const int link : up) {
        const Node& node = above(link);
        if (node.phase == Phase::none || node.phase == Phase::any) continue;
        if (least >= 0 && node.hops > least) continue;
        if (least < 0 || node.hops < least) links_.resize(begin);
        least = node.hops;
        links_.push_back(link);
    }
    Node& node = add(at, least + 1, least < 0 ? Phase::none : Phase::up);
    node.begin = begin;
    node.count = static_cast<std::int32_t>(links_.size()) - begin;
    node.all_up = least >= 0 && links_.size() - begin == up.size();
    if (node.all_up) links_.resize(begin);
    kept_ += links_.size() - begin;
}

/// Gives the switches without a way up and down the shortest in any direction.
void WaysToLeaf::spread_in_any_direction() {
    complete_ = true;
    for (int index = 0; index < graph_.switches.size(); ++index) {
        if (find(index) == nullptr) resolve(index);
    }
    std::vector<std::vector<int>> at_distance;
    const auto put = [&](int index, std::int32_t hops) {
        if (at_distance.size() <= static_cast<std::size_t>(hops)) at_distance.resize(hops + 1);
        at_distance[hops].push_back(index);
    };
    for (const Node& node : nodes_) {
        if (node.phase != Phase::none) put(node.index, node.hops);
    }
    for (std::int32_t hops = 0; hops < static_cast<std::int32_t>(at_distance.size()); ++hops) {
        for (std::size_t i = 0; i < at_distance[hops].size(); ++i) {
            const int to = at_distance[hops][i];
            const auto reach = [&](int from) {
                Node& node = *find(from);
                if (node.phase != Phase::none) return;
                node.phase = Phase::any;
                node.hops = hops + 1;
                node.begin = -1;
                put(from, hops + 1);
            };
            for (const int link : links_of_.up(to)) reach(graph_.links[link].to);
            for (const int link : links_of_.down(to)) reach(graph_.links[link].from);
        }
    }
}

void WaysToLeaf::list_any_links(Node& node) {
    node.begin = static_cast<std::int32_t>(links_.size());
    const auto look = [&](int link, int other) {
        const Node& there = *find(other);
        if (there.phase != Phase::none && there.hops + 1 == node.hops) links_.push_back(link);
    };
    for (const int link : links_of_.up(node.index)) look(link, graph_.links[link].to);
    for (const int link : links_of_.down(node.index)) look(link, graph_.links[link].from);
    std::sort(links_.begin() + node.begin, links_.end());
    node.count = static_cast<std::int32_t>(links_.size()) - node.begin;
    kept_ += node.count;
}

WaysToLeaf::Node* WaysToLeaf::find(int index) {
    if (slots_.empty()) return nullptr;
    const std::int32_t found = slots_[slot(index)];
    return found < 0 ? nullptr : &nodes_[found];
}

WaysToLeaf::Node& WaysToLeaf::add(int index, std::int32_t hops, Phase phase) {
    if (slots_.size() * 2 < (nodes_.size() + 1) * 3) grow();
    slots_[slot(index)] = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({index, hops, phase, false});
    ++kept_;
    return nodes_.back();
}

std::size_t WaysToLeaf::slot(int index) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = static_cast<std::uint32_t>(index) * 2654435761u & mask;
    while (slots_[slot] >= 0 && nodes_[slots_[slot]].index != index) slot = (slot + 1) & mask;
    return slot;
}

void WaysToLeaf::grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, -1);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        slots_[slot(nodes_[node].index)] = static_cast<std::int32_t>(node);
    }
}

}  // namespace coll_topo
