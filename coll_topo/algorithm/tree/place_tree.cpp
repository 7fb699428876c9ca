// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/place_tree.hpp"

#include <algorithm>
#include <bit>

namespace coll_topo {

PlaceTree::PlaceTree(const Grid& grid, int root, int lane, int lanes, Shape shape)
    : grid_(grid),
      root_(root),
      lane_(lane),
      aggregators_(std::min(lanes, grid.fewest_ranks_per_host())),
      aggregator_(lane % aggregators_),
      chain_(shape == Shape::chain),
      root_is_above_(chain_ && grid.ranks_of_host(grid.host(root)).size() > 1) {}

int PlaceTree::head_host(int place) const {
    const int host_of_root = grid_.host(root_);
    return grid_.place_of(host_of_root) == place ? host_of_root : place;
}

int PlaceTree::entry_index(int host) const {
    if (host == grid_.host(root_)) {
        const int others = tree_size(host);
        if (!root_is_above_) return grid_.local_rank(root_);
        return (grid_.local_rank(root_) + 1 + lane_ % others) % (others + 1);
    }
    return grid_.aggregator_index(host, aggregator_, aggregators_);
}

int PlaceTree::tree_size(int host) const {
    const int ranks = static_cast<int>(grid_.ranks_of_host(host).size());
    return root_is_above_ && host == grid_.host(root_) ? ranks - 1 : ranks;
}

// Where the root is left out, ranks are counted from the one behind it.
int PlaceTree::number(int rank) const {
    const int host = grid_.host(rank), ranks = static_cast<int>(grid_.ranks_of_host(host).size());
    const int size = tree_size(host), first = size < ranks ? grid_.local_rank(root_) + 1 : 0;
    const auto counted = [&](int local_rank) { return (local_rank - first + ranks) % ranks; };
    return (counted(grid_.local_rank(rank)) - counted(entry_index(host)) + size) % size;
}

int PlaceTree::rank_at(int host, int number) const {
    const auto local_ranks = grid_.ranks_of_host(host);
    const int ranks = static_cast<int>(local_ranks.size()), size = tree_size(host);
    const int first = size < ranks ? grid_.local_rank(root_) + 1 : 0;
    const int entry = (entry_index(host) - first + ranks) % ranks;
    return local_ranks[(first + (entry + number) % size) % ranks];
}

int PlaceTree::host_above(int host) const {
    const int head = head_host(grid_.place_of(host));
    return head == host ? -1 : head;
}

int PlaceTree::host_below(int host) const {
    const int place = grid_.place_of(host);
    if (head_host(place) != host) return -1;
    return host == place ? grid_.extra_host_of(place) : place;
}

int PlaceTree::parent(int rank) const {
    if (is_above_entry(rank)) return -1;
    const int host = grid_.host(rank), own = number(rank);
    if (own > 0) return rank_at(host, chain_ ? own - 1 : (own - 1) / 2);
    const int above = host_above(host);
    if (above >= 0) return entry(above);
    return root_is_above_ && host == grid_.host(root_) ? root_ : -1;
}

void PlaceTree::add_children(int rank, std::vector<int>& children) const {
    if (is_above_entry(rank)) return children.push_back(entry(grid_.host(rank)));
    const int host = grid_.host(rank), own = number(rank), below = own == 0 ? host_below(host) : -1;
    if (below >= 0) children.push_back(entry(below));
    if (chain_) {
        if (own + 1 < tree_size(host)) children.push_back(rank_at(host, own + 1));
        return;
    }
    for (const int child : {2 * own + 1, 2 * own + 2}) {
        if (child < tree_size(host)) children.push_back(rank_at(host, child));
    }
}

int PlaceTree::height(const Grid& grid, Shape shape) {
    if (shape == Shape::chain) return grid.most_ranks_per_host() - 1;
    return std::bit_width(static_cast<unsigned>(grid.most_ranks_per_host())) - 1;
}

}  // namespace coll_topo
