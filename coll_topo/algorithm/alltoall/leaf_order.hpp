// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

namespace coll_topo {

/// In which order the hosts of a network of switches send to all others: step by step, every host to one and from one;
/// see leaf_order.cpp. Step 0 would be each to itself.
class LeafOrder {
public:
    explicit LeafOrder(const Grid& grid);

    int steps() const { return leaves_ * largest_; }
    /// Whether the hosts of a leaf send to different leaves in a step.
    bool diagonal() const { return diagonal_; }
    /// The hosts that a host sends to and receives from in a step, -1 if there is none.
    int to(int host, int step) const;
    int from(int host, int step) const;

    /// How many messages a host should have in flight: one fills its port, the others are ready when it ends.
    static constexpr int window = 4;

private:
    int host_at(int leaf, int index) const;

    const LeafArrangement& arrangement_;
    int leaves_;
    int largest_;  // hosts of a leaf
    bool diagonal_;
};

}  // namespace coll_topo
