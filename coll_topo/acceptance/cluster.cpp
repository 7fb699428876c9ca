// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/cluster.hpp"

#include "coll_topo/acceptance/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace coll_topo::acceptance {

namespace {

class Expectation {
public:
    Expectation(const CablePlan& plan, const LinkCapacities& of_file, const Cluster& cluster)
        : plan_(plan), of_file_(of_file), cluster_(cluster), graph_(cluster.fabric) {
        capacities_ = LinkCapacities(graph_).of_link;
        for (const Cluster::SlowLink& slow : cluster.slow) {
            has_dead_links_ = has_dead_links_ || slow.share <= 0;
            for (std::size_t link = 0; link < capacities_.size(); ++link) {
                const Link& ends = graph_.links()[link];
                if (ends.from != slow.link.from || ends.to != slow.link.to) continue;
                if (ends_of(graph_, static_cast<int>(link)) == slow.link) capacities_[link] *= slow.share;
            }
        }
    }

    CableMeasurement measure() {
        CableMeasurement result;
        for (const LatencyTest& pair : plan_.pairs) result.latency.push_back(latency(pair));
        result.alone.assign(plan_.tests.size(), std::numeric_limits<double>::infinity());
        result.together = result.alone;
        for (const Round& round : plan_.alone) run(round, result.alone);
        for (const Round& round : plan_.together) run(round, result.together);
        return result;
    }

private:
    bool route(const Message& message, std::vector<int>& links) {
        const int from = cluster_.place[static_cast<std::size_t>(message.from)];
        const int to = cluster_.place[static_cast<std::size_t>(message.to)];
        return graph_.route(from, to, links);
    }

    /// Whether nothing passes on the way back, by which the receiver says that it has the message.
    bool is_cut(const Message& message) {
        if (!has_dead_links_) return false;
        std::vector<int> links;
        if (!route({message.to, message.from}, links)) return true;
        return std::any_of(links.begin(), links.end(),
                           [&](int link) { return capacities_[static_cast<std::size_t>(link)] <= 0; });
    }

    double latency(const LatencyTest& pair) {
        double sum = 0;
        for (const Message* message : {&pair.there, &pair.back}) {
            std::vector<int> links;
            if (!route(*message, links)) return 0;
            for (const int link : links) {
                if (capacities_[static_cast<std::size_t>(link)] <= 0) return 0;
                sum += graph_.links()[static_cast<std::size_t>(link)].latency / 2;
            }
        }
        return sum;
    }

    /// Keeps the slowest result of each test.
    void run(const Round& round, std::vector<double>& results) {
        std::vector<Flow> flows;
        std::vector<bool> lost;
        for (const int test : round) {
            for (const Message& message : plan_.tests[static_cast<std::size_t>(test)].messages) {
                Flow& flow = flows.emplace_back();
                flow.bytes = static_cast<double>(bytes_of_transfer(message, of_file_));
                lost.push_back(!route(message, flow.links) || is_cut(message));
            }
        }
        const std::vector<double> ends = ends_of_flows(flows, capacities_);
        std::size_t next = 0;
        for (const int test : round) {
            double bytes = 0, seconds = 0;
            bool answered = true;
            for (std::size_t i = 0; i < plan_.tests[static_cast<std::size_t>(test)].messages.size(); ++i, ++next) {
                bytes += flows[next].bytes;
                seconds = std::max(seconds, ends[next]);
                answered = answered && !lost[next] && std::isfinite(ends[next]);
            }
            double& known = results[static_cast<std::size_t>(test)];
            known = std::min(known, answered && seconds > 0 ? bytes / seconds : 0);
        }
    }

    const CablePlan& plan_;
    const LinkCapacities& of_file_;
    const Cluster& cluster_;
    LinkGraph graph_;
    std::vector<double> capacities_;
    bool has_dead_links_ = false;
};

}  // namespace

LinkEnds ends_of(const LinkGraph& graph, int link) {
    const Link& ends = graph.links()[static_cast<std::size_t>(link)];
    LinkEnds found{ends.from, ends.to, 0};
    for (int other = 0; other < link; ++other) {
        const Link& before = graph.links()[static_cast<std::size_t>(other)];
        found.number += before.from == ends.from && before.to == ends.to ? 1 : 0;
    }
    return found;
}

Cluster::Cluster(const Fabric& file) : fabric(file), place(static_cast<std::size_t>(file.hosts.size())) {
    std::iota(place.begin(), place.end(), 0);
}

Fabric as_wired(const Cluster& cluster) {
    Fabric wired = cluster.fabric;
    auto* const switches = std::get_if<SwitchGraph>(&wired.network);
    if (switches == nullptr) wired.cell_of_host.resize(cluster.place.size());
    for (std::size_t host = 0; host < cluster.place.size(); ++host) {
        const int place = cluster.place[host];
        if (switches == nullptr) {
            wired.cell_of_host[host] = cluster.fabric.cell(place);
        } else {
            switches->leaf_of_host[host] =
                std::get<SwitchGraph>(cluster.fabric.network).leaf_of_host[static_cast<std::size_t>(place)];
        }
    }
    return wired;
}

CableMeasurement expected(const CablePlan& plan, const LinkCapacities& of_file, const Cluster& cluster) {
    return Expectation(plan, of_file, cluster).measure();
}

}  // namespace coll_topo::acceptance
