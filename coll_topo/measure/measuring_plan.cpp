// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/measuring_plan.hpp"

#include "coll_topo/fabric/link_graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace coll_topo::bench {

namespace {

constexpr int probed_hosts = 3;
constexpr int longest_probe = 4;  // cables

/// The ranks of every host that has some, in the order of the hosts.
using RanksOfHosts = std::map<int, std::vector<int>>;

/// A few places spread evenly over `count`, ascending.
std::set<int> spread_places(int count) {
    std::set<int> places;
    for (int i = 0; i < std::min(probed_hosts, count); ++i) places.insert(i * count / std::min(probed_hosts, count));
    return places;
}

/// Counts the cables between two hosts by what they are measured as.
class HopCounter {
public:
    explicit HopCounter(const Fabric& fabric) : fabric_(fabric) {
        if (fabric.torus() == nullptr) network_.emplace(fabric);
    }

    /// Empty if the network does not connect the hosts.
    std::vector<int> count(int from_host, int to_host) {
        std::vector<int> hops;
        if (const Torus* const torus = fabric_.torus()) {
            std::vector<std::int64_t> links;
            torus->route(fabric_.cell(from_host), fabric_.cell(to_host), links);
            hops.resize(torus->dimensions().size());
            for (const std::int64_t link : links) ++hops[static_cast<std::size_t>(link) / 2 % hops.size()];
        } else if (std::vector<int> links; network_->route(from_host, to_host, links)) {
            hops.push_back(static_cast<int>(links.size()) - 2);  // without the cables of the two hosts
        }
        return hops;
    }

private:
    const Fabric& fabric_;
    std::optional<LinkGraph> network_;  // of switches
};

/// Probes of different lengths along a dimension show what one of its cables takes. Where all have one cable, probes
/// along two dimensions do, with one cable of each.
bool is_worth_probing(const std::vector<int>& hops) {
    const int total = std::accumulate(hops.begin(), hops.end(), 0);
    const auto dimensions = std::count_if(hops.begin(), hops.end(), [](int count) { return count > 0; });
    if (hops.size() == 1) return total <= longest_probe;
    return total > 0 && ((dimensions == 1 && total <= longest_probe) || (dimensions == 2 && total == 2));
}

std::vector<LatencyProbe> make_probes(const RanksOfHosts& ranks, HopCounter& counter) {
    std::vector<LatencyProbe> probes;
    const std::set<int> places = spread_places(static_cast<int>(ranks.size()));
    int place = 0;
    for (const auto& [host, own] : ranks) {
        if (!places.contains(place++)) continue;
        std::set<std::vector<int>> seen;
        for (const auto& [other, others] : ranks) {
            if (other == host) continue;
            const std::vector<int> hops = counter.count(host, other);
            if (hops.empty() || !is_worth_probing(hops) || !seen.insert(hops).second) continue;
            probes.push_back({{own.front(), others.front()}, hops});
        }
    }
    return probes;
}

/// Both ways between all hosts that are neighbours in a dimension. In a ring of two, each host sends to the other once.
std::vector<RankPair> along_dimension(const Fabric& fabric, const RanksOfHosts& ranks, int dimension) {
    const Torus& torus = *fabric.torus();
    const auto dimensions = static_cast<std::int64_t>(torus.dimensions().size());
    std::map<std::int64_t, int> speaker_of_cell;
    for (const auto& [host, own] : ranks) speaker_of_cell[fabric.cell(host)] = own.front();
    std::set<RankPair> messages;
    for (const auto& [cell, speaker] : speaker_of_cell) {
        const auto neighbour = speaker_of_cell.find(torus.link_target((cell * dimensions + dimension) * 2));
        if (neighbour == speaker_of_cell.end()) continue;
        messages.insert({speaker, neighbour->second});
        messages.insert({neighbour->second, speaker});
    }
    return {messages.begin(), messages.end()};
}

/// Every host sends to the next of the file and receives from the one before: one message each way on its cable.
std::vector<RankPair> around(const std::vector<int>& speakers) {
    std::vector<RankPair> messages;
    for (std::size_t i = 0; speakers.size() > 1 && i < speakers.size(); ++i) {
        messages.emplace_back(speakers[i], speakers[(i + 1) % speakers.size()]);
    }
    return messages;
}

std::vector<RankPair> local_pairs(const RanksOfHosts& ranks) {
    std::vector<RankPair> pairs;
    for (const auto& [host, own] : ranks) {
        if (own.size() > 1 && pairs.size() < probed_hosts) pairs.emplace_back(own[0], own[1]);
    }
    return pairs;
}

}  // namespace

std::vector<RankPair> MeasuringPlan::all_messages() const {
    std::set<RankPair> all;
    for (const std::vector<RankPair>& together : messages) all.insert(together.begin(), together.end());
    return {all.begin(), all.end()};
}

MeasuringPlan make_measuring_plan(const Fabric& fabric, const std::vector<int>& host_of_rank) {
    RanksOfHosts ranks;
    for (std::size_t rank = 0; rank < host_of_rank.size(); ++rank) {
        ranks[host_of_rank[rank]].push_back(static_cast<int>(rank));
    }
    MeasuringPlan plan;
    for (const auto& [host, own] : ranks) plan.speakers.push_back(own.front());
    HopCounter counter(fabric);
    plan.probes = make_probes(ranks, counter);
    if (const Torus* const torus = fabric.torus()) {
        for (int dimension = 0; dimension < static_cast<int>(torus->dimensions().size()); ++dimension) {
            plan.messages.push_back(along_dimension(fabric, ranks, dimension));
        }
    } else {
        plan.messages.push_back(around(plan.speakers));
    }
    plan.local = local_pairs(ranks);
    return plan;
}

}  // namespace coll_topo::bench
