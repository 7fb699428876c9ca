// SPDX-License-Identifier: BSD-3-Clause
//
// All trees grow at the same time, in turn, each by the edge that puts the least on what is then busiest of its way: a
// cable, or the ranks of a host that combine. Of equal ones, first those with short ways, then those near the root.
// Then subtrees below what is busiest move elsewhere. Which of equal edges a tree takes is drawn by lot, and the best
// of some attempts is taken.
//
//     o---o   .   o        o: takes part, .: only passes messages on
//     |       |            a tree crosses a cable in a direction that no other has taken, while there is one
//     o---o---o---o
//
// To pack as many edge-disjoint spanning trees as there can be (J. Edmonds, "Edge-disjoint branchings", 1973) takes a
// flow for every edge, and ways of several cables make it hard. Grown like this, three trees from 64 scattered hosts of
// a torus 8x8x8 share nothing, and three from its first 100.

#include "coll_topo/algorithm/by_rank/packed_trees.hpp"

#include "coll_topo/algorithm/by_rank/near_hosts.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <span>
#include <tuple>
#include <utility>

namespace coll_topo {
namespace {

class Packing {
public:
    Packing(const Grid& grid, const NearHosts& near, int trees, Collective collective, unsigned lot)
        : grid_(grid),
          near_(near),
          collective_(collective),
          lot_(lot),
          trees_(trees, Tree(grid.hosts())),
          children_(grid.hosts(), 0),
          crossed_(near.seconds_per_byte().size(), 0) {}

    void grow_from(int root) {
        for (Tree& tree : trees_) {
            tree.parents[root] = -1;
            join(tree, root);
        }
        for (int host = 1; host < grid_.hosts(); ++host) {
            for (Tree& tree : trees_) grow(tree);
        }
        while (relieve_busiest()) {
        }
    }

    /// Seconds per byte of a tree, of the busiest cable or host.
    double busiest() {
        double busiest = 0;
        for_edges([&](Tree& tree, int child) {
            busiest = std::max(busiest, busiest_of(tree.parents[child], tree.ways[child], 0));
        });
        return busiest;
    }

    bool shares_nothing() const { return !combines(collective_) && *std::ranges::max_element(crossed_) <= 1; }

    std::vector<HostParents> take() {
        std::vector<HostParents> found;
        for (Tree& tree : trees_) found.push_back(std::move(tree.parents));
        return found;
    }

private:
    static constexpr std::int32_t nowhere = -2;  // not yet in the tree

    using Way = std::span<const int>;  // links

    /// What speaks against an edge, the gravest first.
    struct Burden {
        double busiest;  // seconds per byte of a tree
        std::size_t cables;
        std::int32_t depth;
        std::int32_t children;
        auto operator<=>(const Burden&) const = default;
    };
    struct Edge {
        std::int32_t parent, child;
        Way way;  // of its messages
    };
    struct Candidate {
        Burden burden;
        std::uint_fast32_t lot;
        Edge edge;
        friend bool operator>(const Candidate& one, const Candidate& other) {
            return std::tie(one.burden, one.lot) > std::tie(other.burden, other.lot);
        }
    };
    struct Tree {
        explicit Tree(int hosts) : parents(hosts, nowhere), ways(hosts), depths(hosts, 0) {}

        HostParents parents;
        std::vector<Way> ways;             // from or to the parent
        std::vector<std::int32_t> depths;  // as it grew
        std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    };

    /// From a host to one near it, or the other way round.
    Edge down(int host, const NearHosts::Near& near) const {
        return {host, near.host, way(near_.there(near), near_.back(near), near)};
    }
    Edge up(int host, const NearHosts::Near& near) const {
        return {near.host, host, way(near_.back(near), near_.there(near), near)};
    }
    Way way(Way down, Way up, const NearHosts::Near& near) const {
        if (collective_ == Collective::allreduce) return near_.both(near);
        return collective_ == Collective::bcast ? down : up;
    }

    /// Seconds per byte, of an edge with so many more like it.
    double busiest_of(int parent, Way way, int more) const {
        double busiest = 0;
        if (combines(collective_)) {
            const double ranks = static_cast<double>(grid_.ranks_of_host(parent).size());
            busiest = (children_[parent] + more) / ranks / grid_.costs_together().reduce_bandwidth;
        }
        for (const int link : way)
            busiest = std::max(busiest, (crossed_[link] + more) * near_.seconds_per_byte()[link]);
        return busiest;
    }

