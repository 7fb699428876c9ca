// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/switch_ways.hpp"
#include "coll_topo/fabric/torus_routes.hpp"
#include "coll_topo/grid/grid.hpp"

#include <optional>
#include <vector>

namespace coll_topo {

/// The links that messages take, whatever network joins the hosts.
class MessageWays {
public:
    explicit MessageWays(const Grid& grid);

    /// Appends the links on the way between hosts, none within one; its latency, seconds.
    double append(int from_host, int to_host, std::vector<int>& links);

    /// May grow with each way.
    int links() const { return switch_ways_ ? switch_ways_->links() : 2 * routes_->cables(); }
    /// 0: the file does not say.
    double seconds_per_byte(int link) const;
    /// Bytes/s of the fastest link; 0: the file does not say.
    double fastest_link() const;

private:
    double append_on_torus(int from_host, int to_host, std::vector<int>& links);

    const Grid& grid_;
    std::optional<TorusRoutes> routes_;
    std::optional<SwitchWays> switch_ways_;
};

}  // namespace coll_topo
