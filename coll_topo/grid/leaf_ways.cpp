// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/leaf_ways.hpp"

#include "coll_topo/fabric/link_graph.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo {
namespace {

constexpr int most_leaves_looked_at = 64;

class WayFinder {
public:
    WayFinder(const Fabric& fabric, std::span<const std::int32_t> hosts, const LeafArrangement& arrangement)
        : network_(fabric), hosts_(hosts), arrangement_(arrangement), messages_(network_.links().size(), 0) {}

    std::array<Way, 3> run() {
        const int leaves = arrangement_.hosts.parts();
        const int stride = std::max(1, leaves / most_leaves_looked_at);
        for (int leaf = 0; leaf < leaves; leaf += stride) {
            look_within(leaf);
            look(leaf, next_in_group(leaf), Reach::group);
            look(leaf, next_outside(leaf), Reach::fabric);
        }
        borrow_missing(Reach::group, Reach::fabric);
        borrow_missing(Reach::fabric, Reach::group);
        borrow_missing(Reach::leaf, Reach::group);
        borrow_missing(Reach::group, Reach::leaf);
        borrow_missing(Reach::fabric, Reach::leaf);
        return ways_;
    }

private:
    int next_in_group(int leaf) const {
        const auto group = arrangement_.leaves[arrangement_.leaves.part_of(leaf)];
        return group[(arrangement_.leaves.index(leaf) + 1) % static_cast<int>(group.size())];
    }

    int next_outside(int leaf) const {
        const int group = arrangement_.leaves.part_of(leaf), groups = arrangement_.leaves.parts();
        if (groups == 1) return leaf;
        const auto other = arrangement_.leaves[(group + 1) % groups];
        return other[arrangement_.leaves.index(leaf) % static_cast<int>(other.size())];
    }

    void look_within(int leaf) {
        const auto members = arrangement_.hosts[leaf];
        if (members.size() < 2) return;
        Way way;
        add_route(members[0], members[1], way);
        way.leaf_bandwidth = take_slowest_share() * static_cast<double>(members.size());
        note(way, Reach::leaf);
    }

    void look(int leaf, int other, Reach reach) {
        if (other == leaf) return;
        const auto from = arrangement_.hosts[leaf], to = arrangement_.hosts[other];
        const std::size_t messages = std::min(from.size(), to.size());
        Way way;
        for (std::size_t i = 0; i < messages; ++i) add_route(from[i], to[i], way);
        way.leaf_bandwidth = take_slowest_share() * static_cast<double>(messages);
        note(way, reach);
    }

    void add_route(int from, int to, Way& way) {
        route_.clear();
        network_.route(hosts_[from], hosts_[to], route_);
        double latency = 0;
        for (const int index : route_) {
            const Link& link = network_.links()[index];
            latency += link.latency;
            if (link.bandwidth > 0 && (way.bandwidth == 0 || link.bandwidth < way.bandwidth)) {
                way.bandwidth = link.bandwidth;
            }
            if (messages_[index]++ == 0) used_.push_back(index);
        }
        way.latency = std::max(way.latency, latency);
    }

    /// What each message since the last call gets if all get as much as the slowest.
    double take_slowest_share() {
        double slowest = 0;
        for (const int index : used_) {
            const double share = network_.links()[index].bandwidth / messages_[index];
            if (share > 0 && (slowest == 0 || share < slowest)) slowest = share;
            messages_[index] = 0;
        }
        used_.clear();
        return slowest;
    }

    void note(const Way& way, Reach reach) {
        Way& slowest = ways_[static_cast<std::size_t>(reach)];
        const auto lower = [](double& bound, double value) {
            if (value > 0 && (bound == 0 || value < bound)) bound = value;
        };
        lower(slowest.bandwidth, way.bandwidth);
        lower(slowest.leaf_bandwidth, way.leaf_bandwidth);
        slowest.latency = std::max(slowest.latency, way.latency);
        known_[static_cast<std::size_t>(reach)] = true;
    }

    void borrow_missing(Reach missing, Reach like) {
        const auto to = static_cast<std::size_t>(missing), from = static_cast<std::size_t>(like);
        if (known_[to] || !known_[from]) return;
        ways_[to] = ways_[from];
        known_[to] = true;
    }

    LinkGraph network_;
    std::span<const std::int32_t> hosts_;
    const LeafArrangement& arrangement_;
    std::array<Way, 3> ways_{};
    std::array<bool, 3> known_{};
    std::vector<int> messages_;  // by link, of the pair of leaves in hand
    std::vector<int> used_;      // links with messages
    std::vector<int> route_;
};

}  // namespace

std::array<Way, 3> find_ways(const Fabric& fabric, std::span<const std::int32_t> hosts,
                             const LeafArrangement& arrangement) {
    return WayFinder(fabric, hosts, arrangement).run();
}

double find_uplink_bandwidth(const SwitchGraph& graph, std::span<const std::int32_t> hosts,
                             const LeafArrangement& arrangement) {
    std::vector<double> of_switch(graph.switches.size(), 0);
    for (const SwitchLink& link : graph.links) {
        // Leaves may be above one another.
        for (const int end : {link.from, link.to}) of_switch[end] += link.bandwidth * link.count;
    }
    double slowest = 0;
    for (int leaf = 0; leaf < arrangement.hosts.parts(); ++leaf) {
        const double bandwidth = of_switch[graph.leaf_of_host[hosts[arrangement.hosts[leaf][0]]]];
        if (bandwidth > 0 && (slowest == 0 || bandwidth < slowest)) slowest = bandwidth;
    }
    return slowest;
}

}  // namespace coll_topo
