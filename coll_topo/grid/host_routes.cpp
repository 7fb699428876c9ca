// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/host_routes.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

TorusRoutes host_routes(const Grid& grid) {
    std::vector<std::int64_t> cells;
    cells.reserve(grid.hosts());
    for (int host = 0; host < grid.hosts(); ++host) cells.push_back(grid.cells()->cell(host));
    return {grid.cells()->part(), cells};
}

}  // namespace coll_topo
