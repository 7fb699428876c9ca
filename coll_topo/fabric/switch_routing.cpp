// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_routing.hpp"

#include <algorithm>
#include <cstddef>

namespace coll_topo {

SwitchRouting::SwitchRouting(const SwitchGraph& graph)
    : graph_(&graph), links_of_(graph.switches.size()), ways_(graph.switches.size()) {
    for (std::size_t link = 0; link < graph.links.size(); ++link) {
        links_of_[graph.links[link].from].push_back(static_cast<int>(link));
        links_of_[graph.links[link].to].push_back(static_cast<int>(link));
    }
    find_divisors();
}

/// From the bottom up: a switch divides by what the first switch below it divides by, times its uplinks.
void SwitchRouting::find_divisors() {
    constexpr std::int64_t enough = std::int64_t{1} << 31;  // more than there are hosts
    const int switches = graph_->switches.size();
    divisor_.assign(switches, 1);
    std::vector<int> below(switches, 0), cables(switches, 0);
    std::vector<char> known(switches, 0);
    for (const SwitchLink& link : graph_->links) {
        ++below[link.to];
        cables[link.from] += link.count;
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
            divisor_[upper] = std::min(enough, divisor_[child] * cables[child]);
            ready.push_back(upper);
        }
    }
}

/// All ways to a leaf: first of the switches from which it can be reached going down, then of those that reach one of
/// them going up, then of the rest.
const std::vector<SwitchRouting::Way>& SwitchRouting::ways_to(int leaf) {
    std::vector<Way>& ways = ways_[leaf];
    if (!ways.empty()) return ways;
    ways.resize(graph_->switches.size());
    ways[leaf] = {0, Phase::down};
    for (const Phase phase : {Phase::down, Phase::up, Phase::any}) spread(ways, phase);
    return ways;
}

/// Extends the known ways by links of the phase's direction, shorter ways first, to switches that have none.
void SwitchRouting::spread(std::vector<Way>& ways, Phase phase) const {
    std::vector<std::vector<int>> at_distance;
    const auto add = [&](int index, int hops) {
        if (at_distance.size() <= static_cast<std::size_t>(hops)) at_distance.resize(hops + 1);
        at_distance[hops].push_back(index);
    };
    for (std::size_t index = 0; index < ways.size(); ++index) {
        if (ways[index].phase != Phase::none) add(static_cast<int>(index), ways[index].hops);
    }
    for (int hops = 0; hops < static_cast<int>(at_distance.size()); ++hops) {
        for (std::size_t i = 0; i < at_distance[hops].size(); ++i) {
            const int to = at_distance[hops][i];
            for (const int link : links_of_[to]) {
                const int from = other_end(to, link);
                const bool goes_up = graph_->links[link].from == from;
                if (ways[from].phase != Phase::none) continue;
                if (phase != Phase::any && goes_up != (phase == Phase::up)) continue;
                ways[from] = {hops + 1, phase};
                add(from, hops + 1);
            }
        }
    }
}

/// Whether the link is the first of a shortest way from a switch to the leaf of `ways`.
bool SwitchRouting::leads_on(const std::vector<Way>& ways, int at, int link) const {
    const Way& here = ways[at];
    const Way& there = ways[other_end(at, link)];
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

CableUse SwitchRouting::next(const std::vector<Way>& ways, int at, int host) const {
    std::int64_t cables = 0, divisor = 0;
    for (const int link : links_of_[at]) {
        if (!leads_on(ways, at, link)) continue;
        // The same on both ways through a cable, so that what has spread going up stays spread going down.
        if (cables == 0) divisor = divisor_[graph_->links[link].from];
        cables += graph_->links[link].count;
    }
    std::int64_t cable = host / divisor % cables;
    for (const int link : links_of_[at]) {
        if (!leads_on(ways, at, link)) continue;
        if (cable < graph_->links[link].count) {
            return {link, static_cast<int>(cable), graph_->links[link].from == at};
        }
        cable -= graph_->links[link].count;
    }
    return {-1, 0, false};  // not reached: a way that is not at its end goes on
}

bool SwitchRouting::route(int from_switch, int host, std::vector<CableUse>& cables) {
    const int leaf = graph_->leaf_of_host[host];
    const std::vector<Way>& ways = ways_to(leaf);
    if (ways[from_switch].phase == Phase::none) return false;
    for (int at = from_switch; at != leaf; at = other_end(at, cables.back().link)) {
        cables.push_back(next(ways, at, host));
    }
    return true;
}

}  // namespace coll_topo
