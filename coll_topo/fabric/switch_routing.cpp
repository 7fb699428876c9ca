// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_routing.hpp"

#include <algorithm>
#include <cstddef>

namespace coll_topo {

SwitchRouting::SwitchRouting(const SwitchGraph& graph)
    : graph_(&graph), links_of_(graph.switches.size()), distances_(graph.switches.size()) {
    for (std::size_t link = 0; link < graph.links.size(); ++link) {
        links_of_[graph.links[link].from].push_back(static_cast<int>(link));
        links_of_[graph.links[link].to].push_back(static_cast<int>(link));
    }
    find_divisors();
    if (graph.routes.empty()) return;
    for (int index = 0; index <= graph.switches.size(); ++index) {
        const auto first = std::lower_bound(graph.routes.begin(), graph.routes.end(), GivenRoute{index, 0, 0, 0});
        first_route_.push_back(first - graph.routes.begin());
    }
}

/// From the bottom up: a switch divides by what the first switch below it divides by, times the switches above that.
void SwitchRouting::find_divisors() {
    constexpr std::int64_t enough = std::int64_t{1} << 31;  // more than there are hosts
    const int switches = graph_->switches.size();
    divisor_.assign(switches, 1);
    parents_.assign(switches, 0);
    std::vector<int> below(switches, 0);
    for (const SwitchLink& link : graph_->links) {
        ++below[link.to];
        ++parents_[link.from];
    }
    std::vector<int> ready;
    for (int index = 0; index < switches; ++index) {
        if (below[index] == 0) ready.push_back(index);
    }
    while (!ready.empty()) {
        const int lower = ready.back();
        ready.pop_back();
        for (const int link : links_of_[lower]) {
            const int upper = graph_->links[link].to;
            if (upper == lower || --below[upper] > 0) continue;  // links to those below, too, are in the list
            const auto first = std::find_if(links_of_[upper].begin(), links_of_[upper].end(),
                                            [&](int candidate) { return graph_->links[candidate].to == upper; });
            const int child = graph_->links[*first].from;
            divisor_[upper] = std::min(enough, divisor_[child] * parents_[child]);
            ready.push_back(upper);
        }
    }
}

/// First of the switches from which the leaf can be reached going down, then of those that reach one of them going up,
/// then of the rest.
const std::vector<SwitchRouting::LeafDistance>& SwitchRouting::distances_to(int leaf) {
    std::vector<LeafDistance>& distances = distances_[leaf];
    if (!distances.empty()) return distances;
    distances.resize(graph_->switches.size());
    distances[leaf] = {0, Phase::down};
    for (const Phase phase : {Phase::down, Phase::up, Phase::any}) spread(distances, phase);
    return distances;
}

/// Gives a distance to switches that have none, along links of the phase's direction, shortest first.
void SwitchRouting::spread(std::vector<LeafDistance>& distances, Phase phase) const {
    std::vector<std::vector<int>> at_distance;
    const auto add = [&](int index, int hops) {
        if (at_distance.size() <= static_cast<std::size_t>(hops)) at_distance.resize(hops + 1);
        at_distance[hops].push_back(index);
    };
    for (std::size_t index = 0; index < distances.size(); ++index) {
        if (distances[index].phase != Phase::none) add(static_cast<int>(index), distances[index].hops);
    }
    for (int hops = 0; hops < static_cast<int>(at_distance.size()); ++hops) {
        for (std::size_t i = 0; i < at_distance[hops].size(); ++i) {
            const int to = at_distance[hops][i];
            for (const int link : links_of_[to]) {
                const int from = other_end(to, link);
                const bool goes_up = graph_->links[link].from == from;
                if (distances[from].phase != Phase::none) continue;
                if (phase != Phase::any && goes_up != (phase == Phase::up)) continue;
                distances[from] = {hops + 1, phase};
                add(from, hops + 1);
            }
        }
    }
}

/// Whether the link is the first of a shortest way from a switch to the leaf of `distances`.
bool SwitchRouting::leads_on(const std::vector<LeafDistance>& distances, int at, int link) const {
    const LeafDistance& here = distances[at];
    const LeafDistance& there = distances[other_end(at, link)];
    if (there.phase == Phase::none || there.hops + 1 != here.hops) return false;
    const bool goes_up = graph_->links[link].from == at;
    switch (here.phase) {
        case Phase::down:
            return !goes_up && there.phase == Phase::down;
        case Phase::up:
            return goes_up && there.phase != Phase::any;
        default:
            return true;
    }
}

/// Messages that went up over different upper switches and cables come down over different ones too.
CableUse SwitchRouting::next_by_dmodk(const std::vector<LeafDistance>& distances, int at, int host) {
    candidates_.clear();
    for (const int link : links_of_[at]) {
        if (leads_on(distances, at, link)) candidates_.push_back(link);
    }
    const auto count = static_cast<std::int64_t>(candidates_.size());
    const SwitchLink& first = graph_->links[candidates_.front()];
    if (first.from != at) {
        const std::int64_t divisor = std::max<std::int64_t>(1, divisor_[first.from] / count);
        const int link = candidates_[host / divisor % count];
        return {link, cable_of(link, host), graph_->links[link].from == at};
    }
    std::int64_t cables = 0;
    for (const int link : candidates_) cables += graph_->links[link].count;
    std::int64_t number = host / divisor_[at] % cables;
    for (int cable = 0;; ++cable) {
        for (const int link : candidates_) {
            if (cable < graph_->links[link].count && number-- == 0)
                return {link, cable, graph_->links[link].from == at};
        }
    }
}

/// The cable of a link alone.
int SwitchRouting::cable_of(int link, int host) const {
    const SwitchLink& cables = graph_->links[link];
    return static_cast<int>(host / (divisor_[cables.from] * parents_[cables.from]) % cables.count);
}

const GivenRoute* SwitchRouting::given(int at, int host) const {
    if (first_route_.empty()) return nullptr;
    const auto begin = graph_->routes.begin() + static_cast<std::ptrdiff_t>(first_route_[at]);
    const auto end = graph_->routes.begin() + static_cast<std::ptrdiff_t>(first_route_[at + 1]);
    const auto found = std::lower_bound(begin, end, GivenRoute{at, host, 0, 0});
    return found != end && found->host == host ? &*found : nullptr;
}

std::optional<CableUse> SwitchRouting::next(int at, int host) {
    const int leaf = graph_->leaf_of_host[host];
    if (at == leaf) return {};
    if (const GivenRoute* route = given(at, host)) {
        const int cable = route->cable >= 0 ? route->cable : cable_of(route->link, host);
        return CableUse{route->link, cable, graph_->links[route->link].from == at};
    }
    const std::vector<LeafDistance>& distances = distances_to(leaf);
    if (distances[at].phase == Phase::none) return {};
    return next_by_dmodk(distances, at, host);
}

bool SwitchRouting::route(int from_switch, int host, std::vector<CableUse>& cables) {
    const int leaf = graph_->leaf_of_host[host];
    const std::size_t before = cables.size();
    const std::size_t longest = before + graph_->switches.size();  // more cables than that are a circle
    for (int at = from_switch; at != leaf; at = other_end(at, cables.back().link)) {
        const auto use = cables.size() < longest ? next(at, host) : std::nullopt;
        if (!use) {
            cables.resize(before);
            return false;
        }
        cables.push_back(*use);
    }
    return true;
}

std::optional<LostMessages> find_lost_messages(const SwitchGraph& graph) {
    SwitchRouting routing(graph);
    std::vector<GivenRoute> by_host(graph.routes);
    std::sort(by_host.begin(), by_host.end(), [](const GivenRoute& a, const GivenRoute& b) {
        return a.host != b.host ? a.host < b.host : a.at < b.at;
    });
    // Every walk starts at a given route, since d-mod-k alone comes nearer to the host with each cable. A walk ends
    // where an earlier one to the same host has been: from there, messages arrive.
    std::vector<int> host_of_walk(graph.switches.size(), -1);
    for (const GivenRoute& start : by_host) {
        std::vector<std::int32_t> way;
        std::optional<CableUse> use;
        int at = start.at;
        for (; host_of_walk[at] != start.host; at = routing.other_end(at, use->link)) {
            host_of_walk[at] = start.host;
            way.push_back(at);
            use = routing.next(at, start.host);
            if (!use) break;
        }
        if (at == graph.leaf_of_host[start.host]) continue;
        if (!use && !way.empty()) return LostMessages{start.host, way, false};
        const auto circle = std::find(way.begin(), way.end(), at);
        if (circle == way.end()) continue;
        const auto is_given = [&](std::int32_t index) {
            return std::binary_search(graph.routes.begin(), graph.routes.end(), GivenRoute{index, start.host, 0, 0});
        };
        way.erase(way.begin(), circle);
        std::rotate(way.begin(), std::find_if(way.begin(), way.end(), is_given), way.end());
        return LostMessages{start.host, way, true};
    }
    return {};
}

}  // namespace coll_topo
