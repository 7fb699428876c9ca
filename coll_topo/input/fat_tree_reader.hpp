// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/statement.hpp"

#include <span>

namespace coll_topo {

/// What a generated fat tree without Bandwidth= or Latency= gets: 100 Gbit/s links, as a torus does.
inline constexpr double default_fat_tree_bandwidth = 12.5e9;  ///< bytes/s
inline constexpr double default_fat_tree_latency = 1e-6;      ///< seconds

/// The fabric of a file with a LatinSquareName or FullMeshName statement; others are not looked at. There is one.
Expected<Fabric> read_fat_tree(std::span<const Statement> statements);

}  // namespace coll_topo
