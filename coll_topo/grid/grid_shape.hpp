// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <string>

namespace coll_topo {

/// The sizes of the axes: "4x4"; "1" without any.
inline std::string shape_of(const Grid& grid) {
    std::string text;
    for (const Axis& axis : grid.axes()) text += (text.empty() ? "" : "x") + std::to_string(axis.size);
    return text.empty() ? "1" : text;
}

}  // namespace coll_topo
