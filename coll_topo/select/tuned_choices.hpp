// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/catalogue.hpp"

#include <cstdint>
#include <string_view>

namespace coll_topo {

/// The row of the catalogue that does what Open MPI's component tuned does by its fixed decisions, without parameters
/// of its own; empty if no row does. `bytes` as in Request, of an operation that commutes.
std::string_view tuned_row(Collective collective, int ranks, double bytes);

}  // namespace coll_topo
