// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/switch_ways.hpp"
#include "coll_topo/fabric/torus_load.hpp"
#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace coll_topo {

/// The links that messages take, whatever network joins the hosts. On a torus they go along the axes of the grid as the
/// file says, or where these are a line that winds (Grid::winds()) through a torus that is not nearly empty, along
/// those of the torus itself; extra hosts are taken to stand where their proxies do.
class MessageWays {
public:
    explicit MessageWays(const Grid& grid);

    /// Appends the links on the way between hosts, none within one; its latency, seconds.
    double append(int from_host, int to_host, std::vector<int>& links);

    /// May grow with each way.
    int links() const { return switch_ways_ ? switch_ways_->links() : static_cast<int>(torus_->torus().links()); }
    /// 0: the file does not say.
    double seconds_per_byte(int link) const;

private:
    /// In torus_.
    std::int64_t cell_of(int host) const { return winds_ ? grid_.cells()->cell(host) : grid_.place_of(host); }
    double append_on_torus(int from_host, int to_host, std::vector<int>& links) const;

    const Grid& grid_;
    const bool winds_;
    std::vector<int> strides_;        // by dimension, in cells of torus_
    std::optional<TorusLoad> torus_;  // for its routes
    std::optional<SwitchWays> switch_ways_;
};

}  // namespace coll_topo
