// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/statement.hpp"

#include <span>

namespace coll_topo {

/// What a TorusName line without Bandwidth= or Latency= gets: a 100 Gbit/s link.
inline constexpr double default_torus_bandwidth = 12.5e9;  ///< bytes/s
inline constexpr double default_torus_latency = 1e-6;      ///< seconds

/// The fabric of a file with TorusName and NodeName statements; others are not looked at. There is a TorusName.
Expected<Fabric> read_torus(std::span<const Statement> statements);

}  // namespace coll_topo
