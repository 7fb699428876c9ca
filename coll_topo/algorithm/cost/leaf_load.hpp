// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/switch_ways.hpp"
#include "coll_topo/grid/grid.hpp"

#include <vector>

namespace coll_topo {

/// What the messages of a step put on the links of a network of switches.
class LeafLoad {
public:
    explicit LeafLoad(const Grid& grid);

    /// Adds a message between different hosts of the grid; its latency, seconds.
    double add(int from_host, int to_host, double bytes);

    /// Seconds in which the busiest link has moved all bytes since the last call.
    double take();

    /// Seconds of a message on its own.
    double alone(int from_host, int to_host, double bytes) const;

    /// Seconds of the longest way.
    double way_latency() const { return leaves_.way(Reach::fabric).latency; }

    /// Seconds that cables need if every rank sends `bytes` to each rank of other hosts.
    double all_at_once(double bytes) const;
    /// The same if routes loaded all cables up from a leaf alike.
    double all_at_once_evenly(double bytes) const;

private:
    /// Of all_at_once(), by the pair of leaves with the least between them.
    double between_leaves(double bytes) const;
    std::vector<double> count_ranks_of_leaves() const;

    const Grid& grid_;
    const LeafArrangement& leaves_;
    SwitchWays ways_;
    std::vector<double> bytes_;  // by link
    std::vector<int> way_;       // of the message in hand
};

}  // namespace coll_topo
