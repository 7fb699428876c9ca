// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace coll_topo {

/// Seconds that the programs of all ranks take with `bytes` of data (as in Request), each lane step by step as the
/// executor runs it, messages on the links of MessageWays, which they share fairly. As `coll-topo simulate` does it,
/// but with what the grid knows of the network, and without SimGrid. Takes some microseconds for each message, and more
/// where many share links. Nothing if the programs get stuck.
std::optional<double> replayed_schedule_seconds(const Grid& grid, Collective collective,
                                                const std::vector<Program>& programs, std::uint64_t bytes);

}  // namespace coll_topo
