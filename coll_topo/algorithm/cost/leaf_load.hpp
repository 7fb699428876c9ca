// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace coll_topo {

/// What the messages of a step put on a network of switches: on the ports of hosts, on the cables up from leaves
/// altogether, and on the routes from one leaf to another. Messages between different pairs of leaves that share a
/// cable further up are not seen together.
class LeafLoad {
public:
    explicit LeafLoad(const Grid& grid);

    /// Adds a message between different hosts of the grid; its latency, seconds.
    double add(int from_host, int to_host, double bytes);

    /// Seconds in which the busiest of them has moved all bytes since the last call.
    double take();

    /// Seconds of a message on its own.
    double alone(int from_host, int to_host, double bytes) const;

    /// Seconds of the longest way.
    double way_latency() const { return leaves_.way(Reach::fabric).latency; }

    /// Seconds that cables need if every rank sends `bytes` to each rank of other hosts.
    double all_at_once(double bytes) const;

private:
    Reach reach(int from_leaf, int to_leaf) const;
    double ways_seconds();

    struct Load {
        double out = 0;
        double in = 0;
        double larger() const { return out > in ? out : in; }
    };
    const Grid& grid_;
    const LeafArrangement& leaves_;
    std::vector<Load> hosts_;
    std::vector<Load> of_leaf_;
    std::vector<std::pair<std::int64_t, double>> between_;  // leaves (from * leaves + to), bytes
};

}  // namespace coll_topo
