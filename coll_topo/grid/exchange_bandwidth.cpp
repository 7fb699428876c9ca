// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/exchange_bandwidth.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

constexpr std::int64_t most_messages = 1 << 19;

/// Messages on every link, of one turn of an exchange and of all.
class LinkLoad {
public:
    explicit LinkLoad(LinkGraph& network)
        : network_(network), turn_(network.links().size(), 0), total_(network.links().size(), 0) {}

    void add(int from_host, int to_host) {
        route_.clear();
        network_.route(from_host, to_host, route_);
        for (const int link : route_) {
            if (turn_[link]++ == 0) used_.push_back(link);
        }
    }

    /// Ends a turn; what each of its messages gets, bytes/s, if all get as much as the slowest. 0: not known.
    double end_turn() {
        double slowest = 0;
        for (const int link : used_) {
            lower(slowest, network_.links()[link].bandwidth / turn_[link]);
            total_[link] += turn_[link];
            turn_[link] = 0;
        }
        used_.clear();
        return slowest;
    }

    /// The same for all turns at once.
    double of_all_turns() const {
        double slowest = 0;
        for (std::size_t link = 0; link < total_.size(); ++link) {
            if (total_[link] > 0) lower(slowest, network_.links()[link].bandwidth / total_[link]);
        }
        return slowest;
    }

    double latency(int from_host, int to_host) {
        route_.clear();
        network_.route(from_host, to_host, route_);
        double seconds = 0;
        for (const int link : route_) seconds += network_.links()[link].latency;
        return seconds;
    }

    static void lower(double& slowest, double share) {
        if (share > 0 && (slowest == 0 || share < slowest)) slowest = share;
    }

private:
    LinkGraph& network_;
    std::vector<int> turn_;
    std::vector<int> total_;
    std::vector<int> used_;  // links of the turn
    std::vector<int> route_;
};

/// By place: whether it is under one of every `n` leaves.
std::vector<bool> sample_by_leaf(const SwitchGraph& graph, const Lines& lines, int n) {
    std::vector<int> number_of_leaf(graph.switches.size(), -1);
    std::vector<bool> sampled;
    int leaves = 0;
    for (const std::int32_t host : lines.host_at) {
        int& number = number_of_leaf[graph.leaf_of_host[host]];
        if (number < 0) number = leaves++;
        sampled.push_back(number % n == 0);
    }
    return sampled;
}

}  // namespace

ExchangeBandwidth exchange_bandwidth(LinkGraph& network, const SwitchGraph& graph, const Lines& lines) {
    const std::int64_t messages = static_cast<std::int64_t>(lines.host_at.size()) * (lines.size - 1);
    const auto sampled = sample_by_leaf(graph, lines, static_cast<int>(messages / most_messages) + 1);
    ExchangeBandwidth result;
    LinkLoad load(network);
    for (int turn = 1; turn < lines.size; ++turn) {
        for (int place = 0; place < static_cast<int>(lines.host_at.size()); ++place) {
            if (!sampled[place]) continue;
            const int there = lines.along(place, (lines.coordinate(place) + turn) % lines.size);
            load.add(lines.host_at[place], lines.host_at[there]);
        }
        LinkLoad::lower(result.with_one, load.end_turn());
        const int neighbour = lines.along(0, (lines.coordinate(0) + turn) % lines.size);
        result.latency = std::max(result.latency, load.latency(lines.host_at[0], lines.host_at[neighbour]));
    }
    result.with_all = load.of_all_turns() * (lines.size - 1);
    return result;
}

}  // namespace coll_topo
