// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/program.hpp"

#include <vector>

namespace coll_topo {

/// Whether replayed_seconds() can tell anything of the programs: those of one lane each.
bool can_be_replayed(const std::vector<Program>& programs);

/// Seconds that the programs of all ranks take with so many bytes, each message after those that its sender waits for,
/// on the clocks of ranks and links of MessageTimeline. For short vectors, whose operands are combined in no time.
double replayed_seconds(const Grid& grid, const std::vector<Program>& programs, double bytes);

}  // namespace coll_topo
