// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/place_tree.hpp"

#include <algorithm>
#include <bit>

namespace coll_topo {

PlaceTree::PlaceTree(const Grid& grid, int root, int lane, int lanes)
    : grid_(grid),
      root_(root),
      aggregators_(std::min(lanes, grid.fewest_ranks_per_host())),
      aggregator_(lane % aggregators_) {}

int PlaceTree::head_host(int place) const {
    const int host_of_root = grid_.host(root_);
    return grid_.place_of(host_of_root) == place ? host_of_root : place;
}

int PlaceTree::entry_index(int host) const {
    if (host == grid_.host(root_)) return grid_.local_rank(root_);
    return grid_.aggregator_index(host, aggregator_, aggregators_);
}

int PlaceTree::number(int rank) const {
    const int host = grid_.host(rank), size = static_cast<int>(grid_.ranks_of_host(host).size());
    return (grid_.local_rank(rank) - entry_index(host) + size) % size;
}

int PlaceTree::rank_at(int host, int number) const {
    const auto local_ranks = grid_.ranks_of_host(host);
    return local_ranks[(entry_index(host) + number) % local_ranks.size()];
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
    const int host = grid_.host(rank), own = number(rank);
    if (own > 0) return rank_at(host, (own - 1) / 2);
    const int above = host_above(host);
    return above < 0 ? -1 : entry(above);
}

void PlaceTree::add_children(int rank, std::vector<int>& children) const {
    const int host = grid_.host(rank), own = number(rank), below = own == 0 ? host_below(host) : -1;
    if (below >= 0) children.push_back(entry(below));
    const int size = static_cast<int>(grid_.ranks_of_host(host).size());
    for (const int child : {2 * own + 1, 2 * own + 2}) {
        if (child < size) children.push_back(rank_at(host, child));
    }
}

int PlaceTree::height(const Grid& grid) {
    return std::bit_width(static_cast<unsigned>(grid.most_ranks_per_host())) - 1;
}

}  // namespace coll_topo
