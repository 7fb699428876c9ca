// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"
#include "coll_topo/fabric/torus_routes.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace coll_topo {

/// The cells of a torus on which hosts stand, in coordinates of the part of the torus that they span: where they
/// span so little of a dimension that no way between them leaves it, the part is a mesh in this dimension.
class HostCells {
public:
    /// cells[h] is the cell of host h; no cell twice, and at least one. `start_latency`: as Fabric says.
    HostCells(const Torus& torus, const std::vector<std::int64_t>& cells, double start_latency = 0);

    /// The part. Cells below are its cells.
    const Torus& part() const { return part_; }

    /// Seconds of latency of a message between any two hosts, without those of its hops.
    double start_latency() const { return start_latency_; }

    std::int64_t cell(int host) const { return cells_[host]; }

    /// Seconds of latency of a message between two hosts.
    double latency(int from, int to) const;

    /// Cables between two hosts along the axes, the shorter way round; 0: they are the same.
    int cables(int from, int to) const;

    /// The routes of messages between the hosts, in the part.
    TorusRoutes routes() const { return {part_, cells_}; }

    /// The host on a cell, or -1.
    int host_at(std::int64_t cell) const;

    /// The cell at an offset, and at the opposite one; each coordinate counts modulo its size. An offset is given as
    /// the cell that has it from cell 0.
    std::int64_t ahead(std::int64_t cell, std::int64_t offset) const;
    std::int64_t behind(std::int64_t cell, std::int64_t offset) const;

private:
    int cables(int from, int to, int dimension) const;

    Torus part_;
    double start_latency_;
    std::vector<std::int64_t> cells_;                             // by host
    std::vector<std::pair<std::int64_t, std::int32_t>> by_cell_;  // cell, host; empty if host h stands on cell h
};

}  // namespace coll_topo
