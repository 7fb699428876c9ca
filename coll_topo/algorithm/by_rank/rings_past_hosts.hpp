// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"

#include <vector>

/// Rows whose lanes are rings (RingOrders), those that take least time for long vectors: of an allreduce other ones
/// while blocks are combined than while they are gathered. A reduce gathers them at its root, directly.
namespace coll_topo::rings_past_hosts {

/// What tells the rows apart.
struct Rings {
    RingWays ways;
    /// Seconds in which blocks of so many bytes are combined, or gathered, on these rings. For each of them a rank
    /// works `work` seconds, and `once` while it would wait.
    double (*half_seconds)(const Grid& grid, const std::vector<RingOrder>& rings, double block, double work,
                           double once);
};

Program build(const Grid& grid, const Problem& problem, int rank, const Rings& rings);
std::vector<Program> build_all(const Grid& grid, const Problem& problem, const Rings& rings);
double seconds(const Grid& grid, const Problem& problem, double bytes, const Rings& rings);

/// The same as a row of the catalogue has them.
template <const Rings& rings>
struct Row {
    static Program build(const Grid& grid, const Problem& problem, int rank) {
        return rings_past_hosts::build(grid, problem, rank, rings);
    }
    static std::vector<Program> build_all(const Grid& grid, const Problem& problem) {
        return rings_past_hosts::build_all(grid, problem, rings);
    }
    static double seconds(const Grid& grid, const Problem& problem, double bytes) {
        return rings_past_hosts::seconds(grid, problem, bytes, rings);
    }
};

}  // namespace coll_topo::rings_past_hosts
