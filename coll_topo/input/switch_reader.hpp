// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/input/statement.hpp"

#include <span>
#include <vector>

namespace coll_topo {

/// The fabric of a file with SwitchName and Link statements; others are not looked at. Appends doubtful_switches() to
/// `doubts`.
Expected<Fabric> read_switches(std::span<const Statement> statements, std::vector<Error>& doubts);

}  // namespace coll_topo
