// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/torus_of_axes.hpp"

#include <utility>
#include <vector>

namespace coll_topo {

Torus torus_of_axes(const Grid& grid) {
    std::vector<TorusDimension> dimensions;
    for (const Axis& axis : grid.axes()) {
        dimensions.push_back({axis.size, axis.wrapped, axis.message_bandwidth(), axis.latency});
    }
    return {"", std::move(dimensions), grid.cells()->part().tie()};
}

}  // namespace coll_topo
