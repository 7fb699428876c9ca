// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/in_order/coordinate_lines.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <functional>

/// What other rows of fixed order share with fixed_order_gather.
namespace coll_topo::fixed_order_gather {

/// What the ranks of a place do: the first one combines their operands before `along_axes`, which it alone calls, and
/// gives the others the result after it.
void write_place(ProgramBuilder& builder, const CoordinateLines& lines, int rank,
                 const std::function<void()>& along_axes);
/// Predicted seconds of that.
double place_seconds(const Grid& grid, double bytes);

}  // namespace coll_topo::fixed_order_gather
