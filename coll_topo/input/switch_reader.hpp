// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/statement.hpp"

#include <span>

namespace coll_topo {

/// The fabric of a file with SwitchName and Link statements; others are not looked at.
Expected<Fabric> read_switches(std::span<const Statement> statements);

}  // namespace coll_topo
