// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

#include <functional>
#include <span>

namespace coll_topo {

/// Every algorithm, in order of preference when predictions are equal.
std::span<const std::reference_wrapper<const Algorithm>> catalogue();

/// The row with this name, or null.
const Algorithm* find_algorithm(std::string_view name);

}  // namespace coll_topo
