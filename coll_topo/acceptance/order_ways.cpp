// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/order_ways.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo::acceptance {

namespace {

constexpr std::size_t most_compared = 64;  // hosts that are compared for one that was not reached
constexpr int weight_of_miss = 4;

}  // namespace

OrderWays::OrderWays(LinkGraph& graph, int leader)
    : graph_(graph),
      leader_(leader),
      by_(static_cast<std::size_t>(graph.hosts()), -1),
      tried_(by_.size()),
      good_(graph.links().size(), false),
      misses_(graph.links().size(), 0) {}

int OrderWays::depth(int host) const {
    int count = 0;
    for (; host != leader_; host = before(host)) ++count;
    return count;
}

int OrderWays::doubts(int host, int other) {
    links_.clear();
    if (!graph_.route(host, other, links_) || !graph_.route(other, host, links_)) return -1;
    int count = 0;
    for (const int link : links_) {
        const auto index = static_cast<std::size_t>(link);
        if (!good_[index]) count += 1 + weight_of_miss * misses_[index];
    }
    return count;
}

int OrderWays::next(int host) {
    std::set<int>& tried = tried_[static_cast<std::size_t>(host)];
    if (tried.insert(leader_).second) return leader_;
    std::vector<int> reached;
    for (int other = 0; other < graph_.hosts(); ++other) {
        if (other != host && is_reached(other) && !tried.contains(other)) reached.push_back(other);
    }
    const std::size_t step = std::max<std::size_t>(1, reached.size() / most_compared);
    int best = -1;
    std::pair<int, int> least;
    for (std::size_t i = 0; i < reached.size(); i += step) {
        const int doubtful = doubts(host, reached[i]);
        if (doubtful < 0) continue;
        const std::pair now{doubtful, depth(reached[i])};
        if (best >= 0 && least <= now) continue;
        best = reached[i];
        least = now;
    }
    if (best >= 0) tried.insert(best);
    return best;
}

void OrderWays::answered(int host, int by) {
    by_[static_cast<std::size_t>(host)] = by;
    links_.clear();
    if (!graph_.route(host, by, links_) || !graph_.route(by, host, links_)) return;
    for (const int link : links_) good_[static_cast<std::size_t>(link)] = true;
}

void OrderWays::missed(int host, int by) {
    links_.clear();
    if (!graph_.route(host, by, links_) || !graph_.route(by, host, links_)) return;
    for (const int link : links_) ++misses_[static_cast<std::size_t>(link)];
}

void OrderWays::lost(const std::set<int>& hosts) {
    for (const int host : hosts) {
        by_[static_cast<std::size_t>(host)] = -1;
        tried_[static_cast<std::size_t>(host)].clear();
    }
}

}  // namespace coll_topo::acceptance
