// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/max_flow.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace coll_topo {
namespace {

/// Edges are added before the first search, and then sorted by vertex.
class Dinic {
public:
    Dinic(int vertices, std::size_t edges) : begin_(vertices + 1, 0), level_(vertices), next_(vertices) {
        edges_.reserve(2 * edges);
    }

    void add(int from, int to, double capacity) {
        edges_.push_back({to, capacity});
        edges_.push_back({from, 0});
        ++begin_[from + 1];
        ++begin_[to + 1];
        most_ = std::max(most_, capacity);
    }

    double flow(int source, int sink) {
        sort_edges();
        double total = 0;
        while (find_levels(source, sink)) {
            std::copy(begin_.begin(), begin_.end() - 1, next_.begin());
            while (const double more = push(source, sink)) total += more;
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

    void sort_edges() {
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        std::copy(begin_.begin(), begin_.end() - 1, next_.begin());
        edges_of_.resize(edges_.size());
        for (std::size_t index = 0; index < edges_.size(); ++index) {
            edges_of_[next_[edges_[index ^ 1].to]++] = static_cast<int>(index);
        }
    }

    bool find_levels(int source, int sink) {
        std::fill(level_.begin(), level_.end(), -1);
        queue_.assign(1, source);
        level_[source] = 0;
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const int vertex = queue_[i];
            for (std::size_t place = begin_[vertex]; place < begin_[vertex + 1]; ++place) {
                const Edge& edge = edges_[edges_of_[place]];
                if (!open(edge) || level_[edge.to] >= 0) continue;
                level_[edge.to] = level_[vertex] + 1;
                queue_.push_back(edge.to);
            }
        }
        return level_[sink] >= 0;
    }

    /// Sends what it can along the first way that is left, from level to level; 0 if there is none.
    double push(int source, int sink) {
        way_.clear();
        for (int vertex = source; vertex != sink;) {
            const std::size_t place = next_[vertex];
            if (place < begin_[vertex + 1]) {
                const Edge& edge = edges_[edges_of_[place]];
                if (open(edge) && level_[edge.to] == level_[vertex] + 1) {
                    way_.push_back(edges_of_[place]);
                    vertex = edge.to;
                } else {
                    ++next_[vertex];
                }
                continue;
            }
            if (way_.empty()) return 0;
            vertex = edges_[way_.back() ^ 1].to;  // a dead end: back, and on with the next edge
            ++next_[vertex];
            way_.pop_back();
        }
        double pushed = std::numeric_limits<double>::infinity();
        for (const int index : way_) pushed = std::min(pushed, edges_[index].left);
        for (const int index : way_) {
            edges_[index].left -= pushed;
            edges_[index ^ 1].left += pushed;
        }
        return pushed;
    }

    std::vector<Edge> edges_;
    std::vector<std::size_t> begin_;  // by vertex: its first one in edges_of_
    std::vector<int> edges_of_;       // by vertex, then in the order of addition
    std::vector<int> level_;
    std::vector<std::size_t> next_;  // by vertex: in edges_of_
    std::vector<int> queue_;
    std::vector<int> way_;  // edges
    double most_ = 0;       // largest capacity
};

}  // namespace

double max_flow(const LinkGraph& graph, std::span<const int> from, std::span<const int> to) {
    const int source = graph.vertices(), sink = source + 1;
    Dinic dinic(graph.vertices() + 2, graph.links().size() + from.size() + to.size());
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