    Burden burden(const Tree& tree, const Edge& edge) const {
        return {busiest_of(edge.parent, edge.way, 1), edge.way.size(), tree.depths[edge.parent] + 1,
                children_[edge.parent]};
    }

    void join(Tree& tree, int host) {
        for (const NearHosts::Near& near : near_.of(host)) {
            if (tree.parents[near.host] != nowhere) continue;
            const Edge edge = down(host, near);
            tree.candidates.push({burden(tree, edge), lot_(), edge});
        }
    }

    void add(Tree& tree, const Edge& edge) {
        tree.parents[edge.child] = edge.parent;
        tree.ways[edge.child] = edge.way;
        count(edge.parent, edge.way, 1);
    }

    void count(int parent, Way way, int times) {
        children_[parent] += times;
        for (const int link : way) crossed_[link] += times;
    }

    /// Burdens only grow, so that an edge whose own is no longer true waits until it is the least again.
    void grow(Tree& tree) {
        for (;;) {
            Candidate best = tree.candidates.top();
            tree.candidates.pop();
            const auto [parent, child, way] = best.edge;
            if (tree.parents[child] != nowhere) continue;
            const Burden now = burden(tree, best.edge);
            if (now == best.burden) {
                add(tree, best.edge);
                tree.depths[child] = tree.depths[parent] + 1;
                return join(tree, child);
            }
            best.burden = now;
            tree.candidates.push(best);
        }
    }

    /// Lets subtrees below what is busiest hang elsewhere, where that leaves all less busy; false: none can.
    bool relieve_busiest() {
        const double most = busiest();
        bool changed = false;
        for_edges([&](Tree& tree, int child) {
            const Edge edge{tree.parents[child], child, tree.ways[child]};
            if (busiest_of(edge.parent, edge.way, 0) < most) return;
            count(edge.parent, edge.way, -1);
            const std::optional<Edge> better = better_edge(tree, child, most);
            changed = changed || better;
            add(tree, better.value_or(edge));
        });
        return changed;
    }

    /// With which what is busiest of its way is less so than `most`.
    std::optional<Edge> better_edge(const Tree& tree, int child, double most) const {
        Burden least{most, 0, 0, 0};
        std::optional<Edge> best;
        for (const NearHosts::Near& near : near_.of(child)) {
            if (near.host == tree.parents[child] || is_below(tree, near.host, child)) continue;
            const Edge edge = up(child, near);
            const Burden of_edge = burden(tree, edge);
            if (of_edge >= least) continue;
            least = of_edge;
            best = edge;
        }
        return best;
    }

    static bool is_below(const Tree& tree, int host, int above) {
        while (host >= 0 && host != above) host = tree.parents[host];
        return host == above;
    }

    template <typename Visit>
    void for_edges(Visit&& visit) {
        for (Tree& tree : trees_) {
            for (int host = 0; host < grid_.hosts(); ++host) {
                if (tree.parents[host] >= 0) visit(tree, host);
            }
        }
    }

    const Grid& grid_;
    const NearHosts& near_;
    Collective collective_;
    std::minstd_rand lot_;  // the same on all machines
    std::vector<Tree> trees_;
    std::vector<std::int32_t> children_;  // by host, in all trees
    std::vector<std::int32_t> crossed_;   // by link: how often
};

std::vector<HostParents> pack(const Grid& grid, int root_host, int trees, Collective collective) {
    // With more hosts attempts take longer, and differ less.
    constexpr int most_attempts = 4, hosts_of_all = 1024;
    const int attempts = std::clamp(hosts_of_all / (grid.hosts() * trees), 1, most_attempts);
    const NearHosts near(grid);
    std::vector<HostParents> best;
    double least = 0;
    for (int attempt = 1; attempt <= attempts; ++attempt) {
        Packing packing(grid, near, trees, collective, static_cast<unsigned>(attempt));
        packing.grow_from(root_host);
        const double busiest = packing.busiest();
        const bool enough = packing.shares_nothing();
        if (best.empty() || busiest < least) {
            least = busiest;
            best = packing.take();
        }
        if (enough) break;
    }
    return best;
}

}  // namespace

const std::vector<HostParents>& packed_trees(const Grid& grid, int root_host, int trees, Collective collective) {
    const auto find = [&] { return pack(grid, root_host, trees, collective); };
    return grid.trees({root_host, trees, static_cast<int>(collective)}, find);
}

}  // namespace coll_topo
