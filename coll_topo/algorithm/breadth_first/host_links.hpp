// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/host_cells.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Which hosts of a communicator on a torus are next to each other: two on a line of a dimension with no other of them
/// in between. Messages between two such hosts share their cables with no other pair's.
///
///     o---o   .   o       o a host, . a cell without one; the cables of the row lead from the first host to the
///     |   |       |       second and from there to the third
///     o   +---o   o
struct HostLink {
    std::int32_t hops;  ///< cables on the path
    std::int32_t host;  ///< at the other end
    double bandwidth;   ///< bytes/s of one direction
    double latency;     ///< seconds of a message over all these cables
};

class HostLinks {
public:
    /// Of hosts 0 .. hosts-1.
    HostLinks(const HostCells& cells, int hosts);

    int hosts() const { return static_cast<int>(begin_.size()) - 1; }
    /// Dimension by dimension; the same two hosts are joined once. A host is in the lists of exactly those in its own.
    std::span<const HostLink> of(int host) const {
        return {links_.data() + begin_[host], links_.data() + begin_[host + 1]};
    }
    /// The number of the link of `from` that leads to `to`.
    int number(int from, int to) const;

private:
    std::vector<std::int32_t> begin_ = {0};  // by host, and the end
    std::vector<HostLink> links_;
};

}  // namespace coll_topo
