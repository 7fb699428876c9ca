// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/leaf_load.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

double seconds(double bytes, double bandwidth) {
    return bandwidth > 0 ? bytes / bandwidth : 0;
}

}  // namespace

LeafLoad::LeafLoad(const Grid& grid)
    : grid_(grid), leaves_(grid.leaves()), hosts_(grid.hosts()), of_leaf_(leaves_.hosts.parts()) {}

Reach LeafLoad::reach(int from_leaf, int to_leaf) const {
    if (from_leaf == to_leaf) return Reach::leaf;
    return leaves_.leaves.part_of(from_leaf) == leaves_.leaves.part_of(to_leaf) ? Reach::group : Reach::fabric;
}

double LeafLoad::add(int from_host, int to_host, double bytes) {
    const int from = leaves_.leaf(from_host), to = leaves_.leaf(to_host);
    hosts_[from_host].out += bytes;
    hosts_[to_host].in += bytes;
    if (from != to) {
        of_leaf_[from].out += bytes;
        of_leaf_[to].in += bytes;
        between_.emplace_back(std::int64_t{from} * leaves_.hosts.parts() + to, bytes);
    }
    return leaves_.way(reach(from, to)).latency;
}

double LeafLoad::ways_seconds() {
    std::ranges::sort(between_);
    double longest = 0;
    for (std::size_t begin = 0; begin < between_.size();) {
        const std::int64_t pair = between_[begin].first;
        double bytes = 0;
        for (; begin < between_.size() && between_[begin].first == pair; ++begin) bytes += between_[begin].second;
        const int leaves = leaves_.hosts.parts();
        const Reach how_far = reach(static_cast<int>(pair / leaves), static_cast<int>(pair % leaves));
        longest = std::max(longest, seconds(bytes, leaves_.way(how_far).leaf_bandwidth));
    }
    between_.clear();
    return longest;
}

double LeafLoad::take() {
    double longest = ways_seconds();
    for (Load& host : hosts_) {
        longest = std::max(longest, seconds(host.larger(), leaves_.way(Reach::leaf).bandwidth));
        host = {};
    }
    for (Load& leaf : of_leaf_) {
        longest = std::max(longest, seconds(leaf.larger(), leaves_.uplink_bandwidth));
        leaf = {};
    }
    return longest;
}

double LeafLoad::alone(int from_host, int to_host, double bytes) const {
    const Way& way = leaves_.way(reach(leaves_.leaf(from_host), leaves_.leaf(to_host)));
    return way.latency + seconds(bytes, way.bandwidth);
}

double LeafLoad::all_at_once(double bytes) const {
    const double ranks = grid_.ranks(), each = ranks / grid_.hosts();
    double longest = seconds((grid_.hosts() - 1) * each * each * bytes, leaves_.alltoall_bandwidth);
    std::vector<double> ranks_of_leaf(leaves_.hosts.parts(), 0);
    for (int host = 0; host < grid_.hosts(); ++host) {
        const auto local_ranks = static_cast<double>(grid_.ranks_of_host(host).size());
        ranks_of_leaf[leaves_.leaf(host)] += local_ranks;
        longest =
            std::max(longest, seconds(local_ranks * (ranks - local_ranks) * bytes, leaves_.way(Reach::leaf).bandwidth));
    }
    for (std::size_t from = 0; from < ranks_of_leaf.size(); ++from) {
        const double outside = ranks - ranks_of_leaf[from];
        longest = std::max(longest, seconds(ranks_of_leaf[from] * outside * bytes, leaves_.uplink_bandwidth));
        for (std::size_t to = 0; to < ranks_of_leaf.size(); ++to) {
            if (to == from) continue;
            const Way& way = leaves_.way(reach(static_cast<int>(from), static_cast<int>(to)));
            longest = std::max(longest, seconds(ranks_of_leaf[from] * ranks_of_leaf[to] * bytes, way.leaf_bandwidth));
        }
    }
    return longest;
}

}  // namespace coll_topo
