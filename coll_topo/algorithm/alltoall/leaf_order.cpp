// SPDX-License-Identifier: BSD-3-Clause
//
// Alltoall through switches: step (l, h) is a rotation over leaves and over the hosts of a leaf.
//
//     straight   host i of leaf a -> host i + h of leaf a + l         all hosts of a leaf to one other leaf
//     diagonal   host i of leaf a -> host i + h of leaf a + l + i     each to another leaf
//
// Leaf numbers count modulo the leaves, host numbers modulo the hosts of the largest leaf; every step is a permutation,
// and all (l, h) together reach every host once. Routing by destination gives each message of a straight step a spine
// of its own where there are as many spines between two leaves as hosts. Where each pair of leaves has cables of its
// own, narrower than the ports of their hosts, as in a full mesh, the diagonal uses those of many pairs. In a fat tree
// with few cables up it gains nothing, as all pairs share these: in simulations of 4 leaves of 8 hosts with 4 ranks
// each the straight order is as fast as the cables, and the diagonal takes 1.15 times as long, as its messages come to
// the same cables in bursts. Projective planes have an order of their own, SpineOrder.

#include "coll_topo/algorithm/alltoall/leaf_order.hpp"

#include <algorithm>

namespace coll_topo {

LeafOrder::LeafOrder(const Grid& grid)
    : arrangement_(grid.leaves()), leaves_(arrangement_.hosts.parts()), largest_(arrangement_.hosts.largest()) {
    const Way& way = arrangement_.way(Reach::fabric);
    const double of_leaf = std::min(largest_ * way.bandwidth, arrangement_.uplink_bandwidth);
    diagonal_ = largest_ > 1 && leaves_ > 1 && way.leaf_bandwidth < 0.99 * of_leaf;
}

int LeafOrder::to(int host, int step) const {
    const int index = arrangement_.hosts.index(host);
    const int leaf = arrangement_.leaf(host) + step % leaves_ + (diagonal_ ? index : 0);
    return host_at(leaf % leaves_, (index + step / leaves_) % largest_);
}

int LeafOrder::from(int host, int step) const {
    const int index = (arrangement_.hosts.index(host) + largest_ - step / leaves_) % largest_;
    const int back = (step % leaves_ + (diagonal_ ? index : 0)) % leaves_;
    return host_at((arrangement_.leaf(host) + leaves_ - back) % leaves_, index);
}

int LeafOrder::host_at(int leaf, int index) const {
    const auto hosts = arrangement_.hosts[leaf];
    return index < static_cast<int>(hosts.size()) ? hosts[index] : -1;
}

}  // namespace coll_topo
