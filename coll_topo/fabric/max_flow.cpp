// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/max_flow.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace coll_topo {
namespace {

class Dinic {
public:
    explicit Dinic(int vertices) : edges_of_(vertices), level_(vertices), next_(vertices) {}

    void add(int from, int to, double capacity) {
        edges_of_[from].push_back(static_cast<int>(edges_.size()));
        edges_.push_back({to, capacity});
        edges_of_[to].push_back(static_cast<int>(edges_.size()));
        edges_.push_back({from, 0});
        most_ = std::max(most_, capacity);
    }

    double flow(int source, int sink) {
        double total = 0;
        while (find_levels(source, sink)) {
            std::fill(next_.begin(), next_.end(), 0);
            while (const double more = push(source, sink, std::numeric_limits<double>::infinity())) total += more;
        }
        return total;
    }

private:
    struct Edge {  // and the one back beside it, index ^ 1
        int to;
        double left;
    };

    // A capacity that is only rounding error counts as none.
    bool open(const Edge& edge) const { return edge.left > most_ * 1e-12; }

    bool find_levels(int source, int sink) {
        std::fill(level_.begin(), level_.end(), -1);
        std::vector<int> queue = {source};
        level_[source] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const int index : edges_of_[queue[i]]) {
                const Edge& edge = edges_[index];
                if (!open(edge) || level_[edge.to] >= 0) continue;
                level_[edge.to] = level_[queue[i]] + 1;
                queue.push_back(edge.to);
            }
        }
        return level_[sink] >= 0;
    }

    double push(int vertex, int sink, double limit) {
        if (vertex == sink) return limit;
        for (std::size_t& next = next_[vertex]; next < edges_of_[vertex].size(); ++next) {
            const int index = edges_of_[vertex][next];
            Edge& edge = edges_[index];
            if (!open(edge) || level_[edge.to] != level_[vertex] + 1) continue;
            const double pushed = push(edge.to, sink, std::min(limit, edge.left));
            if (pushed == 0) continue;
            edge.left -= pushed;
            edges_[index ^ 1].left += pushed;
            return pushed;
        }
        return 0;
    }

    std::vector<Edge> edges_;
    std::vector<std::vector<int>> edges_of_;
    std::vector<int> level_;
    std::vector<std::size_t> next_;
    double most_ = 0;  // largest capacity
};

}  // namespace

double max_flow(const LinkGraph& graph, std::span<const int> from, std::span<const int> to) {
    const int source = graph.vertices(), sink = source + 1;
    Dinic dinic(graph.vertices() + 2);
    double all = 0;
    for (const Link& link : graph.links()) {
        dinic.add(link.from, link.to, link.bandwidth);
        all += link.bandwidth;
    }
    for (const int host : from) dinic.add(source, host, all);
    for (const int host : to) dinic.add(host, sink, all);
    return dinic.flow(source, sink);
}

}  // namespace coll_topo
