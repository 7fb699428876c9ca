// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/exchange_bandwidth.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

constexpr std::int64_t most_messages = 1 << 19;
constexpr std::int64_t most_links = 1 << 25;  // that messages take, each counted for itself

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

    int links(int from_host, int to_host) {
        route_.clear();
        network_.route(from_host, to_host, route_);
        return static_cast<int>(route_.size());
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

/// The places under one of every `n` leaves.
std::vector<int> sample_by_leaf(const SwitchGraph& graph, const Lines& lines, int n) {
    std::vector<int> number_of_leaf(graph.switches.size(), -1);
    std::vector<int> sampled;
    int leaves = 0;
    for (int place = 0; place < static_cast<int>(lines.host_at.size()); ++place) {
        int& number = number_of_leaf[graph.leaf_of_host[lines.host_at[place]]];
        if (number < 0) number = leaves++;
        if (number % n == 0) sampled.push_back(place);
    }
    return sampled;
}

/// Every how many turns one is counted: each, unless a leaf is very large or routes are very long. Judges routes by
/// some of the first place.
int step_of_turns(LinkLoad& load, const Lines& lines, std::size_t sampled) {
    constexpr int tried = 8;
    std::int64_t longest = 1;
    for (int i = 1; i <= tried; ++i) {
        const int turn = static_cast<int>(std::int64_t{i} * (lines.size - 1) / tried);
        const int there = lines.along(0, (lines.coordinate(0) + turn) % lines.size);
        longest = std::max<std::int64_t>(longest, load.links(lines.host_at[0], lines.host_at[there]));
    }
    const auto messages = static_cast<double>(sampled) * (lines.size - 1);
    const double steps = messages * static_cast<double>(longest) / static_cast<double>(most_links);
    return std::max(1, static_cast<int>(std::min<double>(steps, lines.size / 4)));
}

}  // namespace

ExchangeBandwidth exchange_bandwidth(LinkGraph& network, const SwitchGraph& graph, const Lines& lines) {
    const std::int64_t messages = static_cast<std::int64_t>(lines.host_at.size()) * (lines.size - 1);
    const auto sampled = sample_by_leaf(graph, lines, static_cast<int>(messages / most_messages) + 1);
    ExchangeBandwidth result;
    LinkLoad load(network);
    const int step = step_of_turns(load, lines, sampled.size());
    int turns = 0;
    for (int turn = 1; turn < lines.size; turn += step, ++turns) {
        for (const int place : sampled) {
            const int there = lines.along(place, (lines.coordinate(place) + turn) % lines.size);
            load.add(lines.host_at[place], lines.host_at[there]);
        }
        LinkLoad::lower(result.with_one, load.end_turn());
        const int neighbour = lines.along(0, (lines.coordinate(0) + turn) % lines.size);
        result.latency = std::max(result.latency, load.latency(lines.host_at[0], lines.host_at[neighbour]));
    }
    result.with_all = load.of_all_turns() * turns;
    return result;
}

}  // namespace coll_topo
