// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace coll_topo {

/// When messages of one length that start at these times, ascending, are through a cable that those under way share
/// evenly. `transfer`: what each would take alone, seconds.
std::vector<double> shared_cable_ends(std::span<const double> starts, double transfer);

}  // namespace coll_topo
