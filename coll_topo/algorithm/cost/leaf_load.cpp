// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/leaf_load.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

double seconds(double bytes, double bandwidth) {
    return bandwidth > 0 ? bytes / bandwidth : 0;
}

}  // namespace

LeafLoad::LeafLoad(const Grid& grid) : grid_(grid), leaves_(grid.leaves()), ways_(grid), bytes_(ways_.links(), 0) {}

double LeafLoad::add(int from_host, int to_host, double bytes) {
    way_.clear();
    const double latency = ways_.append(from_host, to_host, way_);
    bytes_.resize(ways_.links(), 0);
    for (const int link : way_) bytes_[link] += bytes;
    return latency;
}

double LeafLoad::take() {
    double longest = 0;
    for (int link = 0; link < ways_.links(); ++link) {
        longest = std::max(longest, bytes_[link] * ways_.seconds_per_byte(link));
        bytes_[link] = 0;
    }
    return longest;
}

double LeafLoad::alone(int from_host, int to_host, double bytes) const {
    const Way& way = leaves_.way(leaves_.reach(leaves_.leaf(from_host), leaves_.leaf(to_host)));
    return leaves_.latency(from_host, to_host) + seconds(bytes, way.bandwidth);
}

double LeafLoad::all_at_once(double bytes) const {
    const double each = static_cast<double>(grid_.ranks()) / grid_.hosts();
    const double by_routes = leaves_.alltoall_bandwidth > 0
                                 ? (grid_.hosts() - 1) * each * each * bytes / leaves_.alltoall_bandwidth
                                 : between_leaves(bytes);
    return std::max(by_routes, all_at_once_evenly(bytes));
}

double LeafLoad::between_leaves(double bytes) const {
    double longest = 0;
    const std::vector<double> ranks_of_leaf = count_ranks_of_leaves();
    for (std::size_t from = 0; from < ranks_of_leaf.size(); ++from) {
        for (std::size_t to = 0; to < ranks_of_leaf.size(); ++to) {
            if (to == from) continue;
            const Way& way = leaves_.way(leaves_.reach(static_cast<int>(from), static_cast<int>(to)));
            longest = std::max(longest, seconds(ranks_of_leaf[from] * ranks_of_leaf[to] * bytes, way.leaf_bandwidth));
        }
    }
    return longest;
}

double LeafLoad::all_at_once_evenly(double bytes) const {
    const double ranks = grid_.ranks();
    double longest = 0;
    for (int host = 0; host < grid_.hosts(); ++host) {
        const auto local_ranks = static_cast<double>(grid_.ranks_of_host(host).size());
        longest =
            std::max(longest, seconds(local_ranks * (ranks - local_ranks) * bytes, leaves_.way(Reach::leaf).bandwidth));
    }
    for (const double inside : count_ranks_of_leaves()) {
        longest = std::max(longest, seconds(inside * (ranks - inside) * bytes, leaves_.uplink_bandwidth));
    }
    return longest;
}

std::vector<double> LeafLoad::count_ranks_of_leaves() const {
    std::vector<double> ranks(leaves_.hosts.parts(), 0);
    for (int host = 0; host < grid_.hosts(); ++host) {
        ranks[leaves_.leaf(host)] += static_cast<double>(grid_.ranks_of_host(host).size());
    }
    return ranks;
}

}  // namespace coll_topo
