// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/host_cells.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Which hosts of a communicator on a torus are next to each other: two on a line of a dimension with none of them in
/// between. Messages between two such hosts share their cables with no others.
///
///     o---o   .   o       o a host, . a cell without one; the cables of the row lead from the first host to the
///     |   |       |       second and from there to the third
///     o   +---o   o
struct HostLink {
    std::int32_t hops;  ///< cables of the way
    std::int32_t host;  ///< at the other end
    double bandwidth;   ///< bytes/s of one direction
    double latency;     ///< seconds of a message, all cables of the way
};

class HostLinks {
public:
    /// Of hosts 0 .. hosts-1.
    HostLinks(const HostCells& cells, int hosts);

    int hosts() const { return static_cast<int>(begin_.size()) - 1; }
    /// Dimension by dimension; the same two hosts are joined once. Whoever is here has the host in its own list.
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
