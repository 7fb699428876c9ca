// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_routing.hpp"

#include "coll_topo/fabric/leaf_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace coll_topo {

namespace {

/// Nodes and links of ways that are remembered besides as many as the network has switches and links.
constexpr std::size_t most_kept = std::size_t{1} << 19;

}  // namespace

SwitchRouting::SwitchRouting(const SwitchGraph& graph)
    : graph_(&graph), links_of_(graph), group_of_leaf_(leaf_groups(graph)) {
    const auto last = std::max_element(group_of_leaf_.begin(), group_of_leaf_.end());
    const std::int32_t groups = last == group_of_leaf_.end() ? 0 : *last + 1;
    ways_to_group_.resize(groups);
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
    divisor_.assign(graph_->switches.size(), 1);
    for (const int upper : bottom_up(*graph_, links_of_)) {
        if (links_of_.down_count(upper) == 0) continue;
        const int child = graph_->links[links_of_.down(upper).front()].from;
        divisor_[upper] = std::min(enough, divisor_[child] * parents(child));
    }
}

/// Leaves with the same switches above and none below differ in the last hop alone.
WaysToLeaf& SwitchRouting::ways_to(int leaf) {
    const bool has_twins = links_of_.down_count(leaf) == 0;
    auto& ways = has_twins ? ways_to_group_[group_of_leaf_[leaf]] : ways_to_single_[leaf];
    if (ways) return *ways;
    if (kept_ > most_kept + graph_->links.size() + graph_->switches.size()) {
        for (auto& known : ways_to_group_) known.reset();
        ways_to_single_.clear();
        kept_ = 0;
    }
    auto& place = has_twins ? ways_to_group_[group_of_leaf_[leaf]] : ways_to_single_[leaf];
    place = std::make_unique<WaysToLeaf>(*graph_, links_of_, leaf, has_twins, kept_);
    return *place;
}

/// Messages that went up over different upper switches and cables come down over different ones too.
CableUse SwitchRouting::next_by_dmodk(std::span<const int> candidates, int at, int host) const {
    const auto count = static_cast<std::int64_t>(candidates.size());
    const SwitchLink& first = graph_->links[candidates.front()];
    if (first.from != at) {
        const std::int64_t divisor = std::max<std::int64_t>(1, divisor_[first.from] / count);
        const int link = candidates[host / divisor % count];
        return {link, cable_of(link, host), graph_->links[link].from == at};
    }
    std::int64_t cables = 0;
    for (const int link : candidates) cables += graph_->links[link].count;
    const auto [link, cable] = cable_number(candidates, host / divisor_[at] % cables);
    return {link, cable, graph_->links[link].from == at};
}

/// Counts the first cables of all links before the second ones, and so on; a whole block of cables at a time in which
/// no link runs out of them.
std::pair<int, int> SwitchRouting::cable_number(std::span<const int> candidates, std::int64_t number) const {
    for (int before = 0;;) {
        std::int64_t links = 0;
        int end = std::numeric_limits<int>::max();
        for (const int link : candidates) {
            if (graph_->links[link].count <= before) continue;
            end = std::min(end, graph_->links[link].count);
            ++links;
        }
        if (number >= links * (end - before)) {
            number -= links * (end - before);
            before = end;
            continue;
        }
        std::int64_t turn = number % links;
        for (const int link : candidates) {
            if (graph_->links[link].count > before && turn-- == 0)
                return {link, before + static_cast<int>(number / links)};
        }
    }
}

/// The cable of a link alone.
int SwitchRouting::cable_of(int link, int host) const {
    const SwitchLink& cables = graph_->links[link];
    return static_cast<int>(host / (divisor_[cables.from] * parents(cables.from)) % cables.count);
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
    const WaysToLeaf::Hop hop = ways_to(leaf).from(at);
    if (hop.phase == WaysToLeaf::Phase::none) return {};
    if (!hop.links.empty()) return next_by_dmodk(hop.links, at, host);
    const std::span<const int> up = links_of_.up(leaf);
    const auto last = std::find_if(up.begin(), up.end(), [&](int link) { return graph_->links[link].to == at; });
    return next_by_dmodk({last, 1}, at, host);
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
